import { namesSecret } from './secretNames';
import { literalAt, literalsFrom, type Range, valueFrom } from './secretValues';

/** What decides how a text has its values: in a program or in JSON, only literals can be secrets. */
export type Style = 'program' | 'properties' | 'settings' | 'prose';

/** Returns what an expression finds, or its group `pw`. If it has a group `key`, that must name a secret. */
export function rangesOf(expression: RegExp, text: string): readonly Range[] {
  return matchesOf(expression, text).map((match) => match.indices?.groups?.['pw'] ?? [match.index, endOf(match)]);
}

function matchesOf(expression: RegExp, text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(expression)].filter(({ groups }) => {
    const key = groups?.['key'];
    // Of `//registry.example/:_authToken`, what comes after the address counts.
    return key === undefined || namesSecret(unescaped(key.slice(key.lastIndexOf('/') + 1)));
  });
}

/** JSON and YAML may have a letter as its number: `pass\u0077ord`. */
const unescaped = (key: string) =>
  key.replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
const escapedKey = /"(?<key>[^"\\\n]{0,100}\\u[\da-f]{4}[^"\n]{0,100})"\s{0,20}:\s{0,20}/gi;

/** Of keys with many values in them, such as in a line of a megabyte, only what follows soon belongs to one. */
export const reachAfter = (count: number): number => (count > 300 ? 300 : 8_000);

const shapes = [
  /(?<=-----BEGIN (?:[A-Z ]*PRIVATE KEY(?: BLOCK)?|OpenVPN (?:Static key V1|tls-crypt-v2 (?:client|server) key))-----)(?:(?!-----(?:BEGIN|END) )[^])+/g,
  /(?<![\w-])(?:sk|rk)[-_](?=[\w-]*\d)[\w-]{8,}/g,
  /\bSG\.[\w-]{8,}(?:\.[\w-]+)?/g,
  /\b(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt)-|xox[a-z]-|xapp-|do[opr]_v1_|shp[a-z]{2}_|hv[bsr]\.|whsec_|dckr_pat_|pypi-Ag)[\w-]{8,}/g,
  /\b(?:AIza[\w-]{20,}|(?:npm|hf)_[A-Za-z\d]{20,}|\d{8,10}:AA[\w-]{30,})/g,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /\$(?:2[abxy]|apr1|[1567]|g?y|argon2\w*|P)\$(?=[^\s:]{0,100}[A-Z])[./\w$=,+-]{6,}/g,
  /\$P\$[./\w]{20,}/g,
  /\bpbkdf2\w*\$\d+\$[./\w$=+]{6,}/g,
  /(?<=\{(?:PLAIN|CLEAR(?:TEXT)?|S?SHA\d*|(?:BLF-|SHA\d+-)?CRYPT|MD5|ARGON2ID?)\})[^\s:"',]+/g,
  /(?<=\bIDENTIFIED\s+(?:WITH\s+\w+\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?['"])[^'"\n]+/gi,
  /(?<=\b(?:PASSWORD|with password|(?:role|user)\s+\S{1,100}\s+(?:(?:with|login|encrypted)\s+){0,3}password)\s+(?:FOR[^=;\n]{0,80}=\s*)?['"])(?:''|[^'"\n])+(?=['"];?)/g,
  /(?<=\bhooks\.slack\.com\/services\/)[\w/]+/g,
  /(?<=\b(?:discord|discordapp)\.com\/api\/webhooks\/)[\w/-]+/g,
  /(?<=\b(?:outlook\.office(?:365)?|webhook\.office)\.com\/webhook\w{0,9}\/)[\w/@-]+/g,
  /(?<=\btemporary password is generated for \S{1,100}: )\S+/g,
  /(?<=\brandom password set for the root user at [^\n]{1,60}: )\S+/g,
  // Drupal's address for cron, and a secret of Vault, which is called like an ID.
  /(?<=\/cron\/)(?=[\w-]{0,100}\d)[\w-]{40,}(?![\w.-])/g,
  /secret[_-]?id["']?\s{0,20}(?:=>|[:=]|\s)\s{0,20}["']?(?<pw>[\da-z]{8}(?:-[\da-z]{4}){3}-[\da-z]{12})(?![\w-])/dgi,
  /(?<=^Private-Lines: \d+\r?\n)(?:(?!Private-MAC)[^])+/gm,
  /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|(?<=[Aa]uthorization["']?\s?[:,]\s?["']?)token)[^\S\n]+(?<pw>(?=[\w.~+/=-]{0,200}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{6,})/dg,
] as const;

/** What is a secret whatever its key is called. */
export function secretsByShape(text: string): readonly Range[] {
  // The end of a log may begin within a key.
  const end = text.search(/-----END [A-Z ]*PRIVATE KEY/);
  const isCut = end >= 0 && !text.slice(0, end).includes('-----BEGIN');
  const found = shapes.flatMap((shape) => rangesOf(shape, text));
  return isCut ? [...found, [0, end]] : found;
}

/** What is before a secret in a command line. A space stands for any number, and … for other arguments. */
const commands = [
  'sshpass -p',
  '(?:mysql|mariadb)(?:-?[a-z]+)?…-p(?=["\']?[^\\s"\',\\]])',
  '(?:curl|wget|http)…(?:-[uU]|--(?:proxy-)?user|-a) ["\']?[^\\s:"\']+:',
  '(?:(?:docker|podman|helm registry|az) login|mongo[a-z]*|ncftp[a-z]*|user(?:add|mod))…-p',
  '(?:7z[ar]?|(?:un)?rar)…-p(?=["\']?[^\\s"\',\\]-])',
  '(?:(?:un)?zip|sqlcmd)…-P(?=\\s)',
  'redis-cli…-a',
  'ldap[a-z]+…-w',
  'smb[a-z]+…-U ["\']?[^\\s%"\']+%',
  '(?:lftp…|open )-u ["\']?[^\\s,"\']+,',
  'openssl…(?:-k|-pass[a-z]* ["\']?pass:)',
  'stats auth [^\\s:]+:',
  'SQLConnectInfo \\S+ \\S+',
  'rename-command \\S+',
  '(?:PSK|XAUTH|EAP) (?=")',
  'login=[^\\s:]+:',
  'static:[^\\s:]+:',
  'ConvertTo-SecureString',
].map((before) => {
  const start = before
    .replace('…', String.raw`\b(?:[^\n|;]|\\\r?\n){0,300}?\s["']?`)
    .replaceAll(' ', String.raw`[^\S\n]*`);
  const value = String.raw`(?:["'],)?[^\S\n]*["']?(?<pw>(?<=")[^"\n]+|(?<=')[^'\n]+|[^\s"',\]]+)`;
  return new RegExp(String.raw`\b${start}${value}`, 'dg');
});
const otherCommands = [
  /["']-p(?<pw>[^\s"',\]]{6,})["']/dg,
  /(?<=^[^\S\r\n]*user[^\S\n]+\S+[^\S\n][^\n]{0,200}[>#])(?<pw>\S+)/dgm,
  /[?&](?:sig|auth|api_?key|key|x-(?:amz|goog)-signature)=(?<pw>[^\s&"'<>]+)/dgi,
  /\bjdbc:oracle:thin:[\w.]+\/(?<pw>[^\s@]+)@/dg,
  /\b\w+\/(?<pw>[^\s@/]{1,200})@\/\//dg,
  /[\w.-]:(?<pw>[^\s"'@:]{1,200})@(?:tcp|unix)\(/dg,
  /\bbase64_encode\(\s*["'][^"':\n]{1,100}:(?<pw>[^"'\n]+)/dg,
  /^userPassword:: ?(?<pw>\S+)/dgim,
  /\bchpasswd[^\S\n]*<<<[^\S\n]*["']?[\w.-]+:(?<pw>[^\s"']+)/dg,
  /\bhtpasswd[^\S\n]+-(?=\w*b)(?:(?=\w*n)\w+|\w+[^\S\n]+[^\s-]\S*)[^\S\n]+[^\s-]\S*[^\S\n]+["']?(?<pw>[^\s"']+)/dg,
  /^[^\S\r\n]*(?:r[ow]community6?|com2sec6?[^\S\n]+\S+[^\S\n]+\S+)[^\S\n]+(?<pw>[^\s#]+)/dgm,
  /(?<=\bcreateUser[^\n]{1,200}[^\S\n](?:MD5|SHA(?:-\d+)?|DES|AES(?:-\d+)?)[^\S\n]{1,20})"?(?<pw>(?<=")[^"\n]+|[^\s"]+)/dg,
  /\bsecure_link_md5[^\S\n]+(?:[^\n;]{0,300}?[\s"'])?(?<pw>[^\s"'$;{}]{4,200})(?=["';\s$])/dg,
  /assword[^\n]{0,60}(?:\n[^\S\n]{0,20})?[^\n]{0,20}\bsend[^\S\n]{1,5}(?:-- )?"(?<pw>[^"\\\n]+)(?=\\[rn])/dg,
  /\b(?:api|secret|private|encryption|license) key[^\S\n]{0,20}[=:][^\S\n]{0,20}["']?(?<pw>(?!\w+:\/|[./<$])(?=[^\s"']{0,200}\d)[^\s"',;]{8,200})/dgi,
  /\b(?:echo|printf) (?:-n )?["']?(?:\w+:)?(?<pw>[^\s"'|]{1,200})["']? *\| *(?:base64\b|sudo -S\b|(?:sudo )?(?:chpasswd\b|passwd [^\n|]{0,200}--stdin)|[^\n|]{1,200}--password-stdin)/dg,
] as const;

/** A key and its value in other ways: Erlang's `{default_pass, <<"x">>}`, `variable "password" { default = "x" }`, `$token == 'x1'`, and `$token ~ "^x1$"` of nginx and Apache. */
const pairs = [
  /\{\s*'?(?<key>\w+)'?\s*,\s*(?:<<)?"(?<pw>[^"\n]+)"/dg,
  /\bvariable\s+"(?<key>[\w-]+)"\s*\{[^{}]{0,500}?\bdefault\s*=\s*"(?<pw>[^"\n]+)"/dg,
  /\[E=(?<key>[\w-]+):(?<pw>[^\],%]+)/dg,
  /(?<![\w$.-])(?<key>[\w$.-]+)["']?[\]}]?\s*[!=]==?\s*["'](?<pw>(?=[^"'\n]{0,200}\d)(?=[^"'\n]{0,200}[a-z])[^"'\s]{8,200})["']/dgi,
  /\$(?<key>\w+) *(?:!?~\*?|!=) *["']?\^?(?<pw>(?=[^\s"')]{0,200}\d)[\w@#%&=:;,!<>/-]{6,200})\$?(?=["')\s])/dg,
  /(?:%\{HTTP:|\bSetEnvIf(?:NoCase)?[^\S\n]+)(?<key>[\w-]+)\}?[^\S\n]+["']?!?\^?(?<pw>(?=[^\s"']{0,200}\d)[\w@#%&=:;,<>/-]{6,200})\$?(?=["'\s]|$)/dg,
  /\bvalue["']?\s*[:=]\s*["']?(?<pw>(?<=")[^"\n]*(?=")|(?<=')[^'\n]*(?=')|(?<!["'])[^\s"',}]{1,500})["']?[\s,]*(?:["']?secret["']?\s*[:=]\s*\w+[\s,]+)?["']?(?:name|key)["']?\s*[:=]\s*["']?(?<key>[\w.-]+)/dgi,
  /^([^\S\r\n]*)(?:- +)?name: *["']?(?<key>[\w.-]+)["']?\s+value: *(?:[|>][-+\d]*\s*\n\s*)?(?<pw>[^\s"'[{&!|>][^\n]*(?:\n\1[^\S\n]{3,}\S[^\n]*)*)/dgm,
] as const;

/** Parts of a text in which all values are secrets: of a Secret of Kubernetes, a section `[secrets]`, `user, password = 'a', 'b'`, a JSON Web Key, a map of nginx, the commands of `ftp`, and users of Kafka. */
const parts = [
  [
    /"kind"\s*:\s*"Secret"/,
    /"(?:stringD|d)ata"\s*:\s*\{(?<pw>(?:"(?:[^"\\\n]|\\.)*"|[^"}])*)/dg,
    /:\s*"(?<pw>(?:[^"\\\n]|\\.)+)"/dg,
  ],
  [
    /^/,
    /^[^\S\r\n]*\[(?:[\w-]+\.)*(?:secrets|passwords)(?:\.[\w-]+)*\][^\S\n]*\n(?<pw>(?:(?![^\S\n]*\[)[^\n]*\n?)*)/dgm,
    /=[^\S\n]*["']?(?<pw>[^\s"'][^"'\n]*)/dg,
  ],
  [
    /,/,
    /(?<![\w$.])(?=[\w$.])(?<=^[^\S\r\n]*(?:(?:local|my|let|var|const) )?[([]?(?:[\w$.]+, ?){0,5})(?<key>[\w$.]+)(?:(?<=, ?\k<key>)|(?=,))(?=(?:, ?[\w$.]+){0,5}[)\]]? *:?=(?![=>])(?<pw>[^\n]+))/dgm,
    /(?<quote>["'])(?<pw>(?:(?!\k<quote>)[^\\]|\\.)+)\k<quote>/dg,
  ],
  [/"kty"/, /[^]+/g, /"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"(?<pw>[^"\n]+)"/dg],
  [
    /\bmap\s/,
    /\bmap[^\S\n]+\$(?<key>\w+)[^\S\n]+\$\w+[^\S\n]*\{(?<pw>[^{}]{0,20000})\}/dg,
    /(?:^|;)[^\S\r\n]*(?!(?:default|include|hostnames|volatile)\b)["']?(?:~\*?)?\^?(?:(?:Bearer|Basic) )?(?<pw>[^\s"';\\]{6,200})/dgm,
  ],
  [
    /\bftp\b/,
    /\bftp\b[^\n]{0,200}<<-?[^\S\n]*["']?(?<mark>\w+)["']?\r?\n(?<pw>[^]{0,4000}?)\n[^\S\n]*\k<mark>\b/dg,
    /^[^\S\r\n]*(?:quote[^\S\n]+)?(?:user[^\S\n]+\S+|pass)[^\S\n]+["']?(?<pw>[^\s"']+)/dgim,
  ],
  [/LoginModule\s/, /[^]+/g, /\buser_[\w.-]+[^\S\n]{0,20}=[^\S\n]{0,20}\\?["'](?<pw>[^"'\\\n]+)/dg],
] as const;

/** What comes before a value, in all texts or those of one style: `SetEnv DB_PASSWORD x`, `--token x`, and a name and its value as two settings. */
const starts: Readonly<Record<Style | 'all', readonly RegExp[]>> = {
  all: [
    escapedKey,
    /(?:^|[;{&])[^\S\r\n]*(?:#[^\S\n]*)?(?:RUN[^\S\n]+)?(?:SetEnv|(?:fastc|uws|sc)gi_param|ENV|ARG|Define|env|set(?:[^\S\n]+-\w+)*|setx|aws configure set|npm config set|git config(?: --\w+)*|php_(?:admin_)?value|proxy_set_header|add_header|http-request set-header|(?:Request)?Header[^\S\n]+(?:always[^\S\n]+)?set)[^\S\n]+["'$]?(?<key>[^\s"'=]+)["']?[^\S\n]+(?:\\\r?\n\s*)?/gim,
    /(?<![\w-])--?(?<key>[A-Za-z][\w-]*)(?:[^\S\r\n]+|\r?\n\s*-[^\S\n]+|["'],\s*(?=["']))(?!-)/g,
    /\b(?:name|key)["']?\s*[:=]\s*["']?(?<key>[\w.-]+)(?:\b|(?=(?:type|scope|secret|sensitive|description)["']?\s*[:=]))["']?[\s,]*(?:#[^\n]{0,200}\s+|["']?(?!(?:name|key|value)\b)\w{1,40}["']?\s*[:=][^\S\n]*(?:"[^"\n]{0,100}"|'[^'\n]{0,100}'|(?:[^"'\n,{}:]|:\S){0,100})[\s,]+){0,2}?(?:-\s+)?["']?value["']?\s*[:=]\s*/gi,
    /["']?\b(?:crypt|jwt|encryption)["']?\s*(?:=>|[:=])\s*(?:[[{(]\s*)?["']?key["']?\s*(?:=>|[:=])\s*/gi,
  ],
  properties: [/^[^\S\r\n]*(?<key>[\w.-]+)[^\S\n]+(?![=:\s])/gm],
  program: [/(?:^|[{;(,])[^\S\r\n]*(?<key>[A-Za-z]\w*)[^\S\n]+(?=["'])/gm],
  settings: [
    // In comments, two words are usually a sentence.
    /(?:^|[{;])[^\S\r\n]*(?:#[^\S\n]*(?=sentinel\s|[\w.-]*(?:[_-]|requirepass|(?:auth|pw)(?![\w.-]))))?(?:sentinel[^\S\n]+(?:auth-pass[^\S\n]+\S+|sentinel-pass)|(?<key>[A-Za-z][\w.-]*)):?:?[^\S\n]+(?=(?:"[^"\n]*"|'[^'\n]*'|[^\s=:]+)[^\S\n]*(?:;|$|(?<=\s)#))/gm,
    /\b(?:insecure-)?(?:password|passwd|passphrase)(?<!^\s*#.{0,200})[^\S\n]+(?![^\S\n]|(?:is|are|for|of|to|and|or|was|from|in|that|protected|must|required|requisite|sufficient|include|optional|substack)\b|[=:-])/gim,
  ],
  prose: [],
};

/** What comes before a value in a program: `define('AUTH_KEY', 'x')`, `env('DB_PASSWORD', 'x')`, and `setPassword('x')`. Also a key in JSON. */
const calls = [
  escapedKey,
  /(?<=[\w$] ?)\(\s*(["'])(?<key>[\w.$-]+)\1\s*,\s*/g,
  /\b(?:(?:set|with|add|use)(?=\w)|(?=(?:password|passwd|apiKey)\())(?<key>\w+)\(\s*(?=["'`])/gi,
] as const;

/** Logins whose arguments have no names. The first ones have the secret as their first argument, and so on. */
const logins = [
  /(?:\b(?:password_verify|cookieParser)|(?:->|\b\w+[.:])auth)\s*\(/g,
  /\b(?:oci_connect|jwt\.sign|createHmac|signWith|wpdb|NetworkCredential|UsernamePasswordCredentials|SetBasicAuth|HTTPBasicAuth|smtp\w*\.login)\s*\(/gi,
  /\b(?:PDO|mysqli|mysqli?_connect|real_connect|ftp_login|ldap_bind|getConnection|(?:pymysql|MySQLdb|DBI)(?:\.|->)connect|hash_hmac|openssl_(?:en|de)crypt|curl_setopt(?=\s*\([^)\n]{0,200}CURLOPT_USERPWD))\s*\(/g,
  /\bmysqli_real_connect\s*\(/g,
] as const;

/** Returns what is found by what comes before it in a line, a command, or a call. */
export function secretsByPattern(text: string, style: Style): readonly Range[] {
  return [
    ...[...commands, ...otherCommands, ...pairs].flatMap((expression) => rangesOf(expression, text)),
    ...parts.flatMap(([condition, part, each]) =>
      (condition.test(text) ? rangesOf(part, text) : []).flatMap((range) => rangesWithin(text, range, each)),
    ),
    ...valuesAfter(text, starts.all, false),
    ...valuesAfter(text, starts[style], style === 'properties'),
    ...calls.flatMap((call) =>
      matchesOf(call, text).flatMap((match, count) =>
        literalsFrom(text, endOf(match), match.groups?.['key'] ?? '', reachAfter(count)),
      ),
    ),
    ...logins.flatMap((login, wanted) =>
      matchesOf(login, text).flatMap((match, count) => {
        const start = argumentAt(text, endOf(match), wanted, reachAfter(count));
        return start === undefined ? [] : literalsFrom(text, start, '', reachAfter(count));
      }),
    ),
  ];
}

const endOf = ({ index, 0: { length } }: RegExpExecArray) => index + length;

function valuesAfter(text: string, expressions: readonly RegExp[], isRestOfLine: boolean): readonly Range[] {
  return expressions.flatMap((expression) =>
    matchesOf(expression, text).map((match) => valueFrom(text, endOf(match), isRestOfLine)),
  );
}

function rangesWithin(text: string, [from, to]: Range, expression: RegExp): readonly Range[] {
  return rangesOf(expression, text.slice(from, to)).map(([start, end]) => [from + start, from + end]);
}

/** Returns where an argument of a call begins. */
function argumentAt(text: string, from: number, wanted: number, reach: number): number | undefined {
  const end = Math.min(text.length, from + Math.min(1_000, reach));
  let [depth, passed] = [0, 0];
  for (let at = from; at < end && depth >= 0; at += 1) {
    if (passed === wanted && depth === 0) {
      return at;
    }
    const literal = literalAt(text, at);
    const mark = text[at] ?? '';
    if (literal !== undefined) {
      at = Math.max(at, literal.end - 1);
    } else if (mark === ',' && depth === 0) {
      passed += 1;
    }
    depth += /[([{]/.test(mark) ? 1 : /[)\]}]/.test(mark) ? -1 : 0;
  }
  return undefined;
}

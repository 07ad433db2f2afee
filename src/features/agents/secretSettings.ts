import { inPairs, inXml, inYaml } from './secretDocuments';
import { isHarmless, namesSecret } from './secretNames';
import {
  closing,
  endOfLineAt,
  lineBefore,
  literalsFrom,
  type Range,
  rangesOf,
  valueFrom,
  wellKnown,
} from './secretValues';

interface TextFile {
  readonly text: string;
  /** In a program or in JSON, only literals can be secrets. Elsewhere, also words without quotes. */
  readonly hasLiterals: boolean;
  readonly isYaml: boolean;
  readonly isIni: boolean;
  readonly isProperties: boolean;
  /** Where a line isn't a setting. */
  readonly isProse: boolean;
  /** Where keys are names of packages and scripts. */
  readonly isPackage: boolean;
}

const programs =
  /^(?:php\d?|phtml|inc|jsonc?|json5|js|mjs|cjs|jsx|ts|tsx|vue|svelte|py|rb|erb|java|kt|groovy|gradle|go|cs|rs|pl|pm|lua|scala|toml|tf|tfvars|hcl|sql|vcl)$/;

/** Files that have such words, and no secrets but those that show by themselves. */
const notSettings = /^nsswitch\.conf$|[.-]lock(?:\.\w+)?$|\.(?:s?css|less|svg|xlf)$/;

/** Returns where the values of secrets are in a configuration, in order. What is in one of them may be listed, too. */
export function secretsIn(path: string, text: string): readonly Range[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const plain = name.replace(/(?:\.(?:bak|old|orig|dist|save|sample|example|tmpl|template|backup)|~)+$/, '');
  if (notSettings.test(plain) || /^\/etc\/(?:hosts|services|passwd|pam\.d\/.*)$/.test(path) || isTranslation(path)) {
    return sorted(wellKnown(text));
  }
  const extension = plain.includes('.') ? plain.slice(plain.lastIndexOf('.') + 1) : '';
  const file: TextFile = {
    text,
    hasLiterals: programs.test(extension) || /^\uFEFF?\s*(?:\{|<\?php)/.test(text),
    isYaml: /^(?:ya?ml|neon)$/.test(extension) || (plain === 'config' && isYamlText(text)),
    isProperties: extension === 'properties',
    isIni: /^(?:ini|cfg|conf)$/.test(extension),
    isProse:
      /\/logs?\/|\.log\b/.test(path.toLowerCase()) ||
      /^(?:md|txt|log|rst|html?)$/.test(extension) ||
      plain === 'makefile',
    isPackage: /^(?:package|composer)\.json$/.test(plain),
  };
  if (isOneSecret(plain, text)) {
    return [[0, text.length]];
  }
  return sorted([
    ...wellKnown(text),
    ...passwordFiles.flatMap(([names, line]) => (names.test(plain) ? rangesOf(line, text) : [])),
    ...assigned(file),
    ...inCalls(file),
    ...inDirectives(file),
    ...inPairs(text),
    ...(/^\uFEFF?\s*<(?!\?php|\?=)/.test(text) ? inXml(text) : []),
    ...(file.isYaml ? inYaml(text) : []),
  ]);
}

/** Files of nothing but passwords, and how their lines are. */
const passwordFiles = [
  [/passwd-s3fs|^\.?pgpass|passwd\.client/, /:(?<secret>(?:[^:\s\\]|\\.)+)[^\S\n]*$/dgm],
  [/htpasswd|^passwd$|^users$/, /^[^\s:#]+:(?<secret>[^\s:]{3,})/dgm],
  [/sasl_passwd/, /^\s*\S+[^\S\n]+[^\s:]+:(?<secret>\S+)/dgm],
  [/^userlist\.txt$/, /"[^"\n]{0,200}"[^\S\n]+"(?<secret>[^"\n]+)/dg],
  [/^(?:(?:chap|pap)-)?secrets$/, /^[^\s#]+[^\S\n]+\S+[^\S\n]+["']?(?<secret>[^\s"']+)/dgm],
] as const;

/** Such as a file of Docker that is called `db_password.txt`. */
function isOneSecret(name: string, text: string): boolean {
  const isNamed =
    name === '.erlang.cookie' || (/^\.?[^.]+(?:\.txt)?$/.test(name) && namesSecret(name.replace(/\.txt$/, '')));
  return isNamed && /^\s*[^\s{:][^\s:]{3,500}\s*$/.test(text);
}

function sorted(ranges: readonly Range[]): readonly Range[] {
  return ranges
    .filter(([from, to]) => from < to)
    .sort(([one, oneEnd], [other, otherEnd]) => one - other || otherEnd - oneEnd);
}

function isYamlText(text: string): boolean {
  return /^(?:apiVersion|users|clusters):/m.test(text);
}

function isTranslation(path: string): boolean {
  return /\/(?:lang|locales?|i18n|translations?)\/|\/(?:messages|strings)[\w-]*\.(?:properties|xml|json)$/i.test(path);
}

/** Each word is tried once, as a whole, or a long one would take minutes. */
const keyBefore =
  /(?<![\p{L}\d_.$@/*-])([\d.*-]*)(?=([\p{L}_$@/][\p{L}\d_.$@/*-]*))\2(?:\[([^\][\n]{0,40})\])?(?:\\{0,3}["'`])?\)?\]?[^\S\n]*\\?(?:(?::[^\S\n]*(?:&(?:'\w+ )?|\?)?([A-Za-z][\w<>[\]]{0,30})[^\S\n]*)?(?:=>|(?:[:?+.]|\|\||\?\?)?=(?![=~>])|:=)|:(?![:=]))[^\S\n]*/gu;
/** A word with letters and digits at the end of a line, such as in notes: `password: a1b2c3d4`. */
const random = /["'`]?(?=[^\s"'`]{0,100}\d)(?=[^\s"'`]{0,100}[A-Za-z])[^\s"'`]{8,200}["'`]?[^\S\n]*(?:\r?\n|$)/y;
/** Of keys with many values in them, such as in a line of a megabyte, only what follows soon belongs to one. */
const reachAt = (count: number) => (count > 300 ? 300 : 8_000);

/** `key=value`, `key: value`, `'key' => 'value'`, anywhere in a line, also in comments. */
function assigned(file: TextFile): readonly Range[] {
  const { text, hasLiterals, isIni, isProse, isPackage } = file;
  let count = 0;
  const found: Range[] = [];
  for (const { index: start, 0: all, 1: lead = '', 2: key = '', 3: inner = '', 4: type = '' } of text.matchAll(
    keyBefore,
  )) {
    const [index, whole] = [start + lead.length, all.slice(lead.length)];
    const isOption = text[index - 1] === '-' && /^D[a-z]/.test(key);
    if (![lastPart(key).slice(isOption ? 1 : 0), inner.replaceAll(/["']/g, ''), type].some(namesSecret)) {
      continue;
    }
    const from = index + whole.length;
    const before = lineBefore(text, index, 300);
    const isFirst =
      !isProse &&
      /^[\s\uFEFF]*(?:[#;!/]+\s*)?(?:-\s+)*(?:(?:export|set|setenv|local|readonly|declare(?: -\w+)?)\s+)*["']?$/.test(
        before,
      );
    const quote = /["'`]$/.test(before) && !/["'`]/.test(whole.slice(key.length)) ? (before.at(-1) ?? '') : '';
    random.lastIndex = from;
    const isPair =
      whole.includes('=') || isFirst || /["'`]/.test(whole.slice(key.length)) || /["'{,[(.]\s*$/.test(before);
    const isOther =
      (isPackage && !whole.includes('=') && !/^(?:password|(?:github|bitbucket)-oauth|gitlab-token)$/.test(key)) ||
      (/^(?:OLD)?PWD$/.test(key) && text[from] === '/') ||
      // A function, in JavaScript.
      (hasLiterals && /^[^"'`]*=>/.test(whole) && !before.endsWith(':') && /[\w!(]/.test(text[from] ?? '')) ||
      (text[from] === '?' && before.endsWith('${'));
    if (isOther || (quote !== '' && text[from] === quote) || (!isPair && !random.test(text))) {
      continue;
    }
    count += 1;
    if (quote !== '') {
      found.push(inLiteral(text, from, quote, whole));
      continue;
    }
    if (hasLiterals) {
      const isWord = isQuoted(text, index) || /(?:^|\s)export\s+$/.test(before);
      found.push(...(isWord ? [valueFrom(text, from, false)] : literalsFrom(text, from, key, reachAt(count))));
      continue;
    }
    const [begin, end] = valueFrom(text, from, isFirst);
    // Python's configurations continue a value on lines that are indented more.
    const rest = /(?:\r?\n[^\S\n]+(?![\w.-]+\s*[:=]\s)\S.*)+/y;
    rest.lastIndex = end;
    const continued = isIni && isFirst && before === '' && end === endOfLineAt(text, from) && rest.test(text);
    found.push([begin, continued ? rest.lastIndex : end]);
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

/** A literal that begins with a setting: `putenv('DB_PASSWORD=x y')`, but not `'Password: too short'`. */
function inLiteral(text: string, from: number, quote: string, whole: string): Range {
  const end = closing(text, from, quote);
  const value = text.slice(from, end < 0 ? from : end);
  const isHeader = /[-_]/.test(whole) || /^(?:Bearer|Basic|Digest|Token|Key)\s\S+$/i.test(value);
  const isSentence = !whole.includes('=') && !isHeader && /\s|^[a-z]+[.!]?$/.test(value);
  if (end < 0 || isSentence) {
    return isSentence ? [from, from] : valueFrom(text, from, false);
  }
  const next = value.search(/[;&,\s]\s*[\w. -]+=/);
  return [from, next < 0 ? end : from + next];
}

/** Whether a setting is a part of a literal, such as `connect("host=db password=x")`. */
function isQuoted(text: string, at: number): boolean {
  const before = lineBefore(text, at, 1_000).replaceAll(/\\./g, '');
  const [single, double] = [before.split("'").length, before.split('"').length];
  return (double % 2 === 0 || single % 2 === 0) && !/["']$/.test(before);
}

/** Of `spring.mail.password` all counts, and of `//registry.example/:_authToken` what comes after the address. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

const callWithKey = /(?<=[\w$] ?)\(\s*(["'])([\w.$-]+)\1\s*,\s*/g;
const setter = /\b((?:set|with|add|use)\w*|password|passwd|apiKey)\(\s*(?=["'`])/gi;
const logins: readonly (readonly [RegExp, index: number])[] = [
  [/\b(?:PDO|mysqli|mysqli?_connect|real_connect|ftp_login|ldap_bind|getConnection|curl_setopt)\s*\(/g, 2],
  [/\b(?:pymysql|MySQLdb|DBI)(?:\.|->)connect\s*\(/g, 2],
  [/\b(?:hash_hmac|openssl_encrypt|openssl_decrypt)\s*\(/g, 2],
  [/\bmysqli_real_connect\s*\(/g, 3],
  [
    /\b(?:oci_connect|jwt\.sign|createHmac|signWith|wpdb|NetworkCredential|UsernamePasswordCredentials|SetBasicAuth|HTTPBasicAuth|smtp\w*\.login)\s*\(/gi,
    1,
  ],
  [/\b(?:password_verify|cookieParser)\s*\(/g, 0],
  [/(?:->|\b\w+[.:])auth\s*\(/g, 0],
];

/** `define('AUTH_KEY', 'x')`, `env('DB_PASSWORD', 'x')`, `setPassword('x')`, and logins whose arguments have no names. */
function inCalls({ text }: TextFile): readonly Range[] {
  const found: Range[] = [];
  for (const { index, 0: whole, 2: key = '' } of text.matchAll(callWithKey)) {
    if (namesSecret(key)) {
      found.push(...literalsFrom(text, index + whole.length, key, reachAt(found.length)));
    }
  }
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(setter)) {
    if (namesSecret(name.replace(/^(?:set|with|add|use)/i, ''))) {
      found.push(...literalsFrom(text, index + whole.length, name, reachAt(found.length)));
    }
  }
  for (const [call, wanted] of logins) {
    for (const [count, { index, 0: whole }] of [...text.matchAll(call)].entries()) {
      if (whole.includes('curl_setopt') && !/^[^)\n]*CURLOPT_USERPWD/.test(text.slice(index, index + 200))) {
        continue;
      }
      const part = argumentAt(text, index + whole.length, wanted, reachAt(count));
      if (part !== undefined) {
        found.push(...literalsFrom(text, part, '', reachAt(found.length)));
      }
    }
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

/** Returns where an argument of a call begins. */
function argumentAt(text: string, from: number, wanted: number, reach: number): number | undefined {
  let [depth, passed] = [0, 0];
  for (let at = from; at < Math.min(text.length, from + Math.min(1_000, reach)) && depth >= 0; at += 1) {
    if (passed === wanted && depth === 0) {
      return at;
    }
    const mark = text[at] ?? '';
    if (/["'`]/.test(mark)) {
      const end = closing(text, at + 1, mark);
      at = end < 0 ? text.length : end;
    }
    depth += /[([{]/.test(mark) ? 1 : /[)\]}]/.test(mark) ? -1 : 0;
    passed += mark === ',' && depth === 0 ? 1 : 0;
  }
  return undefined;
}

const named =
  /(?:^|[;{&])[^\S\r\n]*(?:#[^\S\n]*)?(?:RUN[^\S\n]+)?(?:SetEnv|fastcgi_param|uwsgi_param|scgi_param|ENV|ARG|Define|env|set(?:[^\S\n]+-\w+)*|setx|aws configure set|npm config set|git config(?: --\w+)*|php_(?:admin_)?value|proxy_set_header|add_header|http-request set-header|(?:Request)?Header[^\S\n]+(?:always[^\S\n]+)?set)[^\S\n]+\$?([^\s"'=]+)[^\S\n]+/gim;
const flags = /(?<![\w-])--?([A-Za-z][\w-]*)(?:[^\S\r\n]+|\r?\n\s*-[^\S\n]+|["'],\s*(?=["']))(?!-)/g;
const spoken =
  /\b(?:insecure-)?(?:password|passwd|passphrase)[^\S\n]+(?![^\S\n]|(?:is|are|for|of|to|and|or|was|from|in|that|protected|must|required|requisite|sufficient|include|optional|substack)\b|[=:-])/gi;
/** What is before a secret in a command line. A space stands for any number, and … for other arguments. */
const commands = [
  'sshpass -p',
  '(?:mysql|mariadb)(?:-?[a-z]+)?…-p(?=["\']?[^\\s"\',\\]])',
  '(?:curl|wget|http)…(?:-u|--user|-a) ["\']?[^\\s:"\']+:',
  '(?:(?:docker|podman|helm registry|az) login|mongo[a-z]*|user(?:add|mod))…-p',
  'redis-cli…-a',
  'ldap[a-z]+…-w',
  'smb[a-z]+…-U ["\']?[^\\s%"\']+%',
  'lftp…-u ["\']?[^\\s,"\']+,',
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
  const value = String.raw`(?:["'],)?[^\S\n]*["']?(?<secret>(?<=")[^"\n]+|(?<=')[^'\n]+|[^\s"',\]]+)`;
  return new RegExp(String.raw`\b${start}${value}`, 'dg');
});
const otherCommands = [
  /["']-p(?<secret>[^\s"',\]]{6,})["']/dg,
  /(?<=^[^\S\r\n]*user[^\S\n]+\S+[^\S\n][^\n]{0,200}[>#])(?<secret>\S+)/dgm,
  /[?&](?:sig|auth|api_?key|key)=(?<secret>[^\s&"'<>]+)/dgi,
  /\bjdbc:oracle:thin:[\w.]+\/(?<secret>[^\s@]+)@/dg,
  /\b\w+\/(?<secret>[^\s@/]{1,200})@\/\//dg,
  /[\w.-]:(?<secret>[^\s"'@:]{1,200})@(?:tcp|unix)\(/dg,
  /\bbase64_encode\(\s*["'][^"':\n]{1,100}:(?<secret>[^"'\n]+)/dg,
  /^userPassword:: ?(?<secret>\S+)/dgim,
  /\b(?:echo|printf) (?:-n )?["']?(?:\w+:)?(?<secret>[^\s"'|]{1,200})["']? *\| *(?:base64\b|sudo -S\b|(?:sudo )?chpasswd\b|[^\n|]{1,200}--password-stdin)/dg,
] as const;

/** `SetEnv DB_PASSWORD x`, `requirepass x`, `--token x`, and command lines. */
function inDirectives({ text, hasLiterals, isProperties, isProse }: TextFile): readonly Range[] {
  const found: Range[] = [...commands, ...otherCommands].flatMap((command) => rangesOf(command, text));
  for (const { index, 0: whole, 1: key = '' } of text.matchAll(named)) {
    if (namesSecret(lastPart(key))) {
      found.push(valueFrom(text, index + whole.length, false));
    }
  }
  for (const { index, 0: whole, 1: key = '' } of text.matchAll(flags)) {
    if (namesSecret(key)) {
      found.push(valueFrom(text, index + whole.length, false));
    }
  }
  if (isProperties) {
    for (const { index, 0: whole, 1: key = '' } of text.matchAll(/^[^\S\r\n]*([\w.-]+)[^\S\n]+(?![=:\s])/gm)) {
      if (namesSecret(key)) {
        found.push(valueFrom(text, index + whole.length, true));
      }
    }
  } else if (!hasLiterals && !isProse) {
    const directive =
      /(?:^|[{;])[^\S\r\n]*(#[^\S\n]*)?(?:sentinel[^\S\n]+auth-pass[^\S\n]+\S+|([A-Za-z][\w.-]*)):?:?[^\S\n]+(?=(?:"[^"\n]*"|'[^'\n]*'|[^\s=:]+)(?:[^\S\n]*;|[^\S\n]*$))/gm;
    for (const { index, 0: whole, 1: comment, 2: key } of text.matchAll(directive)) {
      // In comments, two words are usually a sentence.
      if (
        key === undefined ||
        (namesSecret(key) && (comment === undefined || /[_-]|requirepass|auth$|pw$/.test(key)))
      ) {
        found.push(valueFrom(text, index + whole.length, false));
      }
    }
    for (const { index, 0: whole } of text.matchAll(spoken)) {
      if (!/^\s*#/.test(lineBefore(text, index, 200))) {
        found.push(valueFrom(text, index + whole.length, false));
      }
    }
  } else if (hasLiterals) {
    for (const { index, 0: whole, 1: key = '' } of text.matchAll(
      /(?:^|[{;(,])[^\S\r\n]*([A-Za-z]\w*)[^\S\n]+(?=["'])/gm,
    )) {
      if (namesSecret(key)) {
        found.push(valueFrom(text, index + whole.length, false));
      }
    }
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

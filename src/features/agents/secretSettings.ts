import { inPairs, inXml, inYaml } from './secretDocuments';
import { isHarmless, namesSecret } from './secretNames';
import { closing, endOfLineAt, literalsFrom, type Range, valueFrom } from './secretValues';

interface TextFile {
  readonly text: string;
  /** In a program or in JSON, only literals can be secrets. Elsewhere, also words without quotes. */
  readonly hasLiterals: boolean;
  readonly isYaml: boolean;
  readonly isIni: boolean;
  readonly isProperties: boolean;
  /** Where a line isn't a setting. */
  readonly isProse: boolean;
}

const programs =
  /^(?:php\d?|phtml|inc|jsonc?|json5|js|mjs|cjs|jsx|ts|tsx|vue|svelte|py|rb|erb|java|kt|groovy|gradle|go|cs|rs|pl|pm|lua|scala|toml|tf|tfvars|hcl|sql|vcl)$/;

/** Files that have such words, and no secrets but those that show by themselves. */
const notSettings = /^(?:package\.json|composer\.json|nsswitch\.conf)$|[.-]lock(?:\.\w+)?$/;

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
  };
  const isPasswords = /htpasswd|passwd-s3fs|^\.?pgpass|passwd\.client|sasl_passwd/.test(plain);
  const users = plain === 'userlist.txt' ? [...text.matchAll(/(?<="[^"\n]*"[^\S\n]+")[^"\n]+/g)].map(rangeOf) : [];
  return sorted([
    ...wellKnown(text),
    ...(isPasswords ? [...text.matchAll(/(?<=:)(?:[^:\s\\]|\\.)+(?=\s*$|:comment$)/gm)].map(rangeOf) : []),
    ...users,
    ...assigned(file),
    ...inCalls(file),
    ...inDirectives(file),
    ...inPairs(text),
    ...(/^\uFEFF?\s*<(?!\?php|\?=)/.test(text) ? inXml(text) : []),
    ...(file.isYaml ? inYaml(text) : []),
  ]);
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

function rangeOf({ index, 0: { length } }: RegExpExecArray): Range {
  return [index, index + length];
}

const shapes = [
  /(?<=-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----(?:BEGIN|END) )[^])+/g,
  /\b(?:sk|rk)[-_](?:(?:live|test)_)?[\w-]{8,}/g,
  /\bSG\.[\w-]{8,}(?:\.[\w-]+)?/g,
  /\b(?:gh[pousr]_|glpat-|xox[abprs]-)[\w-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /\$(?:2[aby]|apr1|[156])\$[./\w$]{6,}/g,
  /(?<=\b(?:Bearer|Basic)[^\S\n]+)(?=[\w.~+/=-]*[A-Z\d=])[\w.~+/=-]{6,}/g,
  /(?<=\bIDENTIFIED\s+(?:WITH\s+\w+\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?['"])[^'"\n]+/gi,
  /(?<=\bPASSWORD\s+(?:FOR[^=;\n]{0,80}=\s*)?['"])[^'"\n]+(?=['"];?)/g,
  /(?<=\bhooks\.slack\.com\/services\/)[\w/]+/g,
] as const;

/** What is a secret whatever its key is called. */
function wellKnown(text: string): readonly Range[] {
  return shapes.flatMap((shape) => [...text.matchAll(shape)].map(rangeOf));
}

const keyBefore =
  /(?<![\p{L}\d_])([\p{L}_$@/][\p{L}\d_.$@/*-]*?)(?:\[([^\][\n]{0,40})\])?(?:\\?["'`])?\)?\]?[^\S\n]*(?:(?::[^\S\n]*([A-Za-z][\w<>[\]]{0,30})[^\S\n]*)?(?:=>|[:?+]?=(?![=~>])|:=)|:(?![:=]))[^\S\n]*/gu;

/** `key=value`, `key: value`, `'key' => 'value'`, anywhere in a line, also in comments. */
function assigned(file: TextFile): readonly Range[] {
  const { text, hasLiterals, isIni, isProse } = file;
  const found: Range[] = [];
  for (const { index, 0: whole, 1: key = '', 2: inner = '', 3: type = '' } of text.matchAll(keyBefore)) {
    const isOption = text[index - 1] === '-' && /^D[a-z]/.test(key);
    if (![lastPart(key).slice(isOption ? 1 : 0), inner.replaceAll(/["']/g, ''), type].some(namesSecret)) {
      continue;
    }
    const from = index + whole.length;
    const before = text.slice(Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 300), index);
    const isFirst =
      !isProse &&
      /^[\s\uFEFF]*(?:[#;!/]+\s*)?(?:-\s+)?(?:(?:export|set|setenv|local|readonly|declare(?: -\w+)?)\s+)*["']?$/.test(
        before,
      );
    const isPair = whole.includes('=') || isFirst || /["'{,[(.]\s*$/.test(before);
    const isEmptyQuote = /["']$/.test(before) && text[from] === before.at(-1) && !/["']/.test(whole.slice(key.length));
    if (!isPair || isEmptyQuote) {
      continue;
    }
    if (hasLiterals) {
      found.push(...(isQuoted(text, index) ? [valueFrom(text, from, false)] : literalsFrom(text, from, key)));
      continue;
    }
    const [start, end] = valueFrom(text, from, isFirst);
    // Python's configurations continue a value on lines that are indented more.
    const rest = /(?:\r?\n[^\S\n]+(?![\w.-]+\s*[:=]\s)\S.*)+/y;
    rest.lastIndex = end;
    const continued = isIni && isFirst && before === '' && end === endOfLineAt(text, from) && rest.test(text);
    found.push([start, continued ? rest.lastIndex : end]);
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

/** Whether a setting is a part of a literal, such as `connect("host=db password=x")`. */
function isQuoted(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 1_000), at).replaceAll(/\\./g, '');
  const [single, double] = [before.split("'").length, before.split('"').length];
  return (double % 2 === 0 || single % 2 === 0) && !/["']$/.test(before);
}

/** Of `spring.mail.password` all counts, and of `//registry.example/:_authToken` what comes after the address. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

const callWithKey = /([\w$]+)\(\s*(["'])([\w.$-]+)\2\s*,\s*/g;
const setter = /\b((?:set|with|add|use)\w*)\(\s*(?=["'`])/gi;
const logins: readonly (readonly [RegExp, index: number])[] = [
  [/\b(?:PDO|mysqli|mysqli?_connect|real_connect|ftp_login|ldap_bind|getConnection|curl_setopt)\s*\(/g, 2],
  [/\b(?:oci_connect|jwt\.sign)\s*\(/g, 1],
  [/(?:->|\b\w+[.:])auth\s*\(/g, 0],
];

/** `define('AUTH_KEY', 'x')`, `env('DB_PASSWORD', 'x')`, `setPassword('x')`, and logins whose arguments have no names. */
function inCalls({ text }: TextFile): readonly Range[] {
  const found: Range[] = [];
  for (const { index, 0: whole, 3: key = '' } of text.matchAll(callWithKey)) {
    if (namesSecret(key)) {
      found.push(...literalsFrom(text, index + whole.length, key));
    }
  }
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(setter)) {
    if (namesSecret(name.replace(/^(?:set|with|add|use)/i, ''))) {
      found.push(...literalsFrom(text, index + whole.length, name));
    }
  }
  for (const [call, wanted] of logins) {
    for (const { index, 0: whole } of text.matchAll(call)) {
      if (whole.includes('curl_setopt') && !/^[^)\n]*CURLOPT_USERPWD/.test(text.slice(index, index + 200))) {
        continue;
      }
      const part = argumentAt(text, index + whole.length, wanted);
      if (part !== undefined) {
        found.push(...literalsFrom(text, part, ''));
      }
    }
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

/** Returns where an argument of a call begins. */
function argumentAt(text: string, from: number, wanted: number): number | undefined {
  let [depth, passed] = [0, 0];
  for (let at = from; at < Math.min(text.length, from + 1_000) && depth >= 0; at += 1) {
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
  /^[^\S\n]*(?:#[^\S\n]*)?(?:SetEnv|fastcgi_param|uwsgi_param|scgi_param|ENV|ARG|env|set|php_(?:admin_)?value|proxy_set_header|add_header|(?:Request)?Header[^\S\n]+(?:always[^\S\n]+)?set)[^\S\n]+\$?([\w.-]+)[^\S\n]+/gim;
const flags = /(?<![\w-])--([A-Za-z][\w-]*)(?:[^\S\n]+|\r?\n\s*-[^\S\n]+|["'],\s*(?=["']))(?!-)/g;
const spoken =
  /\b(?:insecure-)?(?:password|passwd|passphrase)[^\S\n]+(?!(?:is|are|for|of|to|and|or|was|from|in|must|required|requisite|sufficient|include|optional|substack)\b|[=:-])/gi;
const commands = [
  /(?<=\bsshpass[^\S\n]+-p[^\S\n]*)["']?[^\s"']+/g,
  /(?<=\bmysql(?:dump|admin)?\b[^\n|;]{0,200}\s["']?-p)(?![\s,\]]|["'][\s,\]])['"]?[^\s"',\]]+/g,
  /(?<=["']-p)[^\s"',\]]{6,}(?=["'])/g,
  /(?<=\bcurl\b[^\n|;]{0,200}\s(?:-u|--user)[^\S\n]+["']?[^\s:"']+:)[^\s"']+/g,
  /(?<=\bdocker[^\S\n]+login\b[^\n|;]{0,200}\s-p[^\S\n]+)\S+/g,
  /(?<=\bredis-cli\b[^\n|;]{0,200}\s-a[^\S\n]+)\S+/g,
  /(?<=^user[^\S\n]+\S+[^\S\n][^\n]{0,200}[>#])\S+/gm,
  /(?<=\bstats[^\S\n]+auth[^\S\n]+[^\s:]+:)\S+/g,
  /(?<=\bSQLConnectInfo[^\S\n]+\S+[^\S\n]+\S+[^\S\n]+)\S+/g,
  /(?<=[?&](?:sig|auth|api_?key|key)=)[^\s&"'<>]+/gi,
  /(?<=\bjdbc:oracle:thin:[\w.]+\/)[^\s@]+(?=@)/g,
] as const;

/** `SetEnv DB_PASSWORD x`, `requirepass x`, `--token x`, and command lines. */
function inDirectives({ text, hasLiterals, isProperties, isProse }: TextFile): readonly Range[] {
  const found: Range[] = commands.flatMap((command) => [...text.matchAll(command)].map(rangeOf));
  for (const { index, 0: whole, 1: key = '' } of text.matchAll(named)) {
    if (namesSecret(key)) {
      found.push(valueFrom(text, index + whole.length, false));
    }
  }
  for (const { index, 0: whole, 1: key = '' } of text.matchAll(flags)) {
    if (namesSecret(key)) {
      found.push(valueFrom(text, index + whole.length, false));
    }
  }
  if (isProperties) {
    for (const { index, 0: whole, 1: key = '' } of text.matchAll(/^[^\S\n]*([\w.-]+)[^\S\n]+(?![=:\s])/gm)) {
      if (namesSecret(key)) {
        found.push(valueFrom(text, index + whole.length, true));
      }
    }
  } else if (!hasLiterals && !isProse) {
    const directive =
      /^[^\S\n]*(?:sentinel[^\S\n]+auth-pass[^\S\n]+\S+|([A-Za-z][\w.-]*))[^\S\n]+(?=(?:"[^"\n]*"|'[^'\n]*'|[^\s=:]+)[^\S\n]*;?[^\S\n]*$)/gm;
    for (const { index, 0: whole, 1: key } of text.matchAll(directive)) {
      if (key === undefined || namesSecret(key)) {
        found.push(valueFrom(text, index + whole.length, false));
      }
    }
    for (const { index, 0: whole } of text.matchAll(spoken)) {
      found.push(valueFrom(text, index + whole.length, false));
    }
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

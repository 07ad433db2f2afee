import { secretsInXml, secretsInYaml } from './secretDocuments';
import { isHarmless, namesSecret } from './secretNames';
import { rangesOf, reachAfter, secretsByPattern, secretsByShape, type Style } from './secretPatterns';
import { closing, endOfLineAt, lineBefore, literalsFrom, type Range, textAt, valueFrom } from './secretValues';

interface TextFile {
  readonly text: string;
  readonly style: Style;
  readonly isYaml: boolean;
  readonly isIni: boolean;
  /** Where a line isn't a setting. */
  readonly isProse: boolean;
  /** Where keys are names of packages and scripts. */
  readonly isPackage: boolean;
}

const programs =
  /^(?:php\d?|phtml|inc|jsonc?|json5|js|mjs|cjs|jsx|ts|tsx|vue|svelte|py|rb|erb|java|kt|groovy|gradle|go|cs|rs|pl|pm|lua|scala|toml|tf|tfvars|hcl|sql|vcl)$/;

/** Files that have such words, and no secrets but those that show by themselves. */
const notSettings = /^nsswitch\.conf$|^importmap\.rb$|[.-]lock(?:\.\w+)?$|\.(?:s?css|less|svg|xlf)$/;

/** Returns where the values of secrets are in a configuration. They may overlap. */
export function secretsIn(path: string, text: string): readonly Range[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const plain = name.replace(/(?:\.(?:bak|old|orig|dist|save|sample|example|tmpl|template|backup)|~)+$/, '');
  if (
    notSettings.test(plain) ||
    /^\/etc\/(?:hosts|services|passwd|apt\/preferences(?:\.d\/.*)?)$/.test(path) ||
    isTranslation(path, name)
  ) {
    return secretsByShape(text);
  }
  if (path.startsWith('/etc/pam.d/')) {
    // `password` is a kind of module there, and only what a module is given can be a secret.
    return [...secretsByShape(text), ...rangesOf(moduleArgument, text)];
  }
  if (isOneSecret(plain, text)) {
    return [[0, text.length]];
  }
  const file = textFile(path, plain, text);
  return [
    ...secretsByShape(text),
    ...passwordFiles.flatMap(([names, line]) => (names.test(plain) ? rangesOf(line, text) : [])),
    ...secretsByPattern(text, file.style),
    ...assigned(file),
    ...(/^\uFEFF?\s*<(?!\?php|\?=)/.test(text) ? secretsInXml(text) : []),
    ...(file.isYaml ? secretsInYaml(text) : []),
  ].filter((range) => !isHarmless(text, range, path));
}

function textFile(path: string, name: string, text: string): TextFile {
  const [extension = ''] = /(?<=\.)[^.]*$/.exec(name) ?? [];
  const isProgram = programs.test(extension) || /^\uFEFF?\s*(?:\{|<\?php)/.test(text);
  const isProse =
    /\/logs?\/|\.log\b/.test(path.toLowerCase()) || /^(?:md|txt|log|rst|html?)$/.test(extension) || name === 'makefile';
  const others = isProse ? 'prose' : 'settings';
  return {
    text,
    style: isProgram ? 'program' : extension === 'properties' ? 'properties' : others,
    isYaml: /^(?:ya?ml|neon)$/.test(extension) || (name === 'config' && /^(?:apiVersion|users|clusters):/m.test(text)),
    isIni: /^(?:ini|cfg|conf)$/.test(extension),
    isProse,
    isPackage: /^(?:package|composer)\.json$/.test(name),
  };
}

/** `passwd=x`, or in brackets with spaces: `[passwd=x y]`. */
const moduleArgument = /(?<![\w-])(?<key>[\w-]+)=(?<pw>(?<=\[\k<key>=)(?:\\\]|[^\]\n])+|\S+)/dg;

/** Files with passwords that no name tells, and how their lines are. */
const passwordFiles = [
  [
    /passwd-s3fs|^\.?pgpass|passwd\.client/,
    /^(?![^\S\r\n]*#[^\r\n]*:\s)(?:[^\r\n\\]|\\.)*:(?<pw>(?:[^:\r\n\\]|\\.)+)$/dgm,
  ],
  [/htpasswd|^passwd$|^users$|^rsyncd?\.secrets$/, /^\uFEFF?[^\s:#]+:(?<pw>[^\s:]{3,})/dgm],
  [/(?:sasl|relay|smtp)_?passw/, /^\s*\S+[^\S\n]+[^\s:]+:(?<pw>\S+)/dgm],
  [/^userlist\.txt$/, /"[^"\n]{0,200}"[^\S\n]+"(?<pw>[^"\n]+)/dg],
  [/^(?:(?:chap|pap)-)?secrets$/, /^\uFEFF?[^\s#]+[^\S\n]+\S+[^\S\n]+["']?(?<pw>[^\s"']+)/dgm],
  [
    /^(?:\w+-)?users\.properties$|realm\.properties$/,
    /^[^\S\r\n]*[^\s#!=:.]+[^\S\r\n]*[=:][^\S\r\n]*(?<pw>[^\s,]+)/dgm,
  ],
  [
    /^[._]curlrc$|^turnserver\.conf$/,
    /^[^\S\r\n]*(?:(?:--)?(?:proxy-)?user|-[uU])[^\S\r\n]{0,20}[=:]?[^\S\r\n]{0,20}["']?[^\s:"'=]+:(?<pw>[^\s"']+)/dgm,
  ],
  [/^\.?monitrc$|^monit\.conf$/, /^[^\S\r\n]*allow[^\S\r\n]+["']?[A-Za-z][\w.-]*["']?:["']?(?<pw>[^\s"':]{3,})/dgm],
  [/^rclone\.conf$/, /^[^\S\r\n]*key[^\S\r\n]*=[^\S\r\n]*(?<pw>\S+)/dgm],
] as const;

/** Such as a file of Docker that is called `db_password.txt`. */
function isOneSecret(name: string, text: string): boolean {
  const isNamed =
    name === '.erlang.cookie' ||
    (/^\.?[^.]+(?:\.(?:txt|password|passwd|secret|token))?$/.test(name) && namesSecret(name.replace(/\.txt$/, '')));
  return isNamed && /^\s*[^\s{:][^\s:]{3,500}\s*$/.test(text);
}

/** In a folder that is called like one of translations, settings are still settings. */
function isTranslation(path: string, name: string): boolean {
  const isText = /^\w.*\.(?:php|json|ya?ml|po|properties|xml|[cm]?js|ts|rb)$/.test(name);
  const isSettings =
    /config|settings?|secret|credential|database|parameters|env|application|compose|^(?:server|local)\.xml$|^auth\.json$/.test(
      name,
    );
  return /\/(?:lang|locales?|i18n|translations?)\//i.test(path)
    ? isText && !isSettings
    : /^(?:messages|strings)[\w-]*\.(?:properties|xml|json)$/.test(name);
}

/** Each word is tried once, as a whole, or a long one would take minutes. */
const keyBefore =
  /(?<![\p{L}\d_.$@/*-])[\d.*-]*(?:(?<=-)D(?=[a-z]))?(?=(?<key>[\p{L}_$@/][\p{L}\d_.$@/*-]*))\k<key>(?:\[(?<inner>[^\][\n]{0,40})\])?(?:\\{0,3}["'`])?\)?\]?[^\S\n]*\\?(?:\r?\n[^\S\n]*(?==|:[^\S\n]*["']))?(?:(?::[^\S\n]*(?:&(?:'\w+ )?|\?)?(?<type>[A-Za-z][\w<>[\]]{0,30}\??)[^\S\n]*)?(?:=>|(?:[:?+.]|\|\||\?\?)?=(?:(?![=~>])|(?<=^\uFEFF?(?:export\s+)?[\w.-]{1,99}=)(?=[=~][^\s=~]))|:=)|:(?![:=]))[^\S\n]*/gmu;
/** A word with letters and digits at the end of a line, such as in notes: `password: a1b2c3d4`. */
const random = /["'`]?(?=[^\s"'`]{0,100}\d)(?=[^\s"'`]{0,100}[A-Za-z])[^\s"'`]{8,200}["'`]?[^\S\n]*(?:\r?\n|$)/y;

/** A key and where its value begins, with what is before and between them, and the quote that both share: `'PASSWORD=x'`. */
interface Setting {
  readonly key: string;
  readonly before: string;
  readonly sign: string;
  readonly from: number;
  readonly quote: string;
  readonly isFirst: boolean;
}

const first =
  /^[\s\uFEFF]*(?:[#;!/]+\s*)?(?:-\s+)*(?:(?:export|set|setenv|local|readonly|declare(?: -\w+)?)\s+)*:?["']?$/;

/** `key=value`, `key: value`, `'key' => 'value'`, anywhere in a line, also in comments. */
function assigned(file: TextFile): readonly Range[] {
  const { text } = file;
  return [...text.matchAll(keyBefore)]
    .filter(({ groups: { key, inner, type } = {} }) =>
      [key?.slice(key.lastIndexOf('/') + 1) ?? '', inner?.replaceAll(/["']/g, '') ?? '', type ?? ''].some(namesSecret),
    )
    .map(({ index, 0: whole, groups }): Setting => {
      const key = groups?.['key'] ?? '';
      const start = index + whole.indexOf(key);
      const before = lineBefore(text, start, 1_000);
      const sign = whole.slice(start - index + key.length);
      const [quote = ''] = /["'`]/.test(sign) ? [] : (/["'`]$/.exec(before) ?? []);
      return { key, before, sign, from: index + whole.length, isFirst: !file.isProse && first.test(before), quote };
    })
    .filter((setting) => isSetting(file, setting))
    .flatMap((setting, count) => {
      const values = valuesOf(file, setting, reachAfter(count + 1));
      return [...values, ...secretsInComment(file, values.at(-1)?.[1] ?? setting.from)];
    });
}

const comment = /["'`)\]},;]{0,4}[^\S\n]{1,100}(?:#|\/\/|--\s)[^\n]{1,1000}/y;
const iniComment = /["']?[^\S\n]{1,100}[#;][^\n]{1,1000}/y;

/** What may have been the value before: `"x" # was a1b2c3d4`. Not an address, or the name of an issue. */
function secretsInComment({ text, isIni }: TextFile, from: number): readonly Range[] {
  const words =
    /(?<![^\s"'`(=])(?!\w+:\/|[A-Z]+-\d+\b)(?=[^\s"'`]{0,200}\d)(?=[^\s"'`]{0,200}[A-Za-z])[^\s"'`=(),;]{8,200}/g;
  return rangesOf(words, textAt(isIni ? iniComment : comment, text, from)).map(([start, end]) => [
    from + start,
    from + end,
  ]);
}

/** Whether it isn't a part of a sentence. */
function isSetting(file: TextFile, setting: Setting): boolean {
  const { before, sign, from, isFirst, quote } = setting;
  const isPair = /[="'`]/.test(sign) || isFirst || /["'{,[(.]\s*$/.test(before);
  const isEmpty = quote !== '' && file.text[from] === quote;
  return !isEmpty && !isOther(file, setting) && (isPair || textAt(random, file.text, from) !== '');
}

/** Whether it's something else that looks like a setting. */
function isOther({ text, style, isPackage }: TextFile, { key, before, sign, from }: Setting): boolean {
  const next = text.charAt(from);
  const isName =
    isPackage &&
    !sign.includes('=') &&
    !/^(?:password|(?:github|gitlab|bitbucket)-oauth|gitlab-token|bearer)$/.test(key);
  const isFolder = next === '/' && /^(?:OLD)?PWD$/.test(key);
  const isFunction = style === 'program' && /^[^"'`]*=>/.test(sign) && !before.endsWith(':') && /[\w!(]/.test(next);
  const isCheck = next === '?' && before.endsWith('${');
  return isName || isFolder || isFunction || isCheck;
}

function valuesOf(file: TextFile, setting: Setting, reach: number): readonly Range[] {
  const { key, before, from, quote } = setting;
  if (quote !== '') {
    return [inLiteral(file.text, setting)];
  }
  if (file.style !== 'program') {
    const lines = setting.isFirst ? textAt(shellLines, file.text, from) : '';
    return [[from, from + lines.length], plainValue(file, setting)];
  }
  return isQuoted(before) || /(?:^|\s)export\s+$/.test(before)
    ? [valueFrom(file.text, from, false)]
    : literalsFrom(file.text, from, key, reach);
}

function plainValue({ text, style, isIni }: TextFile, { before, sign, from, isFirst }: Setting): Range {
  const [start, end] = valueFrom(text, from, isFirst);
  // What would be a type in a program is a part of the value: `password: a1b2=`.
  const type = style === 'prose' ? null : /(?<=:[^\S\n]*)[A-Za-z][^=]*=[^\S\n]*$/.exec(sign);
  // Python's configurations continue a value on lines that are indented more.
  const isContinued = isIni && isFirst && before === '' && end === endOfLineAt(text, from);
  return [type === null ? start : from - type[0].length, isContinued ? end + textAt(indented, text, end).length : end];
}

/** A list of several lines in a shell, and `$(cat <<EOF`. */
const shellLines =
  /\((?=[^()\n]{0,1000}\n)[^()]{0,8000}(?=\))|"?\$\(cat <<-?\s*["']?(\w+)["']?[^\n]*\n[^]{0,8000}?(?=\n\s*\1\b)/y;
const indented = /(?:\r?\n[^\S\n]+(?![\w.-]+\s*[:=]\s)\S.*)+/y;

/** A literal that begins with a setting: `putenv('DB_PASSWORD=x y')`, but not `'Password: too short'`. */
function inLiteral(text: string, { key, sign, from, quote }: Setting): Range {
  const end = closing(text, from, quote);
  const value = text.slice(from, end < 0 ? from : end);
  const isHeader = /[-_]/.test(key + sign) || /^(?:Bearer|Basic|Digest|Token|Key)\s\S+$/i.test(value);
  if (!sign.includes('=') && !isHeader && /\s|^[a-z]+[.!]?$/.test(value)) {
    return [from, from];
  }
  const next = value.search(/[;&,\s]\s*[\w. -]+=/);
  return end < 0 ? valueFrom(text, from, false) : [from, next < 0 ? end : from + next];
}

/** Whether a setting is a part of a literal, such as `connect("host=db password=x")`. */
function isQuoted(lineBefore: string): boolean {
  const before = lineBefore.replaceAll(/\\./g, '');
  const [single, double] = [before.split("'").length, before.split('"').length];
  return (double % 2 === 0 || single % 2 === 0) && !/["']$/.test(before);
}

import { isHarmless, namesSecret } from './secretNames';
import { isPartOfSecret, type Range, rangesOf, valueFrom } from './secretValues';

const keyBelow = /["']?\b(?:crypt|jwt|encryption)["']?\s*(?:=>|[:=])\s*(?:[[{(]\s*)?["']?key["']?\s*(?:=>|[:=])\s*/gi;
const nameFirst =
  /\b(?:name|key)["']?\s*[:=]\s*["']?([\w.-]+)["']?[\s,]*(?:#[^\n]{0,200}\s+|["']?(?:type|scope|secret|sensitive|description)["']?\s*[:=]\s*["']?[^"'\n,{}]{0,100}["']?[\s,]+)?(?:-\s+)?["']?value["']?\s*[:=]\s*/gi;
const valueFirst =
  /\bvalue["']?\s*[:=]\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"',}]{1,500}))[\s,]*(?:["']?secret["']?\s*[:=]\s*\w+[\s,]+)?["']?(?:name|key)["']?\s*[:=]\s*["']?([\w.-]+)/gi;

/** A key and its value in other ways: Erlang's `{default_pass, <<"x">>}`, `variable "password" { default = "x" }`, and `$token == 'x1'`. */
const keyed = [
  /\{\s*'?(?<key>\w+)'?\s*,\s*(?:<<)?"(?<secret>[^"\n]+)"/dg,
  /\bvariable\s+"(?<key>[\w-]+)"\s*\{[^{}]{0,500}?\bdefault\s*=\s*"(?<secret>[^"\n]+)"/dg,
  /\[E=(?<key>[\w-]+):(?<secret>[^\],%]+)/dg,
  /(?<![\w$.-])(?<key>[\w$.-]+)["']?\]?\s*[!=]==?\s*["'](?<secret>(?=[^"'\n]{0,200}\d)(?=[^"'\n]{0,200}[a-z])[^"'\s]{8,200})["']/dgi,
] as const;

/** In an ini or TOML file, what is below `[secrets]`. */
const section = /^[^\S\r\n]*\[(?:[\w-]+\.)*(?:secrets|passwords)\][^\S\n]*\n((?:(?![^\S\n]*\[)[^\n]*\n?)*)/dgm;

function rangesWithin(text: string, [from, to]: Range, expression: RegExp): readonly Range[] {
  return rangesOf(expression, text.slice(from, to)).map(([start, end]) => [from + start, from + end]);
}

/** A name and its value as two settings: `- name: DB_PASSWORD`, `value: x`. */
export function inPairs(text: string): readonly Range[] {
  const found: Range[] = [];
  for (const { index, 0: whole, 1: key = '' } of text.matchAll(nameFirst)) {
    if (namesSecret(key)) {
      found.push(valueFrom(text, index + whole.length, false));
    }
  }
  for (const expression of keyed) {
    found.push(...rangesOf(expression, text, ({ groups }) => namesSecret(groups?.['key'] ?? '')));
  }
  if (/"kind"\s*:\s*"Secret"/.test(text)) {
    for (const { index, 0: whole } of text.matchAll(/"(?:stringD|d)ata"\s*:\s*(?=\{)/g)) {
      found.push(...rangesWithin(text, [index + whole.length, text.indexOf('}', index)], /:\s*"(?<secret>[^"\n]+)"/dg));
    }
  }
  for (const { indices } of text.matchAll(section)) {
    const body = indices?.[1] ?? [0, 0];
    found.push(...rangesWithin(text, body, /=[^\S\n]*["']?(?<secret>[^\s"'][^"'\n]*)/dg));
  }
  if (text.includes('"kty"')) {
    found.push(...rangesOf(/"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"(?<secret>[^"\n]+)"/dg, text));
  }
  for (const { index, 0: whole } of text.matchAll(keyBelow)) {
    found.push(valueFrom(text, index + whole.length, false));
  }
  for (const { index, 0: whole, 1: double, 2: single, 3: plain = '', 4: key = '' } of text.matchAll(valueFirst)) {
    const value = double ?? single ?? plain;
    if (namesSecret(key)) {
      const from = index + whole.indexOf(value, /[:=]/.exec(whole)?.index);
      found.push([from, from + value.length]);
    }
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

const yamlKey =
  /^\uFEFF?([ \t]*(?:#+ *)?(?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s"'#{}[\],][^"'{},]*?)) *:(?= |\t|\r?$)[ \t]*/;

/** What is below a key of a secret: its text, or keys of its own. */
export function inYaml(text: string): readonly Range[] {
  const found: Range[] = [];
  /** The column of the key whose lines below belong to its value; `isNested` if they may be other keys. */
  let within:
    { readonly column: number; readonly isNested: boolean; readonly kind: 'all' | 'some' | 'names' } | undefined;
  const areSecret = text.split(/^---/m).map((part) => /^[ -]*kind: *["']?Secret\b/m.test(part));
  let document = 0;
  let next = 0;
  for (const line of text.split('\n')) {
    const at = next;
    next += line.length + 1;
    const indent = line.search(/\S|$/);
    const [head = '', lead = '', double, single, plain] = yamlKey.exec(line.slice(0, 300)) ?? [];
    const key = double ?? single ?? plain ?? '';
    const value = line
      .slice(head.length)
      .replace(/^(?:[!&]\S+ +)+/, '')
      .trim();
    document += line.startsWith('---') ? 1 : 0;
    const isRemark = within !== undefined && indent <= within.column && line.trim().startsWith('#');
    if (within !== undefined && line.trim() !== '' && !isRemark) {
      const isItem = /^\s*-(?: |$)/.test(line);
      if (indent > within.column || (within.isNested && isItem && indent === within.column)) {
        const [item = ''] = /^\s*(?:- +)*/.exec(line) ?? [];
        const isOther =
          within.isNested &&
          key !== '' &&
          (!isPartOfSecret(key) ||
            /^(?:type|file|external|key|optional|secretName|defaultMode|items|path)$/i.test(key));
        const isName = within.kind === 'names' && key === '';
        if (within.kind === 'all' || !(isOther || isName)) {
          const from = at + (within.isNested && key !== '' ? head.length : item.length);
          found.push(within.isNested && key !== '' ? valueFrom(text, from, true) : [from, at + line.length]);
        }
        continue;
      }
      within = undefined;
    }
    const isData = areSecret[document] === true && /^(?:stringData|data)$/.test(key);
    if (key !== '' && (isData || namesSecret(key))) {
      const isText = /^[|>][-+\d]*\s*(?:#.*)?$/.test(value);
      const isBelow = value === '' || value.startsWith('#');
      if (isText || isBelow || !/^["'[{]/.test(value)) {
        // In compose files, a list of secrets has their names.
        const kind = isData ? 'all' : key === 'secrets' ? 'names' : 'some';
        // The keys below `auth` say for themselves whether their values are secret.
        within =
          isBelow && /auth(?:orization)?$/i.test(key) ? undefined : { column: lead.length, isNested: isBelow, kind };
      }
      const [, bracket = ''] = (isData ? /^([[{])/ : /^(\[)/).exec(value) ?? [];
      if (bracket !== '' && key !== 'secrets') {
        const end = line.lastIndexOf(bracket === '[' ? ']' : '}');
        found.push([at + line.indexOf(bracket, head.length) + 1, at + (end < head.length ? line.length : end)]);
        within = end < head.length ? { column: lead.length, isNested: false, kind: 'all' } : undefined;
      } else if (key.includes(' ') && !lead.includes('#') && !isBelow && !isText) {
        found.push(valueFrom(text, at + head.length, true));
      }
    }
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

const xmlTag = /<(\/?)([\w:.-]{1,100})((?:\s+[\w:.-]{1,100}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g;
const xmlAttribute = /([\w:.-]+)(\s*=\s*["'])([^"']*)/g;

/** Also elements in comments, which may be values that were used before. */
export function inXml(text: string): readonly Range[] {
  const found: Range[] = [];
  const open: { readonly name: string; readonly isSecret: boolean }[] = [];
  let end = 0;
  let namesNext = false;
  for (const { index, 0: tag, 1: slash, 2: name = '', 3: attributes = '', 4: isEmpty } of text.matchAll(xmlTag)) {
    const content = text.slice(end, index);
    const [, cdata = ''] = /^(\s*<!\[CDATA\[)/.exec(content) ?? [];
    if (open.at(-1)?.isSecret === true) {
      found.push([end + cdata.length, cdata === '' ? index : end + content.lastIndexOf(']]>')]);
    }
    end = index + tag.length;
    if (slash === '/') {
      namesNext =
        /name|key/i.test(name) &&
        namesSecret(content.trim()) &&
        /^\s*<[\w:.-]*(?:value|string)/i.test(text.slice(end, end + 80));
      while (open.length > 0 && open.pop()?.name !== name);
      continue;
    }
    const given = [...attributes.matchAll(xmlAttribute)];
    const isNamed =
      namesSecret(name) ||
      given.some(([, one = '', , value = '']) => /^(?:name|key)$/i.test(one) && namesSecret(value));
    for (const { index: at, 0: whole, 1: one = '', 3: value = '' } of given) {
      if (namesSecret(one) || /pass$/i.test(one) || (isNamed && /^(?:value|content|default|clear-text)$/i.test(one))) {
        const stop = index + 1 + name.length + at + whole.length;
        found.push([stop - value.length, stop]);
      }
    }
    if (isEmpty !== '/' && !/^(?:input|meta|link|br|hr|img)$/i.test(name)) {
      const isCrypt = name === 'key' && open.at(-1)?.name === 'crypt';
      open.push({
        name,
        isSecret: open.at(-1)?.isSecret === true || isNamed || isCrypt || namesNext || namesSecret(name),
      });
      namesNext = false;
    }
  }
  if (open.at(-1)?.isSecret === true) {
    found.push([end, text.length]);
  }
  return found.filter(([from, to]) => !isHarmless(text.slice(from, to)));
}

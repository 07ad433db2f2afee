import { isPartOfSecret, namesSecret } from './secretNames';
import { type Range, textAt, valueFrom } from './secretValues';

/** A line with its place in the text, and its key, after `lead`. Its value begins at `from`, and has no tags and anchors. */
interface YamlLine {
  readonly line: string;
  readonly at: number;
  readonly lead: string;
  readonly key: string;
  readonly from: number;
  readonly value: string;
}

/** The key of a secret whose value is below it. If it's nested, these may be other keys, or items, which may be just names. */
interface YamlKey {
  readonly lead: string;
  readonly isNested: boolean;
  readonly holds: 'all' | 'secrets' | 'names';
}

const yamlKey =
  /^\uFEFF?([ \t]*(?:#+ *)?(?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s"'#{}[\],][^"'{},]*?)) *:(?= |\t|\r?$)[ \t]*/;
const isComment = (line: string) => /^\s*#/.test(line);

/** Finds secrets on the lines below their key: a block of text, or nested keys. A value on the key's own line is a setting. */
export function secretsInYaml(text: string): readonly Range[] {
  const found: Range[] = [];
  const areSecret = text.split(/^---/m).map((part) => /^[\uFEFF -]*kind: *["']?Secret\b/m.test(part));
  let above: YamlKey | undefined;
  let asked = '';
  let [document, next] = [0, 0];
  for (const line of text.split('\n')) {
    const read = yamlLine(line, next, asked);
    asked = askedKey(line) ?? (isComment(line) ? asked : '');
    next += line.length + 1;
    document += line.startsWith('---') ? 1 : 0;
    if (above !== undefined && isBelow(line, above)) {
      found.push(...secretsBelow(text, read, above));
      continue;
    }
    const isData = areSecret[document] === true && /^(?:stringData|data)$/.test(read.key);
    const [beside, below] = isData || namesSecret(read.key) ? secretsBeside(text, read, isData) : [[]];
    found.push(...beside);
    above = keyAbove(line, above, below);
  }
  return found;
}

/** Empty lines and comments may be within a value. */
function keyAbove(line: string, above: YamlKey | undefined, below: YamlKey | undefined): YamlKey | undefined {
  const still = line.trim() === '' || isComment(line) ? above : undefined;
  return still?.isNested === true ? still : (below ?? still);
}

/** A key whose value is in the next line: `? password`. The space shows that it isn't a setting of one line. */
function askedKey(line: string): string | undefined {
  const [, key] = /^\s*(?:- +)*\? +["']?([^\s"':{}[\]][^"':{}[\]\n]{0,100}?)["']?\s*(?:#[^]*)?$/.exec(line) ?? [];
  return key === undefined ? undefined : `${key} `;
}

function yamlLine(line: string, at: number, asked: string): YamlLine {
  const answer = asked === '' ? null : /^([ \t]*): +/.exec(line);
  const [head = '', lead = '', ...keys] = answer ? [...answer, asked] : (yamlKey.exec(line.slice(0, 300)) ?? []);
  const value = line.slice(head.length).replace(/^(?:[!&]\S+ +)+/, '');
  return { line, at, lead, key: keys.find(Boolean) ?? '', from: at + head.length, value: value.trim() };
}

function isBelow(line: string, { lead, isNested }: YamlKey): boolean {
  const indent = line.search(isComment(line) && isComment(lead) ? /[^\s#]|$/ : /\S|$/);
  const isItem = isNested && indent === lead.length && /^\s*-(?:\s|$)/.test(line);
  return line.trim() !== '' && (indent > lead.length || isItem);
}

function secretsBelow(text: string, { line, at, key, from }: YamlLine, above: YamlKey): readonly Range[] {
  if (above.isNested && key !== '') {
    return above.holds !== 'all' && isOther(key) ? [] : [valueFrom(text, from, true)];
  }
  const [start = ''] = /^\s*(?:#+ *)?(?:- +)*/.exec(line) ?? [];
  return above.holds === 'names' && key === '' ? [] : [[at + start.length, at + line.length]];
}

function isOther(key: string): boolean {
  return !isPartOfSecret(key) || /^(?:type|file|external|key|optional|secretName|defaultMode|items|path)$/i.test(key);
}

/** `{ value: x, description: y }` */
function secretsInObject(text: string, from: number): readonly Range[] {
  return [...textAt(/\{[^{}]{0,2000}/y, text, from).matchAll(/([\w.-]{1,100})["']?\s*:\s+/g)]
    .filter(([, key = '']) => !isOther(key))
    .map(({ index, 0: { length } }) => valueFrom(text, from + index + length, false));
}

/** Returns what is secret after a key in its line, and the key if lines below are. */
function secretsBeside(
  text: string,
  read: YamlLine,
  isData: boolean,
): readonly [readonly Range[], (YamlKey | undefined)?] {
  const { lead, key, from, value } = read;
  if (key !== 'secrets' && (isData ? /^[[{]/ : /^\[/).test(value)) {
    return secretsInList(text, read);
  }
  const isNested = /^(?:#|$)/.test(value);
  // The keys below `auth` say for themselves whether their values are secret.
  if (/auth(?:orization)?$/i.test(key) && /^(?:$|[#{])/.test(value)) {
    return [[]];
  }
  const others = key === 'secrets' ? 'names' : 'secrets';
  const below: YamlKey = { lead, isNested, holds: isData ? 'all' : others };
  // A setting has no spaces in its key.
  const isHere = key.includes(' ') && !isComment(lead) && !/^(?:$|[#{]|[|>][-+\d]*\s*(?:#.*)?$)/.test(value);
  return [
    isHere ? [valueFrom(text, from, true)] : secretsInObject(text, from),
    /^["'[{]/.test(value) ? undefined : below,
  ];
}

/** A list, or the object with the data of a Secret. */
function secretsInList(
  text: string,
  { line, at, lead, from, value }: YamlLine,
): readonly [readonly Range[], (YamlKey | undefined)?] {
  const start = text.indexOf(value.charAt(0), from) + 1;
  const end = at + line.lastIndexOf(value.startsWith('[') ? ']' : '}');
  return end < from ? [[[start, at + line.length]], { lead, isNested: false, holds: 'all' }] : [[[start, end]]];
}

interface XmlElement {
  readonly name: string;
  readonly isSecret: boolean;
}

/** A tag with the attributes that are given. Its element is open if an end tag follows. */
interface XmlTag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly isOpen: boolean;
  readonly given: readonly { readonly name: string; readonly range: Range; readonly value: string }[];
  readonly range: Range;
}

/** Finds contents and attributes of elements, also in comments, which may be values that were used before. */
export function secretsInXml(text: string): readonly Range[] {
  const found: Range[] = [];
  const open: XmlElement[] = [];
  const isSecret = () => open.at(-1)?.isSecret === true;
  let end = 0;
  /** From where the next element is the value of a secret, after one that is its name. */
  let nextValue = Infinity;
  for (const tag of xmlTags(text)) {
    const [from, to] = tag.range;
    if (isSecret()) {
      found.push(xmlContent(text, end, from));
    }
    if (tag.isEnd) {
      nextValue = Math.min(nextValue, to + valueAfter(tag, text.slice(end, from), text.slice(to, to + 500)));
      close(open, tag.name);
    } else {
      found.push(...secretAttributes(tag));
    }
    if (tag.isOpen) {
      open.push({ name: tag.name, isSecret: isSecret() || from >= nextValue || isNamed(tag, open.at(-1)?.name) });
      nextValue = from >= nextValue ? Infinity : nextValue;
    }
    found.push(...unparsedAt(text, to, open.at(-1)));
    end = to;
  }
  return isSecret() ? [...found, [end, text.length]] : found;
}

/** What looks like a tag isn't one there. */
function unparsedAt(text: string, from: number, element?: XmlElement): readonly Range[] {
  const unparsed = element?.isSecret === true ? textAt(/\s*<!\[CDATA\[[^]{0,8000}?\]\]>/y, text, from) : '';
  return [xmlContent(text, from, from + unparsed.length)];
}

/** What closes nothing is a part of a text. */
function close(open: XmlElement[], name: string): void {
  const at = open.findLastIndex((one) => one.name === name);
  open.splice(at < 0 ? open.length : at);
}

function xmlTags(text: string): readonly XmlTag[] {
  const tags = /<(\/?)([\w:.-]{1,100})((?:\s+[\w:.-]{1,100}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g;
  return [...text.matchAll(tags)].map(({ index, 0: tag, 1: slash, 2: name = '', 3: attributes = '', 4: empty }) => ({
    name,
    isEnd: slash === '/',
    isOpen: slash === '' && empty === '' && !/^(?:input|meta|link|br|hr|img)$/i.test(name),
    given: xmlAttributes(attributes, index + 1 + name.length),
    range: [index, index + tag.length],
  }));
}

function xmlAttributes(attributes: string, at: number): XmlTag['given'] {
  return [...attributes.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*["']([^"']*)/g)].map(
    ({ index, 0: whole, 1: name = '', 2: value = '' }) => {
      const end = at + index + whole.length;
      return { name, range: [end - value.length, end], value };
    },
  );
}

function xmlContent(text: string, from: number, to: number): Range {
  const [, start = '', end = ''] = /^(\s*<!\[CDATA\[)?[^]*?(\]\]>\s*)?$/.exec(text.slice(from, to)) ?? [];
  return [from + start.length, to - end.length];
}

const besideValue =
  /^\s*(?:(?:<!--[^]*?-->|<((?![\w:.-]*(?:name|key))[\w:.-]+)>[^<]*<\/\1>)\s*){0,3}?(?=<[\w:.-]*(?:value|string))/i;

/** `<param-name>password</param-name> <param-value>`, perhaps with a description between them. */
function valueAfter({ name }: XmlTag, content: string, after: string): number {
  const isName = /name|key/i.test(name) && namesSecret(content.trim());
  return isName ? (besideValue.exec(after)?.[0].length ?? Infinity) : Infinity;
}

function isNamed({ name, given }: XmlTag, parent?: string): boolean {
  const named = given.filter((one) => /^(?:name|key)$/i.test(one.name)).map(({ value }) => value);
  const isKnown = /^(?:crypt key|settingsSecurity master)$/.test(`${parent ?? ''} ${name}`);
  return isKnown || [name, ...named].some(namesSecret);
}

function secretAttributes(tag: XmlTag): readonly Range[] {
  const values = isNamed(tag) ? /pass$|^(?:value|val|content|default|clear-text)$/i : /pass$/i;
  return tag.given.filter(({ name }) => namesSecret(name) || values.test(name)).map(({ range }) => range);
}

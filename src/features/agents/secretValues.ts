/** A part of a text, as offsets. */
export type Range = readonly [start: number, end: number];

/** The most characters of one value, so that an unclosed quote doesn't hide the rest of a file. */
const longest = 8_000;
/** Looking for the end of a line of megabytes takes too long for each of its values. */
const longestLine = 100_000;

/**
 * Returns where the group `secret` of an expression is. What is before it is matched forwards, because a lookbehind of any
 * length is tried at each character, which takes minutes in a long line.
 */
export function rangesOf(
  expression: RegExp,
  text: string,
  isMeant: (match: RegExpExecArray) => boolean = () => true,
): readonly Range[] {
  return [...text.matchAll(expression)].flatMap((match) => {
    const [from, to] = match.indices?.groups?.['secret'] ?? [0, 0];
    return isMeant(match) ? [[from, to] as const] : [];
  });
}

/** Returns what is before a place in its line, at most so many characters. */
export function lineBefore(text: string, at: number, most: number): string {
  const part = text.slice(Math.max(0, at - most), at);
  return part.slice(part.lastIndexOf('\n') + 1);
}

/** Returns where a value is that begins here: in its quotes, or a word, or the rest of the line. */
export function valueFrom(text: string, at: number, isRestOfLine: boolean): Range {
  const [prefix = ''] = /^(?:[!&][\w/!]*[^\S\n]+)+/.exec(text.slice(at, at + 100)) ?? [];
  const from = at + prefix.length;
  const endOfLine = isRestOfLine
    ? endOfLineAt(text, from)
    : from + endOfLineAt(text.slice(from, from + longestLine), 0);
  const [mark] = /^(?:"""|'''|\\{0,3}["'`])/.exec(text.slice(from, from + 4)) ?? [];
  if (mark !== undefined) {
    const end = closing(text, from + mark.length, mark);
    const rest = end < 0 ? 'x' : text.slice(end + mark.length, end + mark.length + 1);
    // A shell would append what follows at once.
    return end >= 0 && (!isRestOfLine || !/^[^\s,;)}\]#]/.test(rest))
      ? [from + mark.length, end]
      : [from, end < 0 ? endOfLine : endOfLineAt(text, end)];
  }
  if (/^[[{]/.test(text.slice(from, from + 1))) {
    return [from, from];
  }
  if (!isRestOfLine) {
    const [word = ''] =
      /^(?:\$\{\{[^}\n]*\}\}|\$\{[^}\n]*\}|\$\([^)\n]*\)|[^\s,;&)}\]"'<>|`])+/.exec(
        text.slice(from, Math.min(endOfLine, from + longest)),
      ) ?? [];
    return [from, from + word.length];
  }
  let end = endOfLine;
  while (
    /(?<!\\)(?:\\\\)*\\\r?$/.test(text.slice(Math.max(from, end - 20), end)) &&
    end < Math.min(text.length, from + longest)
  ) {
    end = endOfLineAt(text, end + 1);
  }
  // In an object of one line, the next key isn't part of it.
  const flow = /^[^{}]*\{[^}]*$/.test(lineBefore(text, from, 1_000));
  return flow ? valueFrom(text, from, false) : [from, end];
}

export function endOfLineAt(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Returns where a quoted text ends, or -1. */
export function closing(text: string, from: number, mark: string): number {
  const most = Math.min(text.length, from + longest);
  for (let at = from; at < most; at += 1) {
    if (text.startsWith(mark, at)) {
      return at;
    }
    at += text[at] === '\\' ? 1 : 0;
  }
  return -1;
}

const words = /[^\s\d<"'`%()[\]{}\\,;]{1,200}/y;
const readsSetting = /(?:env|getenv|environ|config|constant|param|parameter|get|fetch)\w*$/i;

/** Returns the literals of a value in a program: also of what is appended, and of a list, but not names of settings. */
export function literalsFrom(text: string, start: number, key: string, reach: number): readonly Range[] {
  const found: Range[] = [];
  const opened: { readonly mark: string; readonly isNames: boolean }[] = [];
  const most = Math.min(text.length, start + reach);
  const isOwn = /(?:(?<!o)auth|credentials?)$/i.test(key);
  let before = '';
  if (/^\/[^/*\s]/.test(text.slice(start, start + 2))) {
    return found;
  }
  for (let at = start; at < most; at += 1) {
    words.lastIndex = at;
    const [word = ''] = words.exec(text) ?? [];
    if (word !== '') {
      before = `${before}${word}`.slice(-20);
      at += word.length - 1;
      continue;
    }
    const mark = text[at] ?? '';
    const isSpace = /\s/.test(mark);
    if (mark === '<' && text.startsWith('<<', at)) {
      const [, opening = '', end = ''] = /^(<<[<~-]?['"]?(\w+)['"]?\r?\n)/.exec(text.slice(at, at + 80)) ?? [];
      const close = new RegExp(`\\n[^\\S\\n]*${end}\\b`, 'g');
      close.lastIndex = at + opening.length - 1;
      const { index = most } = close.exec(text) ?? {};
      return opening === '' ? found : [...found, [at + opening.length, Math.min(index, most)]];
    }
    const quote = /^(?:"""|'''|\\["']|["'`])/.exec(text.slice(at, at + 3))?.[0];
    const brace = mark === '%' ? /^%q([({])/.exec(text.slice(at, at + 3))?.[1] : undefined;
    if (brace !== undefined) {
      return [...found, [at + 3, Math.max(at + 3, closing(text, at + 3, brace === '(' ? ')' : '}'))]];
    }
    if (quote !== undefined) {
      const end = closing(text, at + quote.length, quote);
      if (end < 0) {
        return [...found, [at + quote.length, endOfLineAt(text, at)]];
      }
      // What seems to go on in the next line is mostly an apostrophe in a comment or in a regular expression.
      const isRemark = quote !== '`' || /(?:^|\s)(?:\/\/|[#*])/.test(lineBefore(text, at, 300));
      if (before !== '' && quote.length === 1 && isRemark && text.slice(at, end).includes('\n')) {
        before = quote;
        continue;
      }
      const isKey = /^\s*(?:=>|:)/.test(text.slice(end + quote.length, end + quote.length + 40)) && opened.length > 0;
      const isPaired = opened.some(({ mark: bracket }) => bracket !== '(') && /[:=>]$/.test(before);
      const pair = isPaired
        ? /([\w.-]+)["']?\s*(?:=>|:)\s*$/.exec(text.slice(Math.max(0, at - 60), at))?.[1]
        : undefined;
      const isAnother = pair !== undefined && (isOwn ? pair !== 'value' : !isPartOfSecret(pair));
      if (!isKey && !isAnother && opened.at(-1)?.isNames !== true) {
        found.push([at + quote.length, end]);
      }
      at = end + quote.length - 1;
      before = quote;
    } else if (/[([{]/.test(mark)) {
      const word = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, at - 40), at))?.[1] ?? '';
      const isNames =
        mark === '[' ? /\w$/.test(before) : mark === '(' && (readsSetting.test(word) || word === 'require');
      opened.push({ mark, isNames });
      before = mark;
    } else if (/[)\]}]/.test(mark)) {
      if (opened.pop() === undefined) {
        return found;
      }
      before = mark;
    } else if (
      opened.length === 0 &&
      (/[,;]/.test(mark) || (mark === '\n' && !/[=(.+|?:,>&]$/.test(before) && before !== ''))
    ) {
      return found;
    } else if (mark === ',' && opened.at(-1)?.isNames === true) {
      opened.splice(-1, 1, { mark: '(', isNames: false });
      before = mark;
    } else if (/\d/.test(mark) && opened.length === 0 && !/[\w$]$/.test(before)) {
      const [number = ''] = /^\d[\w.]*/.exec(text.slice(at, at + 100)) ?? [];
      found.push([at, at + number.length]);
      at += number.length - 1;
      before = number;
    } else if (!isSpace) {
      before = `${before.slice(-20)}${mark}`;
    }
  }
  return found;
}

/** Whether what is below a secret's name is one, too: `"API_KEY": {"description": "…", "value": "…"}`. */
export function isPartOfSecret(key: string): boolean {
  return !/^(?:description|title|label|name|driver|provider|region|host|user|username|version|resolved|integrity|required|generator)$/i.test(
    key,
  );
}

const shapes = [
  /(?<=-----BEGIN (?:[A-Z ]*PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----)(?:(?!-----(?:BEGIN|END) )[^])+/g,
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
  /(?<=\bPASSWORD\s+(?:FOR[^=;\n]{0,80}=\s*)?['"])[^'"\n]+(?=['"];?)/g,
  /(?<=\bhooks\.slack\.com\/services\/)[\w/]+/g,
  /(?<=\b(?:discord|discordapp)\.com\/api\/webhooks\/)[\w/-]+/g,
  /(?<=\btemporary password is generated for \S{1,100}: )\S+/g,
  /(?<=^Private-Lines: \d+\r?\n)(?:(?!Private-MAC)[^])+/gm,
] as const;
const schemes =
  /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|(?<=[Aa]uthorization["']?\s?[:,]\s?["']?)token)[^\S\n]+(?<secret>(?=[\w.~+/=-]{0,200}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{6,})/dg;

/** What is a secret whatever its key is called. */
export function wellKnown(text: string): readonly Range[] {
  // The end of a log may begin within a key.
  const end = text.search(/-----END [A-Z ]*PRIVATE KEY/);
  const isCut = end >= 0 && !text.slice(0, end).includes('-----BEGIN');
  return [
    ...shapes.flatMap((shape) =>
      [...text.matchAll(shape)].map(({ index, 0: { length } }) => [index, index + length] as const),
    ),
    ...rangesOf(schemes, text),
    ...(isCut ? [[0, end] as const] : []),
  ];
}

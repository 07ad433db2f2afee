/** A part of a text, as offsets. */
export type Range = readonly [start: number, end: number];

/** The most characters of one value, so that an unclosed quote doesn't hide the rest of a file. */
const longest = 8_000;

/** Returns where a value is that begins here: in its quotes, or a word, or the rest of the line. */
export function valueFrom(text: string, at: number, isRestOfLine: boolean): Range {
  const [prefix = ''] = /^(?:[!&][\w/!]*[^\S\n]+)+/.exec(text.slice(at, at + 100)) ?? [];
  const from = at + prefix.length;
  const endOfLine = endOfLineAt(text, from);
  const [mark] = /^(?:"""|'''|\\?["'`])/.exec(text.slice(from, from + 3)) ?? [];
  if (mark !== undefined) {
    const end = closing(text, from + mark.length, mark);
    const rest = end < 0 ? 'x' : text.slice(end + mark.length, endOfLineAt(text, end));
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
      /^(?:\$\{[^}\n]*\}|[^\s,;&)}\]"'<>|`])+/.exec(text.slice(from, Math.min(endOfLine, from + longest))) ?? [];
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
  const flow = /^[^{}\n]*\{[^}\n]*$/.test(text.slice(text.lastIndexOf('\n', from - 1) + 1, from));
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

const readsSetting = /(?:env|getenv|environ|config|constant|param|parameter|get|fetch)\w*$/i;

/** Returns the literals of a value in a program: also of what is appended, and of a list, but not names of settings. */
export function literalsFrom(text: string, start: number, key: string): readonly Range[] {
  const found: Range[] = [];
  const opened: { readonly mark: string; readonly isNames: boolean }[] = [];
  const most = Math.min(text.length, start + longest);
  const isOwn = /(?:auth|credentials?)$/i.test(key);
  let before = '';
  for (let at = start; at < most; at += 1) {
    const mark = text[at] ?? '';
    const isSpace = /\s/.test(mark);
    if (mark === '<' && text.startsWith('<<<', at)) {
      const [, opening = '', end = ''] = /^(<<<['"]?(\w+)['"]?\r?\n)/.exec(text.slice(at, at + 80)) ?? [];
      const close = new RegExp(`\\n[^\\S\\n]*${end}\\b`, 'g');
      close.lastIndex = at + opening.length - 1;
      const { index = most } = close.exec(text) ?? {};
      return opening === '' ? found : [...found, [at + opening.length, Math.min(index, most)]];
    }
    const quote = /^(?:"""|'''|\\["']|["'`])/.exec(text.slice(at, at + 3))?.[0];
    if (text.startsWith('%q(', at)) {
      return [...found, [at + 3, Math.max(at + 3, closing(text, at + 3, ')'))]];
    }
    if (quote !== undefined) {
      const end = closing(text, at + quote.length, quote);
      if (end < 0) {
        return [...found, [at + quote.length, endOfLineAt(text, at)]];
      }
      const isKey = /^\s*(?:=>|:)/.test(text.slice(end + quote.length, end + quote.length + 40)) && opened.length > 0;
      const isPaired = opened.some(({ mark: bracket }) => bracket !== '(') && /[:=>]$/.test(before);
      const pair = isPaired
        ? /([\w.-]+)["']?\s*(?:=>|:)\s*$/.exec(text.slice(Math.max(0, at - 60), at))?.[1]
        : undefined;
      const isAnother = pair !== undefined && (isOwn || !isPartOfSecret(pair));
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

/** A part of a text, as offsets. */
type Range = readonly [start: number, end: number];

/** Returns where the values of secrets are in a configuration, in order. What is in one of them may be listed, too. */
export function secretsIn(path: string, text: string): readonly Range[] {
  return [...settingsIn(path, text), ...privateKeys(text)].sort(([one], [other]) => one - other);
}

function settingsIn(path: string, text: string): readonly Range[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (['yaml', 'yml'].includes(extension)) {
    return inYaml(text);
  }
  if (['xml', 'config', 'csproj', 'plist', 'xhtml', 'html', 'htm'].includes(extension)) {
    return inXml(text);
  }
  if (['php', 'phtml', 'inc'].includes(extension) || /\.php\b/.test(name)) {
    return inCode(text, text.includes('<?'));
  }
  if (/^(?:json|jsonc|json5|js|mjs|cjs|ts|py|rb|toml|groovy|gradle|lua|tf|tfvars|hcl|neon)$/.test(extension)) {
    return inCode(text);
  }
  if (name === '.pgpass' || name === '.htpasswd') {
    return [...text.matchAll(/(?<=^[^#\n].*:)[^:\r\n]+$/gm)].map(rangeOf);
  }
  return inLines(text, extension === 'properties');
}

function rangeOf({ index, 0: { length } }: RegExpExecArray): Range {
  return [index, index + length];
}

function privateKeys(text: string): readonly Range[] {
  const blocks = text.matchAll(/(?<=-----BEGIN [A-Z ]*PRIVATE KEY-----)[^]*?(?=-----END |$(?![^]))/g);
  return [...blocks].map(rangeOf);
}

const secretWords =
  /^(?:passwords?|passwd|passwort|pwd|pass|passphrase|passcode|secrets?|tokens?|credentials?|salt|pepper|requirepass|masterauth|apikeys?|authtoken|accesstoken|secretkey|apisecret|privatekey|userpass|rootpass|dbpass|dbpassword)$/;
/** Words before `key` in names of keys that aren't meant to be known. `ssl_certificate_key` is a path. */
const keyWords =
  /^(?:api|app|application|private|access|secret|auth|encryption|encrypt|crypt|cipher|signing|sign|signature|master|service|account|in|nonce|hmac|jwt|session|cookie|storage|shared|license|deploy|webhook|client|consumer|host|aes|rsa|ssh|security|stripe|aws|azure|admin|user|server|write|read|hash)$/;
/** `TOKEN_LIFETIME` and `password_file` say something about a secret, and `AWS_ACCESS_KEY_ID` isn't one. */
const harmlessEnds =
  /^(?:length|len|size|min|max|minlength|maxlength|lifetime|ttl|expires?|expiry|expiration|timeout|seconds|minutes|hours|days|ur[li]s?|endpoint|paths?|files?|filename|dir|directory|folder|names?|fields?|headers?|types?|formats?|algorithm|algo|cost|rounds|iterations|policy|enabled?|disabled?|required|allowed|reset|confirmation|count|limit|ids?|issuer|audience|provider|encoder|driver|prompt|hint|users?|username|ports?|tables?|columns?|class|method|mode|store|manager|service|handler|rotation|validation|strength|column|location|label|placeholder|version)$/;

/** Whether a key's value is a secret, judged by the words of the key. */
export function namesSecret(key: string): boolean {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  if (harmlessEnds.test(last)) {
    return false;
  }
  const isKey = words.some((word, index) => /^keys?$/.test(word) && keyWords.test(words[index - 1] ?? ''));
  return isKey || /^auth(?:orization)?$/.test(last) || words.some((word) => secretWords.test(word));
}

/** What a program replaces, and words that aren't secrets. */
const harmless =
  /^(?:|true|false|yes|no|on|off|null|nil|none|undefined|~|\$\{\w+\}|\$\w+|\$\(\w+\)|%\w+%|%env\([\w:]+\)%|\{\{[^{}]*\}\})$/i;

export function isHarmless(value: string): boolean {
  return harmless.test(value.trim());
}

/** Returns where a value is that begins here: in its quotes, or up to the end of the line. It may have several lines. */
function valueAt(text: string, from: number): Range {
  const endOfLine = endOfLineAt(text, from);
  const quote = /"""|'''|["'`]/y;
  quote.lastIndex = from;
  const [mark] = quote.exec(text) ?? [];
  if (mark !== undefined) {
    const end = closingQuote(text, from + mark.length, mark);
    const rest = end < 0 ? '' : text.slice(end + mark.length, endOfLineAt(text, end));
    if (end >= 0 && /^[^\S\n]*[,;)}\]]*[^\S\n]*(?:(?:#|;|\/\/).*)?$/.test(rest)) {
      return [from + mark.length, end];
    }
    return [from, end > endOfLine ? endOfLineAt(text, end) : endOfLine];
  }
  let end = endOfLine;
  while (/(?<!\\)(?:\\\\)*\\\r?$/.test(text.slice(from, end)) && end < text.length) {
    end = endOfLineAt(text, end + 1);
  }
  return [from, end];
}

function closingQuote(text: string, from: number, mark: string): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    const [slashes = ''] = /\\*$/.exec(text.slice(from, at)) ?? [];
    if (slashes.length % 2 === 0) {
      return at;
    }
  }
  return -1;
}

function endOfLineAt(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

interface Line {
  readonly at: number;
  readonly text: string;
  readonly indent: number;
}

function linesOf(text: string): readonly Line[] {
  let next = 0;
  return text.split('\n').map((line) => {
    const at = next;
    next += line.length + 1;
    return { at, text: line, indent: line.search(/\S|$/) };
  });
}

/** `key=value`, `key: value` or, in properties, `key value`, also where such a line is a comment. */
function inLines(text: string, areProperties: boolean): readonly Range[] {
  const found: Range[] = [];
  const separators = areProperties ? [/(?<!\\)[=:]/, /(?<!\\)[^\S\n]/] : [/=/, /:/];
  let isWithin = -1;
  for (const { at, text: line, indent } of linesOf(text)) {
    const isBlank = line.trim() === '';
    if (isWithin >= 0 && (indent > isWithin || isBlank)) {
      found.push([at + indent, at + line.length]);
      continue;
    }
    isWithin = -1;
    const [lead = ''] = /^\s*(?:[#;!]+\s*)?(?:(?:export|set|setenv|declare(?: -\w+)?)\s+)?/.exec(line) ?? [];
    const rest = line.slice(lead.length);
    // A comment that talks about a password isn't one that was used before.
    const isKey = /[#;!]/.test(lead) ? /^["']?[^\s"']+["']?\s*$/ : /^["']?[^\s"']+(?: [\w-]+){0,2}["']?\s*$/;
    const isDirective = /^(?:requirepass|masterauth|password|sentinel auth-pass) /.test(rest);
    for (const separator of isDirective ? [...separators, / (?=\S+\s*$)/] : separators) {
      const index = rest.search(separator);
      const key = rest.slice(0, index);
      if (index > 0 && isKey.test(key) && namesSecret(key)) {
        const [, space = ''] = /^.(\s*(?:[=:]\s*)?)/.exec(rest.slice(index)) ?? [];
        const value = valueAt(text, at + lead.length + index + 1 + space.length);
        if (!isHarmless(text.slice(...value))) {
          found.push(value);
          isWithin = indent;
        }
        break;
      }
    }
  }
  return found;
}

const yamlKey = /^([ \t]*(?:#+ *)?(?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s"'#{}[\],:][^"'{}[\],:]*?)) *:(?= |\t|\r?$) */;

function inYaml(text: string): readonly Range[] {
  const found: Range[] = [];
  /** The column of the key whose lines below belong to its value; `undefined` if they are other keys. */
  let within: { readonly column: number; readonly isNested: boolean } | undefined;
  let isSecretObject = false;
  let namesNext = false;
  const add = (value: Range) => {
    if (!isHarmless(text.slice(...value))) {
      found.push(value);
    }
  };
  for (const { at, text: line, indent } of linesOf(text)) {
    const [head = '', lead = '', double, single, plain] = yamlKey.exec(line) ?? [];
    const key = double ?? single ?? plain ?? '';
    const isItem = /^\s*-(?: |$)/.test(line);
    if (at < (found.at(-1)?.[1] ?? 0)) {
      continue;
    }
    if (within !== undefined && line.trim() !== '') {
      if (indent > within.column || (within.isNested && isItem && indent === within.column)) {
        const item = /^\s*(?:- +)*/.exec(line)?.[0] ?? '';
        const from = within.isNested && key !== '' ? head.length : item.length;
        add(within.isNested ? valueAt(text, at + from) : [at + from, at + line.length]);
        continue;
      }
      within = undefined;
    }
    if (line.startsWith('---')) {
      isSecretObject = false;
    }
    isSecretObject ||= /^kind: *["']?Secret\b/.test(line) || (indent === 0 && text.startsWith('kind: Secret'));
    const value = line.slice(head.length).replace(/^(?:[!&]\S+ +)+/, '');
    const from = at + line.length - value.length;
    const isNamed = namesNext && /^value$/i.test(key);
    namesNext = /^(?:name|key)$/i.test(key) && namesSecret(value);
    if (key !== '' && (namesSecret(key) || isNamed || (isSecretObject && /^(?:stringData|data)$/.test(key)))) {
      const column = lead.length;
      if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(value)) {
        within = { column, isNested: false };
      } else if (value.trim() === '' || value.startsWith('#')) {
        within = { column, isNested: true };
      } else {
        add(/^[[{]/.test(value) ? [from, closingBracket(text, from)] : valueAt(text, from));
        within = { column, isNested: false };
      }
    } else {
      const [, before = '', name = ''] = /^(\s*(?:#+ *)?- +["']?)([\w.]+)=/.exec(line) ?? [];
      const inner =
        name !== '' && namesSecret(name) ? [at + before.length + name.length + 1, at + line.length] : undefined;
      if (inner !== undefined) {
        add([inner[0] ?? 0, (inner[1] ?? 0) - (/["']\s*$/.exec(line)?.[0].length ?? 0)]);
      } else if (/[{[]/.test(value) || key === '') {
        found.push(...inCode(line).map(([one, other]): Range => [at + one, at + other]));
      }
    }
  }
  return found;
}

function closingBracket(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    depth += '[{'.includes(text[at] ?? '') ? 1 : ']}'.includes(text[at] ?? '') ? -1 : 0;
    if (depth === 0) {
      return at + 1;
    }
  }
  return text.length;
}

const xmlTag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const xmlAttribute = /([\w:.-]+)(\s*=\s*["'])([^"']*)/g;

/** Also elements in comments, which may be values that were used before. */
function inXml(text: string): readonly Range[] {
  const found: Range[] = [];
  const open: { readonly name: string; readonly isSecret: boolean }[] = [];
  let end = 0;
  let namesNext = false;
  for (const { index, 0: tag, 1: slash, 2: name = '', 3: attributes = '', 4: isEmpty } of text.matchAll(xmlTag)) {
    const content = text.slice(end, index);
    const [, cdata = ''] = /^(\s*<!\[CDATA\[)/.exec(content) ?? [];
    const inner: Range = [end + cdata.length, cdata === '' ? index : end + content.lastIndexOf(']]>')];
    if (open.at(-1)?.isSecret === true && !isHarmless(text.slice(...inner))) {
      found.push(inner);
    }
    end = index + tag.length;
    if (slash === '/') {
      namesNext = /name|key/i.test(name) && namesSecret(content.trim());
      while (open.length > 0 && open.pop()?.name !== name);
      continue;
    }
    const given = [...attributes.matchAll(xmlAttribute)];
    const isNamed = given.some(([, one = '', , value = '']) => /^(?:name|key|id)$/i.test(one) && namesSecret(value));
    for (const { index: at, 0: whole, 1: one = '', 3: value = '' } of given) {
      if ((namesSecret(one) || (isNamed && /^(?:value|content|default)$/i.test(one))) && !isHarmless(value)) {
        const stop = index + 1 + name.length + at + whole.length;
        found.push([stop - value.length, stop]);
      }
    }
    if (isEmpty !== '/') {
      open.push({ name, isSecret: open.at(-1)?.isSecret === true || isNamed || namesNext || namesSecret(name) });
      namesNext = false;
    }
  }
  return found;
}

const codeToken =
  /(\/\*[^]*?(?:\*\/|$)|\/\/.*|#.*)|<<<['"]?(\w+)['"]?\r?\n([^]*?)\n[^\S\n]*\2\b|("""|'''|["'`])|(-?\d[\w.]*)|([\w$@-]+)|\?>|([=!<>:]+)|([([{])|([)\]}])|([,;])|(\r?\n)/g;
const readsSetting = /^(?:env|getenv|config|constant|get|param|parameter|environ|fetch)$/i;
const takesPasswordThird = /^(?:mysqli_connect|mysql_connect|mysqli|PDO)$/;

/** Where PHP begins again after HTML. */
function endOfHtml(text: string, from: number): number {
  const next = text.indexOf('<?', from);
  return next < 0 ? text.length : next + 2;
}

/** Literals of settings in a program or in JSON: `'password' => 'x'`, `"password": "x"`, `define('AUTH_KEY', 'x')`. */
function inCode(text: string, isPhp = false): readonly Range[] {
  const found: Range[] = [];
  const calls: { readonly name: string; arguments: number; isOfSecret: boolean }[] = [];
  /** The last name or string, and whether it's a key whose value follows, at which depth. */
  let last = '';
  let secretAt = -1;
  const literal = ([from, to]: Range) => {
    const call = calls.at(-1);
    const isThird = call?.arguments === 2 && takesPasswordThird.test(call.name);
    const isName = call?.arguments === 0 && readsSetting.test(call.name);
    if (((secretAt >= 0 && !isName) || call?.isOfSecret === true || isThird) && !isHarmless(text.slice(from, to))) {
      found.push([from, to]);
    }
    last = text.slice(from, to);
  };
  // A comment is read in the middle of this.
  const tokens = new RegExp(codeToken);
  tokens.lastIndex = isPhp ? endOfHtml(text, 0) : 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const { index, 0: token, 1: comment, 3: here, 4: quote, 5: number, 6: word, 7: operator, 8: opening } = match;
    const { 9: closing, 10: separator, 11: newLine } = match;
    const after = tokens.lastIndex;
    if (comment !== undefined) {
      const inner = /^(?:\/\*+|\/\/+|#+)/.exec(comment)?.[0].length ?? 0;
      found.push(
        ...inCode(comment.slice(inner)).map(([from, to]): Range => [index + inner + from, index + inner + to]),
      );
    } else if (token === '?>') {
      tokens.lastIndex = isPhp ? endOfHtml(text, after) : after;
    } else if (here !== undefined) {
      const from = index + token.indexOf('\n') + 1;
      literal([from, from + here.length]);
    } else if (quote !== undefined) {
      const end = closingQuote(text, after, quote);
      if (end >= 0) {
        literal([after, end]);
      }
      tokens.lastIndex = end < 0 ? after : end + quote.length;
    } else if (number !== undefined) {
      literal([index, after]);
    } else if (word !== undefined) {
      last = word;
    } else if (operator !== undefined) {
      secretAt = /[=:]/.test(operator) && !/^::$/.test(operator) && namesSecret(last) ? calls.length : secretAt;
    } else if (opening !== undefined) {
      calls.push({ name: last, arguments: 0, isOfSecret: false });
    } else if (closing !== undefined) {
      calls.pop();
      secretAt = secretAt > calls.length ? -1 : secretAt;
    } else {
      const call = calls.at(-1);
      const isEnd = separator !== undefined || (newLine !== undefined && calls.length === 0);
      secretAt = isEnd && secretAt >= calls.length ? -1 : secretAt;
      if (separator === ',' && call !== undefined) {
        call.isOfSecret =
          call.arguments === 0 && text[match.index] === ',' && namesSecret(last) && /\w/.test(call.name);
        call.arguments += 1;
      }
    }
  }
  return found;
}

const secretWord =
  /(?:passw(?:or)?d|passwort|kennwort|passe|passphrase|secret|token|apikey|credential|bearer)s?$|^(?:pass|passcode|pwd|pw|salt|pepper|psk|pin|authorization|authtok|hmac|sig)$/;
const secretEnd =
  /(?:passw(?:or)?d|passphrase|secret|token|credentials?|(?:api|access|secret|private|preshared|signing|encryption|validation|decryption|account|master|auth)key|erlangcookie|passwordsalt|saltmain|encryptionhash|authident|pwd|(?:db|sql|my|user|admin|ftp|ldap|mail|bind|root)pw|requirepass|masterauth)\d*$/;
const secretLast =
  /^(?!.*(?:by|com|sur|tres|over|under|en)pass$)[a-z]+pass$|^(?:пароль|contraseña|contrasena|senha|wachtwoord|lösenord|hasło|heslo|密码)$/;
const secretName = /(?:^|[._])[Aa][Uu][Tt][Hh][^A-Za-z]?$|[-_]oauth$|_PRIVATE$|newrelic[._]license$/;
/** Words before `key` in names of keys that aren't meant to be known. `ssl_certificate_key` is a path. */
const keyWord =
  /^(?:api|app|private|access|secret|auth|encrypt(?:ion)?|decryption|crypt|cipher|sign(?:ing|ature)?|master|service|account|in|nonce|hmac|jwt|jwk|des|fernet|session|cookie|shared|license|deploy|webhook|client|aes|rsa|admin|upgrade|preshared|storage|consumer|cron)$/;
/** In names of environment variables and of credentials for DNS, also others: `CF_Key`, `_RIJNDAEL_KEY_`, `dns_linode_key`. */
const shoutedKey = /^_*[A-Z\d]+(?:_[A-Z\d]+)*_(?:KEYS?|Key)_*$|^dns_[a-z\d]+_key$/;
const publicKey =
  /^(?:public|primary|foreign|cache|sort|routing|partition|unique|idempotency|translation|column|host)$/;
/** `TOKEN_LIFETIME` and `password_file` say something about a secret, and `AWS_ACCESS_KEY_ID` isn't one. */
const harmlessEnd =
  /^(?:length|len|size|min|max|minlength|maxlength|lifetime|ttl|expires?|expiry|expiration|timeout|within|age|exp|time|duration|interval|seconds?|minutes?|hours?|days?|digits|ur[li]s?|endpoint|paths?|files?|filename|dir|directory|folder|names?|fields?|headers?|types?|formats?|algorithm|algo|cost|rounds|iterations|policy|enabled?|disabled?|required|allowed|resets?|confirmation|count|limit|ids?|issuer|audience|encoder|hashers?|driver|prompt|hint|username|ports?|tables?|columns?|query|attrs?|attributes?|filters?|models?|class(?:es)?|claims?|serializers?|validators?|history|encryption|generator|broker|prefix|guard|strategy|rotation|validation|strength|label|placeholder|version|authentication|page|link|script|command|regex|pattern|rules?|visible|parser|tokenizer|parameter|handler|maps|store|validity|manager|callback|scopes?|scheme|provider|realm|mode|module|dialog|environment)$/;
const harmlessStart =
  /^(?:max|min|use|require|enable|disable|allow|show|hide|num|count|has|is|no(?! reply))(?: |$)|(?:^| )(?:prompt|completion|total|input|output|context) tokens$|(?:expires?|expired|valid|created|updated|issued|sent|used|revoked|changed|verified) (?:in|at)$|(?:expiration|expiry|expires?|lifetime|ttl|timeout|age|time|duration|interval) ms$/;
const harmlessKey =
  /^(?:(?:proxy|(?:fastc|uws|sc)gi|grpc|memcached)_pass|(?:image)?pullsecrets?|secretkeyref|secretref|bypass|compass|csrf_token_name|servertokens|secure_auth|validate_password|secretname|existingsecret|loadcredential|nopasswd)$/i;
/** What describes a secret, or belongs to it without being one. */
const besideSecret =
  /^(?:description|title|label|name|driver|provider|region|host|user|username|version|resolved|integrity|required|generator)$/i;

/** Whether a key's value is a secret, judged by the words of the key. */
export function namesSecret(key: string): boolean {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  // Anyone with a webhook's address can post to it.
  if (/webhook(?:ur[li])?$/.test(words.join(''))) {
    return true;
  }
  if (harmlessKey.test(key) || harmlessEnd.test(last) || harmlessStart.test(words.join(' '))) {
    return false;
  }
  if (secretEnd.test(words.join(''))) {
    return true;
  }
  if (/^keys?$/.test(last)) {
    return isSecretKey(key, words.at(-2) ?? '');
  }
  return (
    words.some((word, at) => secretWord.test(word) || (word === 'key' && keyWord.test(words[at - 1] ?? ''))) ||
    secretLast.test(last) ||
    secretName.test(key)
  );
}

function isSecretKey(key: string, before: string): boolean {
  return keyWord.test(before) || (shoutedKey.test(key) && !publicKey.test(before));
}

/** Whether what is below a secret's name is one, too: `"API_KEY": {"description": "…", "value": "…"}`. */
export function isPartOfSecret(key: string): boolean {
  return !besideSecret.test(key);
}

/** What a program replaces, and words that aren't secrets. */
const harmless =
  /^(?:|..?|nil|undefined|\$\{(?:env:)?[\w.]+(?::?\?[^}]*|:-?)?\}|\$\{(?:ALIAS|ENV|MPCONFIG)=[\w.-]+\}|\$\$\{?[A-Z][A-Z\d_]*\}?|\$\{\{[^{}]*\}\}|<[\w -]+>|#[\da-f]{3,8}|\$\(\w+\)|%[A-Za-z_][\w.]*%|%env\([\w:]+\)%|\{\{(?![^{}]*\bdefault\(\s*['\"])[^{}]*\}\}|<%=[^%{|]*%>|%\[.*|[*•]+|\d{1,3}|0x[\da-f]{1,4}|[%$]\d\)?|\.{1,2}\/.*|"?\$\([^)]*\)"?|`[^`]*`|required\b.*)$/;

/** Also replaced, but between apostrophes, it may be a password: neither a shell nor PHP replaces anything there. */
const harmlessVariable = /^"?\$\{?\w+(?::-)?\}?"?$/;
/** Files that replace `$NAME` and `${name}` at most, and what is before a value there: `$ecret99` is a password. */
const withoutVariables = [
  [/\.(?:ya?ml|neon)$/i, /(?:^|\n)[^\S\n]*(?:#+ *)?(?:- +)*["']?[\w.:-]+["']? *:[^\S\n]+"?$/],
  [
    /[/.](?:env(?:\.[\w-]+)*|ini|cnf|cfg|conf|properties|toml|tfvars)$/i,
    /(?:^|\n)[^\S\n]*(?:[#;!][^\S\n]*)?[\w.[\]-]+[^\S\n]*[=:][^\S\n]*"?$/,
  ],
  [/\.json[c5]?$/i, /"[\w.-]+"\s*:\s*"$/],
  [/\.(?:xml|config)$/i, /(?:>|\w=")$/],
] as const;

const harmlessWord =
  /^(?:true|false|yes|off|null|none|passwords?|passwort|token|secret|basic|bearer|digest|ldap|oauth2?|jwt|session|login|plain|optional|string|changeme|foobared|enabled|disabled|pam|include|same-origin|omit|users|hashed|header|query|apikey|read|write|on_create|for|public|not yet implemented|password_reset(?:_token)?s)$/i;
/** What is said about a secret in a program: `'The password is too short'`. */
const sentence = /^(?=.*\b(?:passwords?|tokens?|secrets?|keys?|credentials)\b)[A-Z][a-z]+(?: [a-z',-]+){2,30}[.!?]?$/i;

/** Whether a text is no secret, or the part of it from `start` to `end`. What is replaced in it depends on its file. */
export function isHarmless(
  text: string,
  [start, end]: readonly [number, number] = [0, text.length],
  path = '',
): boolean {
  const value = text
    .slice(start, end)
    .trim()
    .replace(/^(?:Bearer|Basic|Token)\s+/i, '');
  const isQuoted = text[start - 1] === "'" && text[end] === "'";
  const isVerbatim = isQuoted || isWithDollar(value, text.slice(Math.max(0, start - 200), start), path);
  return (
    harmless.test(value) ||
    harmlessWord.test(value) ||
    (!isVerbatim && harmlessVariable.test(value)) ||
    (value.length < 200 && sentence.test(value))
  );
}

/** Whether a value that looks like a variable is a password, because its file has no such variables. */
function isWithDollar(value: string, before: string, path: string): boolean {
  const original = path.replace(/(?:\.(?:bak|old|orig|dist|save|sample|example)|~)+$/i, '');
  return (
    /^"?\$(?=\w*[a-z])\w+"?$/.test(value) &&
    withoutVariables.some(([files, start]) => files.test(original) && start.test(before))
  );
}

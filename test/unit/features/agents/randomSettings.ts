import type { SeededRandom } from '../../../soak/seededRandom';

/** A configuration with its secrets: what must be hidden, and the lines that must stay as they are. */
export interface RandomSettings {
  readonly path: string;
  readonly text: string;
  readonly secrets: readonly string[];
  readonly harmless: readonly string[];
}

const secretKeys = [
  'DB_PASSWORD',
  'MYSQL_ROOT_PASSWORD',
  'apiKey',
  'client_secret',
  'auth.token',
  'spring.datasource.password',
  'AUTH_SALT',
  'smtpPass',
  'aws_secret_access_key',
  'JWT_SECRET',
  'access-token',
  'passphrase',
  'NONCE_KEY',
] as const;
const harmlessKeys = [
  'host',
  'DB_HOST',
  'port',
  'password_min_length',
  'TOKEN_LIFETIME',
  'secret_file',
  'cacheKey',
  'primary.key',
  'APP_NAME',
  'passwordEncoder',
  'AWS_ACCESS_KEY_ID',
  'monkey',
  'author',
] as const;
const harmlessValues = ['localhost', '3306', 'shop-7', '/var/www/app.conf', 'eu-west', '2 days'] as const;

/** A setting in one format, as lines, of which those at the end may be the rest of its value. */
type Writer = (key: string, value: string, random: SeededRandom) => string;
interface Format {
  readonly path: string;
  /** Characters that need no escaping here. */
  readonly marks: string;
  readonly begin?: string;
  readonly end?: string;
  readonly plain: Writer;
  /** Ways to write a secret, also with several lines. */
  readonly secret: readonly [Writer, ...Writer[]];
}

const word = (key: string) => key.replaceAll(/[^A-Za-z\d_]/g, '_');
const twoLines = (value: string, between: string) =>
  `${value.slice(0, value.length / 2)}${between}${value.slice(value.length / 2)}`;

const formats: readonly Format[] = [
  {
    path: '/srv/app/.env.production',
    marks: '!%&()*+-./:<>?@[]^_{|}~=;#',
    plain: (key, value) => `${word(key)}=${value}`,
    secret: [
      (key, value) => `${word(key)}=${value}`,
      (key, value) => `export ${word(key)}="${value}"`,
      (key, value) => `${word(key)} = '${value}' # as agreed`,
      (key, value) => `# ${word(key)}=${value}`,
      (key, value) => `${word(key)}="${twoLines(value, '\n')}"`,
    ],
  },
  {
    path: '/etc/app/settings.ini',
    marks: '!%&()*+-./:<>?@[]^_{|}~=#"',
    begin: '[app]',
    plain: (key, value) => `${key} = ${value}`,
    secret: [
      (key, value) => `${key} = ${value}`,
      (key, value) => `${key}=${value}`,
      (key, value) => `  ${key}: ${value.replaceAll('=', '-')}`,
      (key, value) => `;${key} = ${value}`,
      (key, value) => `${key} = ${twoLines(value, '\n    ')}`,
    ],
  },
  {
    path: '/srv/app/config.yaml',
    marks: '!%&()*+-./<>?@^_|~=;',
    begin: 'app:',
    plain: (key, value) => `  ${key}: ${value}`,
    secret: [
      (key, value) => `  ${key}: x${value}`,
      (key, value) => `  ${key}: "${value}" # as agreed`,
      (key, value) => `  "${key}": '${value}'`,
      (key, value) => `  ${key}: |\n    ${twoLines(value, '\n    ')}`,
      (key, value) => `  ${key}: >-\n      ${value}`,
      (key, value) => `  ${key}:\n    first: x${value}`,
      (key, value) => `  ${key}:\n    - x${value}`,
      (key, value) => `  other: { host: db, ${key}: "${value}", port: 3306 }`,
      (key, value) => `  ${key}: "${twoLines(value, '\n    ')}"`,
      (key, value) => `  env:\n    - name: ${key}\n      value: "${value}"`,
      (key, value) => `  environment:\n    - ${word(key)}=${value}`,
      (key, value) => `  # ${key}: x${value}`,
    ],
  },
  {
    path: '/srv/app/wp-config.php',
    marks: '!%&()*+-./:<>?@[]^_{|}~=;#"',
    begin: "<html><body>Don't panic</body></html>\n<?php\n// it's a comment with an apostrophe",
    end: '?>\n<p>password: see above</p>',
    plain: (key, value) => `$config['${key}'] = '${value}';`,
    secret: [
      (key, value) => `define('${key}', '${value}');`,
      (key, value) => `define( "${key}",\n  '${value}' );`,
      (key, value) => `$config['${key}'] = '${value}';`,
      (key, value) => `$x = ['host' => 'db', '${key}' => '${value}', 'port' => 3306];`,
      (key, value) => `const ${word(key)} = '${value}';`,
      (key, value) => `$${word(key)} = '${twoLines(value, "' . '")}';`,
      (key, value) => `'${key}' => env('${word(key)}', '${value}'),`,
      (key, value) => `// define('${key}', '${value}');`,
      (key, value) => `$config['${key}'] = <<<EOT\n${twoLines(value, '\n')}\nEOT;`,
      (_, value) => `$db = new PDO('mysql:host=db', 'shop', '${value}');`,
      (key, value) => `$config['${key}'] = ['${value}', 'more'];`,
    ],
  },
  {
    path: '/opt/app/conf/server.xml',
    marks: '!%()*+-./:?@[]^_{|}~=;#',
    begin: '<app>',
    end: '</app>',
    plain: (key, value) => `  <${word(key)}>${value}</${word(key)}>`,
    secret: [
      (key, value) => `  <${word(key)}>${value}</${word(key)}>`,
      (key, value) => `  <db ${word(key)}="${value}" host="db"/>`,
      (key, value) => `  <property name="${key}" value="${value}"/>`,
      (key, value) => `  <property name='${key}'>${value}</property>`,
      (key, value) => `  <add value='${value}' key='${key}' />`,
      (key, value) => `  <${word(key)}><![CDATA[${value}<&]]></${word(key)}>`,
      (key, value) => `  <${word(key)}>\n    <value>${value}</value>\n  </${word(key)}>`,
      (key, value) => `  <!-- <${word(key)}>${value}</${word(key)}> -->`,
      (key, value) => `  <param-name>${key}</param-name>\n  <param-value>${value}</param-value>`,
      (_, value) => `  <add name="db" connectionString="Server=db;Password=${value.replaceAll(';', '-')};Port=1"/>`,
    ],
  },
  {
    path: '/opt/app/conf/application.properties',
    marks: '!%&()*+-./<>?@[]^_{|}~;#"',
    plain: (key, value) => `${key}=${value}`,
    secret: [
      (key, value) => `${key}=${value}`,
      (key, value) => `${key}: ${value}`,
      (key, value) => `${key} ${value}`,
      (key, value) => `${key} = ${twoLines(value, '\\\n    ')}`,
      (key, value) => `#${key}=${value}`,
      (key, value) => `jdbc.url=jdbc:mysql://${word(key)}:${value.replaceAll(/[^A-Za-z\d]/g, '-')}@db:3306/shop`,
    ],
  },
  {
    path: '/srv/app/settings.json',
    marks: '!%&()*+-./:<>?@[]^_{|}~=;#',
    begin: '{',
    end: '  "end": 1\n}',
    plain: (key, value) => `  "${key}": "${value}",`,
    secret: [
      (key, value) => `  "${key}": "${value}",`,
      (key, value) => `  "db": { "host": "db", "${key}": "${value}", "port": 1 },`,
      (key, value) => `  "${key}": ["${value}", "more"],`,
      (key, value) => `  "${key}": {\n    "value": "${value}"\n  },`,
    ],
  },
];
export const formatCount = formats.length;

/** The parts of a value that a reader could use: what stands on one line. */
export function randomSettings(random: SeededRandom, index: number): RandomSettings {
  const format = formats[index % formats.length] ?? formats[0];
  if (format === undefined) {
    throw new Error('There are no formats.');
  }
  const secrets: string[] = [];
  const harmless: string[] = [];
  const lines = [format.begin ?? ''];
  const value = () => {
    const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
    const letter = () => letters[random.below(letters.length)] ?? '';
    const any = () => (random.chance(0.2) ? format.marks[random.below(format.marks.length)] : letter());
    return `s${letter()}${Array.from({ length: 8 + random.below(24) }, any).join('')}q7`;
  };
  for (let count = 3 + random.below(14); count > 0; count -= 1) {
    if (random.chance(0.5)) {
      const line = format.plain(random.pick(harmlessKeys), random.pick(harmlessValues), random);
      harmless.push(line);
      lines.push(line);
    } else {
      const secret = value();
      const line = random.pick(format.secret)(random.pick(secretKeys), secret, random);
      // Where a value was written differently or on two lines, each part counts.
      const half = secret.length / 2;
      const parts = line.includes(secret) ? [secret] : [secret.slice(0, half), secret.slice(half)];
      secrets.push(...parts.filter((part) => line.includes(part)));
      lines.push(line);
    }
  }
  lines.push(format.end ?? '');
  const text = lines.join(random.chance(0.2) ? '\r\n' : '\n');
  return { path: format.path, text, secrets, harmless };
}

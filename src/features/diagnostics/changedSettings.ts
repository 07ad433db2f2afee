/** What a setting accepts, as package.json declares it. */
export interface SettingSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, SettingSchema>>;
}

/** VS Code's own settings that change what Gantry does. */
export const relatedSettings: Readonly<Record<string, SettingSchema>> = {
  'files.autoSave': { type: 'string', enum: ['off', 'afterDelay', 'onFocusChange', 'onWindowChange'] },
  'git.enabled': { type: 'boolean' },
  'http.noProxy': { type: 'array' },
  'http.proxy': { type: 'string' },
  'http.proxyAuthorization': { type: 'string' },
  'http.proxyStrictSSL': { type: 'boolean' },
  'http.proxySupport': { type: 'string', enum: ['off', 'on', 'fallback', 'override'] },
};

/** Returns the schemas of an extension's settings, from its package.json. */
export function declaredSettings(packageJson: unknown): Readonly<Record<string, SettingSchema>> {
  const properties = field(field(field(packageJson, 'contributes'), 'configuration'), 'properties');
  return typeof properties === 'object' && properties !== null ? Object.fromEntries(schemasIn(properties)) : {};
}

function schemasIn(properties: object): readonly [string, SettingSchema][] {
  return Object.entries(properties).map(([name, declared]: [string, unknown]) => {
    const words: unknown = field(declared, 'enum');
    const inner = field(declared, 'properties');
    return [
      name,
      {
        type: String(field(declared, 'type')),
        ...(Array.isArray(words) ? { enum: words.map(String) } : {}),
        ...(typeof inner === 'object' && inner !== null ? { properties: Object.fromEntries(schemasIn(inner)) } : {}),
      },
    ];
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Describes a setting's value: a number, a boolean or a word of an enum as it is. Says of any other value only that it's set. */
export function settingText(value: unknown, schema: SettingSchema): string {
  if (isShownAsItIs(value, schema)) return String(value);
  if (Array.isArray(value) && schema.type === 'array') return `set (${value.length})`;
  if (schema.properties !== undefined && typeof value === 'object' && value !== null) {
    return propertiesText(value, schema.properties);
  }
  const isText = schema.type === 'string' && schema.enum === undefined;
  return isText && typeof value === 'string' ? 'set' : 'set to something else than expected';
}

function isShownAsItIs(value: unknown, { type, enum: words }: SettingSchema): boolean {
  return typeof value === 'string'
    ? words?.includes(value) === true
    : (type === 'boolean' || type === 'number') && typeof value === type;
}

/** Names of properties that package.json doesn't declare may be anything, so these are only counted. */
function propertiesText(value: object, properties: NonNullable<SettingSchema['properties']>): string {
  const known = Object.entries(properties).flatMap(([name, inner]) => {
    const one: unknown = Reflect.get(value, name);
    return one === undefined ? [] : [`${name} ${settingText(one, inner)}`];
  });
  const others = Object.keys(value).filter((name) => !(name in properties)).length;
  return [...known, ...(others === 0 ? [] : [`${others} unknown`])].join(', ') || 'empty';
}

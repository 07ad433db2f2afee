import { operationRows } from '../../localPlatform/contractTable';
import type { EnvironmentInput } from '../../localPlatform/environments/environment';
import { Layer } from '../../scene/layer';
import type { NodeDisk } from '../../scene/nodeDisk';
import { Scene, type SceneOptions } from '../../scene/scene';

/** A JSON response whose fields are read one by one. */
export type Reply = Readonly<Record<string, unknown>> & { readonly result: unknown };

export type Values = Readonly<Record<string, string | number | boolean>>;

const demo: EnvironmentInput = {
  envName: 'demo',
  layers: [
    {
      name: 'cp',
      nodeType: 'nginxphp',
      containerUser: 'nginx',
      nodes: 2,
      owned: ['/srv'],
      folders: ['/etc', '/open'],
      modes: { '/open': '777' },
      shortcuts: [{ keyword: 'conf', path: '/etc' }],
    },
    { name: 'sqldb', nodeType: 'mysql', containerUser: 'mysql', owned: ['/srv'] },
  ],
};

const inForm = (values: Values): URLSearchParams =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)] satisfies [string, string]));

export const isReply = (value: unknown): value is Reply =>
  typeof value === 'object' && value !== null && 'result' in value;

export const pathOf = (operation: string): string => {
  const row = operationRows.find(({ name }) => name === operation);
  if (row === undefined) throw new Error(`no operation ${operation}`);
  return row.path;
};

const takes = (operation: string, parameter: string): boolean =>
  operationRows.some(({ name, parameters }) => name === operation && parameters.some((row) => row.name === parameter));

export const post = async (origin: string, operation: string, values: Values): Promise<Reply> => {
  const response = await fetch(origin + pathOf(operation), { method: 'POST', body: inForm(values) });
  const answer: unknown = await response.json();
  if (response.status !== 200 || !isReply(answer))
    throw new Error(`HTTP ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
};

/** A platform whose operations a test calls over HTTP, with the environment `demo`. */
export class AskedScene extends Scene {
  private session = '';

  constructor({ environment = demo, ...options }: SceneOptions & { readonly environment?: EnvironmentInput } = {}) {
    super(options);
    for (const layer of environment.layers) this.declare(environment.envName, layer.name, layer);
  }

  override async start(): Promise<void> {
    await super.start();
    this.session = await this.platform.createSession();
  }

  /** Calls an operation by the contract's name, by default as the sample account in the environment `demo`. */
  readonly call = (operation: string, values: Values = {}): Promise<Reply> =>
    post(this.platform.origin, operation, {
      ...(takes(operation, 'session') && operation !== 'Signin' ? { session: this.session } : {}),
      ...(takes(operation, 'envName') ? { envName: 'demo' } : {}),
      ...values,
    });

  readonly result = async (operation: string, values?: Values): Promise<unknown> =>
    (await this.call(operation, values)).result;

  /** The disk of a node in the environment `demo`. */
  readonly disk = (layer: string, node = 0): NodeDisk => new Layer(this, 'demo', layer).disk(node);
}

/** Returns the rows of a list in a response. */
export const rowsOf = (
  answer: Readonly<Record<string, unknown>>,
  field: string,
): readonly Readonly<Record<string, unknown>>[] => {
  const rows = answer[field];
  if (!Array.isArray(rows)) throw new Error(`${field} is no list: ${JSON.stringify(answer)}`);
  return rows.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null);
};

/** Returns an object in a response. */
export const partOf = (answer: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> => {
  const part = answer[field];
  if (typeof part !== 'object' || part === null) throw new Error(`${field} is no object: ${JSON.stringify(answer)}`);
  return Object.fromEntries(Object.entries(part));
};

/** Returns all entries of a listing, whatever its keys. */
export const entriesOf = (answer: Reply): readonly Readonly<Record<string, unknown>>[] => {
  const keywords = partOf(answer, 'keywords');
  return Object.keys(keywords).flatMap((key) => rowsOf(keywords, key));
};

export const textOf = (row: Readonly<Record<string, unknown>>, field: string): string => {
  const value = row[field];
  if (typeof value !== 'string') throw new Error(`${field} is no text: ${JSON.stringify(row)}`);
  return value;
};

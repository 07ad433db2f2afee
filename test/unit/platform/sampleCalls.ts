import type { PlatformClient } from '../../../src/platform/client';
import { type OperationName, operationsByName } from '../../../src/platform/contract';
import type { Operation, Parameter } from '../../../src/platform/contract/operation';

/** Values that must never appear anywhere after they were passed. */
export const secretValues = {
  session: 'f3a9x1c2b4d5e6f7a8b9c0d1e2f3a4b5c6d7',
  password: 'p&ss "wörd" <1>/%',
  loginInUrl: 'hidden-token-0815',
  downloadUrl: 'https://hoster.example/xssu/rest/download/one-time-4711',
  text: 'DB_PASSWORD=hunter2 & <more>\r\nsecond line "quoted" ä😀\n',
} as const;

export const operationNames = namesOf(operationsByName);

/** Calls an operation with all its parameters. */
export function callWithEverything(client: PlatformClient, name: OperationName): Promise<unknown> {
  const operation: Operation = operationsByName[name];
  const values = Object.fromEntries(
    Object.entries(operation.parameters).map(([parameter, description]) => [
      parameter,
      valueOf(parameter, description),
    ]),
  );
  // One value for each parameter of the contract, because the compiler can't handle the types of 42 calls at once.
  return client.call<OperationName>(name, values as Parameters<PlatformClient['call']>[1]);
}

function valueOf(name: string, { type, values, carries, form }: Parameter): string | number | boolean {
  if (type === 'int') return 7;
  if (type === 'boolean') return true;
  if (values !== undefined) return values[0] ?? '';
  if (form === 'utc') return '2030-01-31 23:59:59';
  if (carries === 'text') return secretValues.text;
  if (name === 'url') return `https://me:${secretValues.loginInUrl}@git.example/project.git`;
  if (name === 'sourcePath' && carries === 'secret') return secretValues.downloadUrl;
  if (carries === 'secret') return name === 'password' ? secretValues.password : secretValues.session;
  return `/place/of/${name}`;
}

function namesOf<N extends string>(table: Readonly<Record<N, unknown>>): readonly N[] {
  const names: N[] = [];
  for (const name in table) names.push(name);
  return names;
}

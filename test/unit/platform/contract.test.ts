import assert from 'node:assert/strict';
import { type OperationName, operationsByName } from '../../../src/platform/contract';
import { areas } from '../../../src/platform/sending/request';
import { table } from './contractTable';
import { sampleAnswer, samplesIn } from './samples';

const ours = Object.entries(operationsByName);
const contracted = ours.filter(([, operation]) => operation.extra !== true);

describe('the contract in code matches the contract table', () => {
  it('has the same 40 operations', () => {
    assert.equal(table.operations.length, 40);
    assert.deepEqual(contracted.map(([name]) => name).sort(), table.operations.map(({ name }) => name).sort());
  });

  it('has no others except those marked as extras', () => {
    const extras = ours.filter(([, operation]) => operation.extra === true).map(([name]) => name);
    assert.deepEqual(extras.sort(), [
      'AddContainerEnvVars',
      'GetContainerEnvVars',
      'GetCurrentActions',
      'GetEnvInfo',
      'GetEnvs',
      'GetLogs',
      'GetUserInfo',
      'ReadLog',
      'RemoveContainerEnvVars',
      'RestartServices',
    ]);
  });

  for (const wanted of table.operations) {
    const operation = operationsByName[wanted.name as OperationName];

    it(`${wanted.name} has the contract's path and parameters`, () => {
      const base = table.areas[wanted.area]?.base;
      assert.equal(`/${areas[operation.area]}/${operation.path}`, `${base}${wanted.suffix}`);
      const parameters = Object.entries(operation.parameters).map(([name, { type, required, values }]) => ({
        name,
        type,
        required,
        ...(values === undefined ? {} : { values }),
      }));
      assert.deepEqual(sorted(parameters), sorted(wanted.parameters));
    });

    it(`${wanted.name} reads every field of the contract's response`, async () => {
      const reading = await operation.answer.read(sampleAnswer(wanted), { path: '/place' });
      assert('ok' in reading, JSON.stringify(reading));
      const read = new Map(leavesOf('', reading.ok));
      for (const [field, sample] of samplesIn(wanted)) {
        assert.equal(read.get(field.replace('keywords', 'entries')), sample, field);
      }
    });
  }

  it('limits each filter to the length in the contract', () => {
    for (const [name, { parameters }] of contracted) {
      const limited = parameters['filter']?.maximumLength === table.limits.filter.maximumLength;
      assert.equal(limited, table.limits.filter.operations.includes(name), name);
      const dated = parameters['expiresAt']?.form === 'utc';
      assert.equal(dated, table.limits.expiresAt.operations.includes(name), name);
    }
  });

  it('marks every session and password as a secret', () => {
    for (const [name, { parameters }] of ours) {
      for (const secret of ['session', 'password']) {
        assert([undefined, 'secret'].includes(parameters[secret]?.carries), `${name}.${secret}`);
        if (parameters[secret] !== undefined) assert.equal(parameters[secret].carries, 'secret', name);
      }
      for (const text of ['body', 'hooks', 'replacement']) {
        if (parameters[text] !== undefined) assert.equal(parameters[text].carries, 'text', name);
      }
    }
  });
});

function sorted<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...items].sort((one, other) => one.name.localeCompare(other.name));
}

/** Returns every value in a response as text, with its path. Items of a list have the path of the list. */
function leavesOf(path: string, value: unknown): [path: string, value: string][] {
  if (value instanceof Date) return [[path, value.toISOString()]];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => leavesOf(path, item));
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(path === '' ? name : `${path}.${name}`, inner));
}

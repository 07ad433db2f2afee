import assert from 'node:assert/strict';
import {
  type OperationName,
  type operations,
  operationsByName,
  type ParametersOf,
} from '../../../src/platform/contract';
import { limit } from '../../host/limits';
import { kindOfResult } from '../../../src/platform/resultCodes';
import { accountConducts } from './conduct/accountConducts';
import { codesOf, troubles } from './conduct/everywhere';
import { fileConducts } from './conduct/fileConducts';
import { projectConducts } from './conduct/projectConducts';
import type { Conducts } from './conduct/scenario';
import { sharingConducts } from './conduct/sharingConducts';
import { type OpenStage, openStage, type Stage } from './conduct/stage';
import { table } from './contractTable';
import { failureOf } from './setUp';

type Contracted = {
  [K in OperationName]: (typeof operations)[K] extends { readonly extra: true } ? never : K;
}[OperationName];
const allConducts: Conducts<Contracted> = {
  ...accountConducts,
  ...projectConducts,
  ...fileConducts,
  ...sharingConducts,
};
const names = table.operations.map(({ name }) => name as Contracted);
const fillsDisk: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['Append', 'Copy', 'Create', 'ReplaceInBody', 'UnpackById', 'UnpackByType', 'Upload', 'Write'] as const),
  ...(['CreateProject', 'Update'] as const),
]);
const inventedSession = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8';

/** What was tested for an operation over real HTTP. `*` marks a simulated code. */
interface Row {
  readonly operation: string;
  success: 'yes' | '';
  readonly refused: string[];
  readonly troubled: string[];
}

describe('every operation between the client and the local platform', function () {
  this.timeout(limit(60_000));
  let open: OpenStage;
  const rows = new Map<string, Row>(
    names.map((name) => [name, { operation: name, success: '', refused: [], troubled: [] }]),
  );

  before(async () => {
    open = await openStage();
  });
  after(async () => {
    await open.close();
    show([...rows.values()]);
  });

  for (const name of names)
    describe(name, () => checkOperation(name, allConducts, { scenario: () => open.scenario(), rows }));

  describe('all together', () => {
    it('they are the 40 of the contract, and none lacks a result', () => {
      assert.equal(rows.size, 40);
      for (const { operation, success, refused, troubled } of rows.values()) {
        assert.equal(success, 'yes', operation);
        assert(refused.length >= 5, operation);
        assert.equal(troubled.length, troubles.length, operation);
      }
    });
  });
});

function checkOperation<N extends Contracted>(
  name: N,
  conducts: Conducts<N>,
  { scenario, rows }: { scenario: () => Promise<Stage>; rows: ReadonlyMap<string, Row> },
): void {
  const { works, shows, fails } = conducts[name];
  const operation = operationsByName[name];
  const row = rows.get(name);
  assert(row !== undefined);

  it('succeeds', async () => {
    const stage = await scenario();
    const answer = await stage.client.call(name, await works(stage));
    await shows?.(answer, stage);
    row.success = 'yes';
  });

  /** Sends a request and expects this code and the matching error kind. */
  const expectRefusal = async (stage: Stage, parameters: ParametersOf<N>, result: number, mark = ''): Promise<void> => {
    const error = await failureOf(stage.client.call(name, parameters));
    assert.equal(error.result, result, error.message);
    assert.equal(error.kind, kindOfResult(result));
    assert.equal(error.operation, name);
    row.refused.push(`${result}${mark}`);
  };

  for (const [code, parameters] of Object.entries(fails)) {
    it(`fails with ${code}`, async () => {
      const stage = await scenario();
      const usual = { ...stage.platform.behaviour };
      await expectRefusal(stage, await parameters(stage), Number(code));
      Object.assign(stage.platform.behaviour, usual);
    });
  }

  const namesLayer = operation.parameters['nodeGroup'] !== undefined && !('5' in fails);
  if (namesLayer) {
    it('fails with 5 for a missing layer', async () => {
      const stage = await scenario();
      await expectRefusal(stage, { ...(await works(stage)), nodeGroup: 'no-such-layer' }, 5);
    });
  }

  if (fillsDisk.has(name)) {
    it('fails with 4075 if the disk is full', async () => {
      const stage = await scenario();
      const parameters = await works(stage);
      stage.platform.faults.add({ operation: name, fault: { kind: 'diskFull' } });
      await expectRefusal(stage, parameters, 4075);
    });
  }

  const provoked = new Set([
    ...Object.keys(fails).map(Number),
    ...(namesLayer ? [5] : []),
    ...(fillsDisk.has(name) ? [4075] : []),
  ]);
  for (const code of codesOf(name).filter((played) => !provoked.has(played))) {
    it(`fails with ${code} if the platform says so`, async () => {
      const stage = await scenario();
      const parameters = await works(stage);
      stage.platform.faults.add({ operation: name, fault: { kind: 'refuse', result: code, error: 'played' } });
      await expectRefusal(stage, parameters, code, '*');
    });
  }

  if (operation.parameters['session']?.required === true) {
    it("fails with 702 without a session, and with 8202 for a token that doesn't permit it", async () => {
      const stage = await scenario();
      const parameters = await works(stage);
      await expectRefusal(stage, { ...parameters, session: inventedSession }, 702);
      const other = name === 'GetTokens' ? 'users.authentication.GetSessions' : 'users.authentication.GetTokens';
      const token = await stage.platform.createToken({ description: 'narrow', apiList: [other] });
      await expectRefusal(stage, { ...parameters, session: token }, 8202);
    });
  }

  if (operation.parameters['envName'] !== undefined) {
    it('fails with 11 for a missing environment', async () => {
      const stage = await scenario();
      await expectRefusal(stage, { ...(await works(stage)), envName: 'nowhere' }, 11);
    });
  }

  for (const trouble of troubles) {
    it(`fails with ${trouble.kind} after ${trouble.name}`, async () => {
      const stage = await scenario();
      const parameters = await works(stage);
      const fault = stage.platform.faults.add({ operation: name, times: 'always', fault: trouble.fault });
      const error = await failureOf(stage.client.call(name, parameters));
      fault.remove();
      assert.equal(error.kind, trouble.kind, error.message);
      assert.equal(error.result, trouble.result);
      assert.equal(error.isOutcomeUnknown, trouble.isOutcomeUnknown && operation.effect === 'write');
      row.troubled.push(trouble.name);
    });
  }
}

/** Prints a table of what is tested and what isn't. */
function show(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ operation }) => operation.length));
  console.log(`\n    ${'operation'.padEnd(width)}  success  refused with (* played)  |  in trouble`);
  for (const { operation, success, refused, troubled } of rows) {
    const codes = [...refused].sort((one, other) => parseInt(one, 10) - parseInt(other, 10)).join(' ');
    console.log(`    ${operation.padEnd(width)}  ${success.padEnd(7)}  ${codes}  |  ${troubled.join(', ')}`);
  }
}

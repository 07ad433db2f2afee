import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene } from './requests';

const variables = { PATH: '/usr/bin:/bin', APP_ENV: 'production' };
const shop = {
  envName: 'shop',
  layers: [{ name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', nodes: 2, variables }],
};

describe('local platform: container variables', () => {
  const asked = onStageEachTime(new AskedScene({ environment: shop }));
  const nodes = () => asked.platform.nodes('shop', 'cp');
  const layer = { envName: 'shop', nodeGroup: 'cp' };
  const id = (node: number) => nodes()[node]?.id ?? 0;
  const valuesOf = (name: string) => nodes().map(({ variables }) => variables[name]);
  const set = (values: object, where: object = layer) =>
    asked.call('AddContainerEnvVars', { ...where, vars: JSON.stringify(values) });
  const read = async (node: number) => {
    const answer = await asked.call('GetContainerEnvVars', { envName: 'shop', nodeId: id(node) });
    return answer['object'] as Readonly<Record<string, string>>;
  };

  it('are set and removed on a node or on each node of a layer', async () => {
    await set({ A: '1', APP_ENV: 'staging' });
    await set({ B: '2' }, { envName: 'shop', nodeId: id(1) });
    assert.deepEqual(
      [valuesOf('A'), valuesOf('APP_ENV')],
      [
        ['1', '1'],
        ['staging', 'staging'],
      ],
    );
    assert.deepEqual(valuesOf('B'), [undefined, '2']);
    await asked.call('RemoveContainerEnvVars', { ...layer, vars: JSON.stringify(['A', 'ABSENT']) });
    assert.deepEqual(valuesOf('A'), [undefined, undefined]);
    assert.equal((await read(1))['B'], '2');
    assert.ok((await read(0))['PATH']?.includes('/bin'));
  });

  it('keep the value of one that exists, if switched so', async () => {
    asked.platform.behaviour.addedVariables = 'keep';
    await set({ A: '1', APP_ENV: 'staging' });
    assert.deepEqual([(await read(0))['A'], (await read(0))['APP_ENV']], ['1', 'production']);
  });

  it('take effect at a restart', async () => {
    await set({ A: '1' });
    assert.equal(nodes()[0]?.effectiveVariables, undefined);
    await asked.call('RestartServices', { envName: 'shop', nodeId: id(0) });
    assert.deepEqual(
      nodes().map(({ effectiveVariables }) => effectiveVariables?.['A']),
      ['1', undefined],
    );
  });
});

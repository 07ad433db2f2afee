import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  changesBetween,
  commonVariables,
  differingNames,
  isChangedByOthers,
  stateOf,
  uneditableNames,
  wantedState,
} from '../../../../src/features/variables/variablesState';

type Variables = Readonly<Record<string, string>>;

const on = (...nodes: readonly Variables[]) =>
  stateOf(nodes.map((variables, node) => ({ node, variables: new Map(Object.entries(variables)) })));
const entered = (variables: Variables) => new Map(Object.entries(variables));

describe('the state of container variables', () => {
  const base = on({ PATH: '/bin', A: '1', B: '2', X: 'left' }, { PATH: '/bin', A: '1', B: '2', X: 'right', Y: 'y' });

  it('shows what all nodes share, and names the rest', () => {
    assert.deepEqual(Object.fromEntries(commonVariables(base)), { PATH: '/bin', A: '1', B: '2' });
    assert.deepEqual(differingNames(base), ['X', 'Y']);
    assert.deepEqual(uneditableNames(on({ 'npm.config': 'x', A: '1' })), ['npm.config']);
  });

  it('wants exactly what was edited, and leaves alone what a document does not show', () => {
    const wanted = wantedState(base, entered({ PATH: '/bin', A: '3', C: '4' }));
    assert.deepEqual(changesBetween(base, wanted), { added: ['C'], changed: ['A'], removed: ['B'] });
    const unchanged = wantedState(base, commonVariables(base));
    assert.deepEqual(changesBetween(base, unchanged), { added: [], changed: [], removed: [] });
    const odd = on({ 'npm.config': 'x', A: '1' });
    assert.deepEqual(changesBetween(odd, wantedState(odd, entered({}))).removed, ['A']);
  });

  it('gives all nodes the value of a name that differs between them, if it was entered', () => {
    const wanted = wantedState(base, entered({ PATH: '/bin', A: '1', B: '2', X: 'same' }));
    assert.deepEqual(changesBetween(base, wanted), { added: [], changed: ['X'], removed: [] });
    assert.equal(commonVariables(wanted).get('X'), 'same');
  });

  it("notices others' changes on any node, but not one's own that arrived late or on some nodes", () => {
    const wanted = wantedState(base, entered({ PATH: '/bin', A: '3', B: '2' }));
    const [one, two] = [
      { PATH: '/bin', A: '1', B: '2', X: 'left' },
      { PATH: '/bin', A: '1', B: '2', X: 'right', Y: 'y' },
    ];
    const attempted = wantedState(base, entered({ PATH: '/bin', A: '4', B: '2' }));
    const isChanged = (now: ReturnType<typeof on>) => isChangedByOthers(base, now, [wanted]);
    assert.ok(!isChanged(on(one, two)));
    assert.ok(!isChanged(on({ ...one, A: '3' }, two)));
    assert.ok(isChanged(on({ ...one, A: '4' }, two)));
    assert.ok(!isChangedByOthers(base, on({ ...one, A: '4' }, two), [attempted, wanted]));
    assert.ok(isChanged(on(one, { ...two, B: 'theirs' })));
    assert.ok(isChanged(on(one, { ...two, NEW: 'theirs' })));
    assert.ok(isChanged(on({ ...one, X: 'theirs' }, two)));
    assert.ok(isChanged(on(one)));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sources } from '../manifest/menuItems';

describe('the items in the status bar', () => {
  it('have fixed places next to each other, each its own', () => {
    const places = sources.filter(({ text }) => text.includes('createStatusBarItem(')).map(({ name }) => name);
    assert.deepEqual(places, ['ui/statusBar.ts']);
    const { text = '' } = sources.find(({ name }) => name === 'ui/statusBar.ts') ?? {};
    const order = [...(/const order = \[(.*?)\]/s.exec(text)?.[1] ?? '').matchAll(/'([\w.]+)'/g)].map(([, id]) => id);
    assert.deepEqual(order, [
      'gantry.container',
      'gantry.project',
      'gantry.logState',
      'gantry.otherNodes',
      'gantry.restart',
      'gantry.keepVersions',
    ]);
    assert.match(text, /10 - order\.indexOf\(id\)/);
  });
});

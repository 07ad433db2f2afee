import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { failedObjectText } from '../../../src/ui/failedObjectText';

describe('what a failure is about', () => {
  const text = (object: Parameters<typeof failedObjectText>[0]['object'], target = '') =>
    failedObjectText({ object, target });

  it('is named as in the tree: a file by its name and its node or layer', () => {
    const path = '/etc/php.ini';
    assert.equal(text({ environment: 'shop', nodeId: 66001, layer: 'cp', path }), 'php.ini on node 66001');
    assert.equal(text({ environment: 'shop', layer: 'cp', path }), 'php.ini on layer cp of shop');
    assert.equal(text({ environment: 'shop', nodeId: 66001, path: '/' }), '/ on node 66001');
    assert.equal(text(undefined, path), 'php.ini');
  });

  it('is a project, an environment, or nothing', () => {
    assert.equal(text({ environment: 'shop', context: 'ROOT' }), 'ROOT on shop');
    assert.equal(text({ environment: 'shop', layer: 'cp', context: 'ROOT' }), 'ROOT on shop');
    assert.equal(text({ environment: 'shop' }), 'shop');
    assert.equal(text(undefined, 'me@example.com, app.example.com'), undefined);
  });
});

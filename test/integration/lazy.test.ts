import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands } from 'vscode';
import { Lazy, registerFileNameSymbols } from '../../src/lazy';

describe('a feature', () => {
  it('is loaded once, however many uses ask for it at the same time', async () => {
    let loads = 0;
    const feature = new Lazy(() => Promise.resolve({ number: (loads += 1) }));
    assert.equal(feature.loaded, undefined);
    const numbers = await Promise.all([
      feature.use(({ number }) => number),
      feature.load().then(({ number }) => number),
    ]);
    assert.deepEqual([numbers, loads, feature.loaded], [[1, 1], 1, { number: 1 }]);
  });

  it('is connected before its first use', async () => {
    const order: string[] = [];
    const feature = new Lazy(() => Promise.resolve('feature'));
    feature.whenLoaded((name) => order.push(`${name} connected`));
    await feature.use((name) => order.push(`${name} used`));
    feature.whenLoaded((name) => order.push(`${name} connected late`));
    assert.deepEqual(order, ['feature connected', 'feature used', 'feature connected late']);
  });

  it('is used within the call once it is loaded', async () => {
    const feature = new Lazy(() => Promise.resolve('feature'));
    await feature.load();
    let used = false;
    const using = feature.use(() => (used = true));
    assert.ok(used, 'used before the call returns');
    await using;
  });

  it('says so when it cannot be loaded, and is loaded by the next use', async () => {
    let fails = true;
    const feature = new Lazy(() =>
      fails ? Promise.reject(new Error('No such file.\nRequire stack: …')) : Promise.resolve('feature'),
    );
    await assert.rejects(
      feature.use(() => undefined),
      /^Error: Couldn't load part of Gantry \(No such file\)\. Reload the window\.$/,
    );
    fails = false;
    assert.equal(await feature.use((name) => name), 'feature');
  });

  it('says once that it cannot be loaded, even if other features build on it', async () => {
    const below = new Lazy(() => Promise.reject(new Error('No such file.')));
    const above = new Lazy(() => below.load());
    await assert.rejects(above.load(), {
      message: "Couldn't load part of Gantry (No such file). Reload the window.",
    });
  });

  it('is not built twice if connecting it fails', async () => {
    let built = 0;
    const feature = new Lazy(() => Promise.resolve((built += 1)));
    feature.whenLoaded(() => {
      throw new Error('It failed.');
    });
    await assert.rejects(feature.load());
    assert.equal(await feature.load(), 1);
  });

  it('is connected to all others if connecting it to one fails', async () => {
    const feature = new Lazy(() => Promise.resolve('feature'));
    const connected: string[] = [];
    const failing = (message: string) => () => {
      throw new Error(message);
    };
    feature.whenLoaded(failing('first'));
    feature.whenLoaded((name) => connected.push(name));
    feature.whenLoaded(failing('second'));
    await assert.rejects(feature.load(), /^Error: first$/);
    assert.deepEqual(connected, ['feature']);
  });
});

describe('the names of files for Quick Open', () => {
  it('load no code in a window without a container folder, whatever is asked for', async () => {
    let loads = 0;
    const feature = new Lazy<never>(() => {
      loads += 1;
      return Promise.reject(new Error('not loaded'));
    });
    const registered = registerFileNameSymbols(feature, (loaded) => loaded);
    try {
      for (const query of ['', 'shop']) {
        assert.deepEqual(await commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query), []);
      }
      assert.equal(loads, 0);
    } finally {
      registered.dispose();
    }
  });
});

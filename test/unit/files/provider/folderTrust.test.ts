import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { FolderTrust } from '../../../../src/files/provider/folderTrust';
import type { FilePlace } from '../../../../src/containers/place';

const place = (path: string, nodeId = 1): FilePlace => ({
  kind: 'file',
  account: 'a',
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId },
  path,
});

const listing = (...names: string[]) =>
  new Map(names.map((name) => [name, { absolutePath: `/www/${name}`, name, isDir: true }]));

describe('trust in a container folder', () => {
  let kept: Map<string, unknown>;
  let trust: FolderTrust;
  const open = [place('/www')];

  beforeEach(() => {
    kept = new Map();
    const memory = {
      keys: () => [...kept.keys()],
      get: <T>(key: string, otherwise?: T) => (kept.get(key) as T | undefined) ?? otherwise,
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    trust = new FolderTrust(memory, () => open);
  });

  const questionable = (...names: string[]) =>
    trust.questionable(place('/www'), () => Promise.resolve(listing(...names)));

  it('is needed if the folder could give VS Code instructions, and only for those names', async () => {
    assert.deepEqual(await questionable('index.php', '.vscode', '.github', '.git'), ['.vscode', '.github']);
    const agents = [
      'AGENTS.md',
      'CLAUDE.md',
      'CLAUDE.local.md',
      '.agents',
      '.claude',
      '.cursor',
      '.copilot',
      'shop.code-workspace',
    ];
    assert.deepEqual(await questionable('index.php', ...agents), agents);
    assert.deepEqual(await questionable('index.php'), []);
  });

  it('is needed once for each name', async () => {
    await trust.agree(place('/www'), ['.vscode']);
    assert.deepEqual(await questionable('.vscode', '.mcp.json'), ['.mcp.json']);
    await trust.agree(place('/www'), ['.mcp.json']);
    assert.deepEqual(await questionable('.vscode', '.mcp.json'), []);
  });

  it("isn't needed for what this window created, but for what others add to it", async () => {
    await trust.made(place('/www/.vscode'), 'folder');
    await trust.made(place('/www/.vscode/settings.json'), 'file');
    assert.ok(!trust.hides(place('/www/.vscode')));
    assert.ok(!trust.hides(place('/www/.vscode/settings.json')));
    assert.ok(trust.hides(place('/www/.vscode/tasks.json')));
    const holding = (...inside: string[]) =>
      trust.questionable(place('/www'), ({ path }) =>
        Promise.resolve(path === '/www' ? listing('.vscode') : listing(...inside)),
      );
    assert.deepEqual(await holding('settings.json'), []);
    assert.deepEqual(await holding('settings.json', 'tasks.json'), ['.vscode']);
    await trust.agree(place('/www'), ['.vscode']);
    assert.ok(!trust.hides(place('/www/.vscode/tasks.json')));
  });

  it("is needed for a folder that this window created if what's in it can't be listed", async () => {
    await trust.made(place('/www/.vscode'), 'folder');
    const names = trust.questionable(place('/www'), ({ path }) =>
      path === '/www' ? Promise.resolve(listing('.vscode')) : Promise.reject(new Error('no connection')),
    );
    assert.deepEqual(await names, ['.vscode']);
  });

  it('hides untrusted names at the top of an open folder and nowhere else', async () => {
    assert.ok(trust.hides(place('/www/.vscode')));
    assert.ok(trust.hides(place('/www/.vscode/settings.json')));
    assert.ok(!trust.hides(place('/www/index.php')));
    assert.ok(!trust.hides(place('/www/theme/.vscode/settings.json')));
    assert.ok(!trust.hides(place('/other/.vscode/settings.json')));
    assert.ok(!trust.hides(place('/www/.vscode/settings.json', 2)));
    await trust.agree(place('/www'), ['.vscode']);
    assert.ok(!trust.hides(place('/www/.vscode/settings.json')));
    assert.ok(trust.hides(place('/www/.mcp.json')));
  });

  it('applies to one folder of one node', async () => {
    await trust.agree(place('/www', 2), ['.vscode']);
    assert.ok(trust.hides(place('/www/.vscode/settings.json')));
  });

  it('covers the top level of a container that is open as a whole', () => {
    open.push(place('/'));
    assert.ok(trust.hides(place('/.vscode/settings.json')));
    assert.ok(!trust.hides(place('/etc/.vscode')));
    open.pop();
  });
});

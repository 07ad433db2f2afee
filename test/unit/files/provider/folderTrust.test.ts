import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { FolderTrust } from '../../../../src/files/provider/folderTrust';
import { fileAt } from '../../../scene/fileAt';

const listing = (...names: string[]) =>
  new Map(names.map((name) => [name, { absolutePath: `/www/${name}`, name, isDir: true }]));

describe('trust in a container folder', () => {
  let kept: Map<string, unknown>;
  let trust: FolderTrust;
  const open = [fileAt('/www')];

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
    trust.questionable(fileAt('/www'), () => Promise.resolve(listing(...names)));

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
    await trust.agree(fileAt('/www'), ['.vscode']);
    assert.deepEqual(await questionable('.vscode', '.mcp.json'), ['.mcp.json']);
    await trust.agree(fileAt('/www'), ['.mcp.json']);
    assert.deepEqual(await questionable('.vscode', '.mcp.json'), []);
  });

  it("isn't needed for what this window created, but for what others add to it", async () => {
    await trust.made(fileAt('/www/.vscode'), 'folder');
    await trust.made(fileAt('/www/.vscode/settings.json'), 'file');
    assert.ok(!trust.hides(fileAt('/www/.vscode')));
    assert.ok(!trust.hides(fileAt('/www/.vscode/settings.json')));
    assert.ok(trust.hides(fileAt('/www/.vscode/tasks.json')));
    const holding = (...inside: string[]) =>
      trust.questionable(fileAt('/www'), ({ path }) =>
        Promise.resolve(path === '/www' ? listing('.vscode') : listing(...inside)),
      );
    assert.deepEqual(await holding('settings.json'), []);
    assert.deepEqual(await holding('settings.json', 'tasks.json'), ['.vscode']);
    await trust.agree(fileAt('/www'), ['.vscode']);
    assert.ok(!trust.hides(fileAt('/www/.vscode/tasks.json')));
  });

  it("is needed for a folder that this window created if what's in it can't be listed", async () => {
    await trust.made(fileAt('/www/.vscode'), 'folder');
    const names = trust.questionable(fileAt('/www'), ({ path }) =>
      path === '/www' ? Promise.resolve(listing('.vscode')) : Promise.reject(new Error('no connection')),
    );
    assert.deepEqual(await names, ['.vscode']);
  });

  it('hides untrusted names at the top of an open folder and nowhere else', async () => {
    assert.ok(trust.hides(fileAt('/www/.vscode')));
    assert.ok(trust.hides(fileAt('/www/.vscode/settings.json')));
    assert.ok(!trust.hides(fileAt('/www/index.php')));
    assert.ok(!trust.hides(fileAt('/www/theme/.vscode/settings.json')));
    assert.ok(!trust.hides(fileAt('/other/.vscode/settings.json')));
    assert.ok(!trust.hides(fileAt('/www/.vscode/settings.json', { node: 2 })));
    await trust.agree(fileAt('/www'), ['.vscode']);
    assert.ok(!trust.hides(fileAt('/www/.vscode/settings.json')));
    assert.ok(trust.hides(fileAt('/www/.mcp.json')));
  });

  it('applies to one folder of one node', async () => {
    await trust.agree(fileAt('/www', { node: 2 }), ['.vscode']);
    assert.ok(trust.hides(fileAt('/www/.vscode/settings.json')));
  });

  it('covers the top level of a container that is open as a whole', () => {
    open.push(fileAt('/'));
    assert.ok(trust.hides(fileAt('/.vscode/settings.json')));
    assert.ok(!trust.hides(fileAt('/etc/.vscode')));
    open.pop();
  });
});

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

describe('trust in a folder of a container', () => {
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

  it('is a question where the folder could instruct VS Code, and of those names alone', async () => {
    assert.deepEqual(await questionable('index.php', '.vscode', '.github', '.git'), ['.vscode', '.github']);
    const agents = [
      'AGENTS.md',
      'CLAUDE.md',
      'CLAUDE.local.md',
      '.agents',
      '.cursor',
      '.copilot',
      'shop.code-workspace',
    ];
    assert.deepEqual(await questionable('index.php', ...agents), agents);
    assert.deepEqual(await questionable('index.php'), []);
  });

  it('is no question twice, but one again for a name that was not there', async () => {
    await trust.agree(place('/www'), ['.vscode']);
    assert.deepEqual(await questionable('.vscode', '.mcp.json'), ['.mcp.json']);
    await trust.agree(place('/www'), ['.mcp.json']);
    assert.deepEqual(await questionable('.vscode', '.mcp.json'), []);
  });

  it('is not asked for in what was made in this window, but in what others put beside it', async () => {
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

  it('hides what nobody has agreed to, at the top of an open folder and nowhere else', async () => {
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

  it('is given to one folder of one node', async () => {
    await trust.agree(place('/www', 2), ['.vscode']);
    assert.ok(trust.hides(place('/www/.vscode/settings.json')));
  });

  it('knows the top of a container that is open whole', () => {
    open.push(place('/'));
    assert.ok(trust.hides(place('/.vscode/settings.json')));
    assert.ok(!trust.hides(place('/etc/.vscode')));
    open.pop();
  });
});

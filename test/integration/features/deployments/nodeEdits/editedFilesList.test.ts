import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  CancellationTokenSource,
  commands,
  scm,
  type SourceControl,
  type SourceControlResourceGroup,
  type Uri,
  workspace,
} from 'vscode';
import { placeOnLayer } from '../../../../../src/containers/place';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { openInEditor, replaceAll } from '../../../support/editing';
import { until } from '../../../support/event';
import { fileUri, gantry, signedIn } from '../../../support/gantry';
import { OpenRepository, withQuietGit } from '../../../support/openRepository';
import { Person } from '../../../support/person';
import { endPeopledProject, inAHurry, startPeopledProject } from '../../../support/projects';

/** Sees the source controls that the extension creates, which VS Code's API doesn't list. */
class SourceControls {
  private readonly usual = scm.createSourceControl;
  readonly #open = new Set<SourceControl>();
  readonly #groups: SourceControlResourceGroup[] = [];

  constructor() {
    const create = (...wanted: Parameters<typeof scm.createSourceControl>) => {
      const control = this.usual(...wanted);
      const dispose = control.dispose.bind(control);
      const createGroup = control.createResourceGroup.bind(control);
      const createResourceGroup: typeof createGroup = (...named) => {
        const group = createGroup(...named);
        this.#groups.push(group);
        return group;
      };
      this.#open.add(control);
      const noteDispose = () => {
        this.#open.delete(control);
        dispose();
      };
      return Object.assign(control, { dispose: noteDispose, createResourceGroup });
    };
    Object.assign(scm, { createSourceControl: create });
  }

  /** The names of the listed files, with what a screen reader says of each. */
  spoken(): readonly string[] {
    return this.#groups
      .flatMap(({ resourceStates }) => resourceStates)
      .map(({ resourceUri, decorations }) => `${basename(resourceUri.path)}: ${decorations?.tooltip ?? ''}`)
      .sort();
  }

  only(): SourceControl | undefined {
    assert.ok(this.#open.size < 2);
    return [...this.#open][0];
  }

  /** Returns the text that an editor's gutter compares with, or `undefined` if it compares with nothing. */
  async original(uri: Uri): Promise<string | undefined> {
    const { token } = new CancellationTokenSource();
    const original = await this.only()?.quickDiffProvider?.provideOriginalResource?.(uri, token);
    return original ? (await workspace.openTextDocument(original)).getText() : undefined;
  }

  leave(): void {
    Object.assign(scm, { createSourceControl: this.usual });
  }
}

describe('the source control of edited files', () => {
  let controls: SourceControls;

  inAHurry();
  withQuietGit();
  beforeEach(() => {
    controls = new SourceControls();
  });
  afterEach(() => controls.leave());

  it('is gone once the edit was undone', async () => {
    const at = await OpenRepository.start();
    const { edited, nodeEditLog } = at.parts;
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      await at.edit('index.php', 'edited\n');
      await until(edited.onDidChange, () => edited.all.length === 1);
      await at.edit('index.php', 'one\n');
      await until(edited.onDidChange, () => edited.all.length === 0);
      assert.deepEqual(await nodeEditLog.of(at.account.slug), []);
      assert.equal(controls.only(), undefined);
    } finally {
      await at.end();
    }
  });

  it('has no file that was saved as it was, after text was typed and taken back', async () => {
    const at = await OpenRepository.start();
    const { edited, nodeEditLog } = at.parts;
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      const document = await openInEditor(at.uri('index.php'));
      await replaceAll(document, 'typed\n');
      await replaceAll(document, 'one\n');
      assert.ok(document.isDirty);
      assert.ok(await document.save());
      await workspace.fs.writeFile(at.uri('added.txt'), Buffer.from('added\n'));
      await until(edited.onDidChange, () => edited.all.length > 0);
      const paths = (await nodeEditLog.of(at.account.slug)).map(({ path }) => basename(path));
      assert.deepEqual(paths, ['added.txt']);
    } finally {
      await at.end();
    }
  });

  it('says in words which files were added and which deleted', async () => {
    const at = await OpenRepository.start();
    const { edited } = at.parts;
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      await workspace.fs.writeFile(at.uri('added.txt'), Buffer.from('added\n'));
      await workspace.fs.delete(at.uri('index.php'));
      await until(edited.onDidChange, () => edited.all.length === 2);
      assert.deepEqual(controls.spoken(), [
        'added.txt: Added on the node since the last redeploy',
        'index.php: Deleted on the node since the last redeploy',
      ]);
    } finally {
      await at.end();
    }
  });

  it('has the file on the node that took a save to all nodes, although another one refused it', async () => {
    const at = await OpenRepository.start();
    const { nodeEditLog } = at.parts;
    const edits = async () => (await nodeEditLog.of(at.account.slug)).map(({ nodeId, before }) => [nodeId, before]);
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      const document = await openInEditor(at.uri('index.php'));
      await replaceAll(document, 'edited\n');
      const fault = { kind: 'failNode', nodeId: at.setUp.nodeId(1), error: 'no space left' } as const;
      at.setUp.platform.faults.add({ operation: 'Write', fault });
      await commands.executeCommand('gantry.file.saveToAllNodes', document.uri);
      assert.ok(document.isDirty);
      await commands.executeCommand('workbench.action.files.revert');
      await until(nodeEditLog.onDidChange, async () => (await edits()).length > 0);
      assert.deepEqual(await edits(), [[at.setUp.nodeId(0), 'one\n']]);
    } finally {
      await at.end();
    }
  });

  it('is there while files are edited, and gives the gutter the deployed text of exactly these', async () => {
    const at = await OpenRepository.start();
    const person = new Person();
    const { edited } = at.parts;
    const marked = (count: number) => until(edited.onDidChange, () => edited.all.length === count);
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      assert.equal(controls.only(), undefined);

      await at.edit('index.php', 'edited\n');
      await at.noting(['new.txt'], () => at.save('new.txt', 'new\n'));
      await at.noting(['about.php'], () => workspace.fs.delete(at.uri('about.php')));
      await marked(3);
      assert.equal(await controls.original(at.uri('index.php')), 'one\n');
      assert.equal(await controls.original(at.uri('new.txt')), '');
      assert.equal(await controls.original(at.uri('about.php')), 'about\n');
      assert.equal(await controls.original(at.uri('index.php', 1)), undefined, 'on another node, nobody edited it');
      const { count, inputBox, rootUri } = controls.only() ?? assert.fail();
      assert.deepEqual([count, inputBox.visible, rootUri], [0, false, undefined]);

      await commands.executeCommand('gantry.project.applyEdits', at.place);
      await at.clone.git('add', '--all');
      await at.clone.git('commit', '--quiet', '--message', 'Edits from the node');
      await at.clone.git('push', '--quiet');
      await at.status();
      assert.equal((await at.redeploy()).asked, undefined);
      await marked(0);
      assert.equal(controls.only(), undefined);
    } finally {
      person.leave();
      await at.end();
    }
  });

  it('has edits through another account if only this one knows the project, and each file once', async () => {
    const at = await OpenRepository.start();
    const { accounts } = await gantry();
    const other = await signedIn(at.setUp.platform);
    const { edited } = at.parts;
    const shown = () => edited.all.map(({ place }) => `${basename(place.path)} of ${place.account}`).sort();
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      await at.edit('index.php', 'edited\n');
      for (const path of ['index.php', 'about.php']) {
        const uri = fileUri(other, 'shop', `cp~${at.setUp.nodeId(0)}`, `${webroot}/ROOT/${path}`);
        await at.noting([path], () => workspace.fs.writeFile(uri, Buffer.from('edited, too\n')));
      }
      await until(edited.onDidChange, () => edited.all.length === 2);
      assert.deepEqual(shown(), [`about.php of ${at.account.slug}`, `index.php of ${at.account.slug}`]);
    } finally {
      await accounts.remove(other.slug);
      await at.end();
    }
  });

  it('marks an edited file in each account of the platform, whichever it was edited through', async () => {
    const at = await OpenRepository.start();
    const { accounts } = await gantry();
    const other = await signedIn(at.setUp.platform);
    const { edited } = at.parts;
    const nodeId = at.setUp.nodeId(0);
    const isMarked = (account: string, path: string) =>
      edited.find(placeOnLayer({ account, name: 'shop' }, 'cp', nodeId, `${webroot}/ROOT/${path}`)) !== undefined;
    try {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
      await at.parts.inspector.heads({ place: at.place });
      await at.edit('index.php', 'edited\n');
      const uri = fileUri(other, 'shop', `cp~${nodeId}`, `${webroot}/ROOT/about.php`);
      await at.noting(['about.php'], () => workspace.fs.writeFile(uri, Buffer.from('edited, too\n')));
      await until(edited.onDidChange, () => edited.all.length === 2);
      for (const { slug } of [at.account, other]) {
        for (const path of ['index.php', 'about.php']) assert.ok(isMarked(slug, path), `${path} of ${slug}`);
      }
      assert.equal(await controls.original(uri), 'about\n');
    } finally {
      await accounts.remove(other.slug);
      await at.end();
    }
  });

  it('reads the records once, however many files are edited at once', async () => {
    const at = await startPeopledProject();
    const { setUp, account, place, parts } = at;
    const { nodeEditLog, edited } = parts;
    const of = nodeEditLog.of.bind(nodeEditLog);
    let reads = 0;
    try {
      await setUp.create({ updateNow: true });
      await parts.projects.read(place);
      const files = Array.from({ length: 50 }, (_, n) =>
        placeOnLayer({ account: account.slug, name: 'shop' }, 'cp', setUp.nodeId(0), `${webroot}/ROOT/new-${n}.txt`),
      );
      Object.assign(nodeEditLog, {
        of: (slug: string) => {
          reads += 1;
          return of(slug);
        },
      });
      const all = until(edited.onDidChange, () => edited.all.length === files.length);
      await Promise.all(files.map((file) => nodeEditLog.note(file, { what: 'added', before: undefined })));
      await all;
      // The second is for what was noted since the first began. VS Code's focus may lead to another.
      assert.ok(reads <= 3, `${reads} reads`);
    } finally {
      Reflect.deleteProperty(nodeEditLog, 'of');
      await endPeopledProject(at);
    }
  });

  it('gives the gutter the text before the edit if there is no clone', async () => {
    const at = await startPeopledProject();
    const { setUp, account, place, parts } = at;
    const uri = (path: string) => fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/ROOT/${path}`);
    try {
      await setUp.create({ updateNow: true });
      await parts.projects.read(place);
      const document = await openInEditor(uri('index.php'));
      await replaceAll(document, 'edited\n');
      assert.ok(await document.save());
      await workspace.fs.writeFile(uri('new.txt'), Buffer.from('new\n'));
      await until(parts.edited.onDidChange, () => parts.edited.all.length === 2);
      assert.equal(await controls.original(uri('index.php')), 'one\n');
      assert.equal(await controls.original(uri('new.txt')), '');
      assert.equal(await controls.original(uri('about.php')), undefined);
      await workspace.fs.delete(uri('index.php'));
      await until(parts.edited.onDidChange, () => parts.edited.all.some(({ edit }) => edit.what === 'removed'));
      assert.equal(await controls.original(uri('index.php')), 'one\n');
    } finally {
      await commands.executeCommand('workbench.action.closeAllEditors');
      await endPeopledProject(at);
    }
    await until(parts.edited.onDidChange, () => parts.edited.all.length === 0);
    assert.equal(controls.only(), undefined);
  });
});

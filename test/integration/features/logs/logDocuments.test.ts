import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, TabInputText, type TextEditor, Uri, window } from 'vscode';
import { filePlaceOf } from '../../../../src/containers/place';
import { formatBriefTime } from '../../../../src/ui/relativeTime';
import { closeWithoutSaving } from '../../support/editing';
import { until } from '../../support/event';
import { labelOf, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

const line = (index: number, word = 'GET') => `${index} ${word} /index.html 200\n`;
const lines = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(first + index)).join('');

describe('the document of a log', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  let path: string;
  let file: string;
  let uri: Uri;
  let count = 0;

  beforeEach(async () => {
    // VS Code keeps closed documents for a while.
    count += 1;
    path = `/var/log/nginx/test${count}.log`;
    await cp.put(path, lines(1, 5000));
    file = cp.onDisk(path);
    uri = cp.uri(path);
    scene.platform.journal.reset();
  });

  afterEach(async () => {
    await cp.remove(path);
    await cp.remove(`${path}.other`);
  });

  const open = async (moment?: number): Promise<TextEditor> => {
    await commands.executeCommand('gantry.logs.open', uri, moment);
    return window.activeTextEditor ?? assert.fail('nothing was opened');
  };
  const untilText = async (editor: TextEditor, holds: (text: string) => boolean) =>
    until(scene.parts.logDocuments.onDidChangeState, () => holds(editor.document.getText()));
  const reads = () =>
    scene.platform.journal.entries.flatMap(({ operation, parameters }) =>
      operation === 'ReadLog' ? [parameters['path']] : [],
    );
  const nextRead = () => scene.platform.journal.next(({ operation }) => operation === 'ReadLog');

  it('shows the end at once, read-only, as a log, and then new lines', async () => {
    const editor = await open();
    assert.equal(editor.document.languageId, 'log');
    assert.equal(editor.document.uri.scheme, 'gantry-log');
    assert.ok(editor.document.getText().endsWith(line(5000)));
    assert.ok(editor.document.getText().length < 200_000);
    await appendFile(file, line(5001));
    await untilText(editor, (text) => text.endsWith(line(5001)));
  });

  it("isn't shown anymore once the person has canceled", async () => {
    const opening = new AbortController();
    const shown = scene.parts.logDocuments.show(filePlaceOf(uri) ?? assert.fail(), undefined, opening.signal);
    opening.abort();
    await shown;
    assert.equal(window.activeTextEditor, undefined);
  });

  it('sends nothing while it is hidden, and shows what came meanwhile', async () => {
    await open();
    await writeFile(`${file}.other`, lines(1, 10));
    await commands.executeCommand('gantry.logs.open', uri.with({ path: `${uri.path}.other` }));
    scene.platform.journal.reset();
    await appendFile(file, line(5001));
    // The other log is followed meanwhile.
    for (let look = 0; look < 3; look++) await nextRead();
    assert.deepEqual(new Set(reads()), new Set([`${path}.other`]));
    await untilText(await open(), (text) => text.endsWith(line(5001)));
  });

  it('stays where it is while earlier lines are read, and moves again at its end', async () => {
    const editor = await open();
    await nextRead();
    const ends = () => editor.visibleRanges.at(-1)?.end.line ?? 0;
    const scrolled = (holds: () => boolean) => until(window.onDidChangeTextEditorVisibleRanges, holds);
    await scrolled(() => ends() >= editor.document.lineCount - 2);
    await commands.executeCommand('editorScroll', { to: 'up', by: 'page', value: 2 });
    await scrolled(() => ends() < editor.document.lineCount - 10);
    const first = () => editor.visibleRanges[0]?.start.line;
    const read = first();
    await appendFile(file, lines(5001, 200));
    await untilText(editor, (text) => text.endsWith(line(5200)));
    await nextRead();
    assert.equal(first(), read);
    await commands.executeCommand('editorScroll', { to: 'down', by: 'page', value: 100 });
    await scrolled(() => ends() >= editor.document.lineCount - 2);
    await appendFile(file, lines(5201, 200));
    await untilText(editor, (text) => text.endsWith(line(5400)));
    await scrolled(() => ends() >= editor.document.lineCount - 2);
  });

  it('leaves the cursor on an earlier line that the keyboard moved it to, and takes it along from the last line', async () => {
    const editor = await open();
    await nextRead();
    const cursor = () => editor.selection.active.line;
    const moved = async (command: string, holds: () => boolean) => {
      const isMoved = until(window.onDidChangeTextEditorSelection, holds);
      await commands.executeCommand(command);
      await isMoved;
    };
    const end = editor.document.lineCount - 1;
    await moved('cursorUp', () => cursor() === end - 1);
    await moved('cursorUp', () => cursor() === end - 2);
    const first = () => editor.visibleRanges[0]?.start.line;
    const read = first();
    const stays = async () => {
      await nextRead();
      assert.equal(cursor(), end - 2);
      assert.equal(first(), read);
      assert.equal(scene.parts.logDocuments.find(editor.document.uri)?.log.position, 'above');
    };
    // With each of these, the end may still be visible.
    for (const index of [5001, 5002, 5003]) {
      await appendFile(file, line(index));
      await untilText(editor, (text) => text.endsWith(line(index)));
      await stays();
    }
    await appendFile(file, lines(5004, 197));
    await untilText(editor, (text) => text.endsWith(line(5200)));
    await stays();
    await moved('cursorBottom', () => cursor() === editor.document.lineCount - 1);
    await appendFile(file, lines(5201, 200));
    await untilText(editor, (text) => text.endsWith(line(5400)));
    await until(window.onDidChangeTextEditorSelection, () => cursor() === editor.document.lineCount - 1);
  });

  it('is paused and followed again', async () => {
    const editor = await open();
    await nextRead();
    await commands.executeCommand('gantry.logs.pause');
    await writeFile(`${file}.other`, lines(1, 10));
    await commands.executeCommand('gantry.logs.open', uri.with({ path: `${uri.path}.other` }));
    await open();
    scene.platform.journal.reset();
    await appendFile(file, line(5001));
    await window.showTextDocument(editor.document);
    assert.deepEqual(reads(), []);
    await commands.executeCommand('gantry.logs.follow');
    await untilText(editor, (text) => text.endsWith(line(5001)));
  });

  it('is filtered', async () => {
    await writeFile(file, lines(1, 3000) + line(3001, 'POST') + lines(3002, 50));
    const editor = await open();
    await person.answering(['post'], () => commands.executeCommand('gantry.logs.filter'));
    await untilText(editor, (text) => text === line(3001, 'POST'));
    await appendFile(file, line(3052, 'POST') + line(3053));
    await untilText(editor, (text) => text === line(3001, 'POST') + line(3052, 'POST'));
    await person.answering([''], () => commands.executeCommand('gantry.logs.filter'));
    await untilText(editor, (text) => text.endsWith(line(3053)));
  });

  it('is extended to the start', async () => {
    const editor = await open();
    const all = lines(1, 5000);
    for (let step = 0; step < 10 && editor.document.getText() !== all; step++) {
      await commands.executeCommand('gantry.logs.loadEarlier');
    }
    assert.equal(editor.document.getText(), all);
  });

  it('is opened whole as a file, and downloaded', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-logs-'));
    const { showSaveDialog } = window;
    try {
      await open();
      Object.assign(window, { showSaveDialog: () => Promise.resolve(Uri.file(join(folder, 'saved.log'))) });
      await person.answering([], () => commands.executeCommand('gantry.logs.download'));
      assert.equal(await readFile(join(folder, 'saved.log'), 'utf8'), lines(1, 5000));
      await commands.executeCommand('gantry.logs.openWholeFile');
      const { document } = window.activeTextEditor ?? assert.fail('nothing was opened');
      assert.deepEqual([document.uri.toString(), document.getText()], [uri.toString(), lines(1, 5000)]);
    } finally {
      Object.assign(window, { showSaveDialog });
      await rm(folder, { recursive: true });
    }
  });

  it('is offered whole where only whole files can be read and it is too long', async () => {
    scene.platform.behaviour.extras = 'absent';
    try {
      await writeFile(file, 'x'.repeat(5 * 1024 * 1024 + 1));
      await person.answering([{ presses: 'Open Whole File' }], async () => {
        await commands.executeCommand('gantry.logs.open', uri);
        await until(window.tabGroups.onDidChangeTabs, () => window.tabGroups.activeTabGroup.activeTab !== undefined);
      });
      assert.match(
        person.seen.join(),
        /test\d+\.log: it's 5\.0 MB, and Gantry can read only logs of up to 5\.0 MB here\./,
      );
      const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof TabInputText);
      assert.equal(input.uri.toString(), uri.toString());
    } finally {
      scene.parts.accounts.forgetRights();
      scene.parts.environments.refresh();
    }
  });

  it('says that it was rotated, and shows what was written since below what it had', async () => {
    const editor = await open();
    const end = () =>
      editor.document
        .getText()
        .split(line(5000))[1]
        ?.replace(/at .+?\. ———/, 'at noon. ———');
    const notice = '——— The log was rotated or truncated at noon. ———\n';
    await writeFile(file, line(1, 'rotated'));
    await untilText(editor, () => end() === notice + line(1, 'rotated'));
    const [opened] = [scene.parts.logDocuments.find(editor.document.uri)];
    assert.ok(opened?.log.restartedAt !== undefined);
    await appendFile(file, line(2, 'rotated'));
    await untilText(editor, () => end() === notice + line(1, 'rotated') + line(2, 'rotated'));
  });

  it('is opened at a moment', async () => {
    const now = Date.now();
    const at = (index: number, ago: number) =>
      `${new Date(now - ago * 1000).toISOString().slice(0, 19).replace('T', ' ')} [error] line ${index}\n`;
    const text = Array.from({ length: 4000 }, (_, index) => at(index, 4000 - index)).join('');
    await writeFile(file, text);
    const editor = await open(now - 3000 * 1000);
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /line 1000$/);
    await closeWithoutSaving();
  });

  it('is opened at a moment before the lines that are already shown', async () => {
    const now = Date.now();
    const at = (index: number, ago: number) =>
      `${new Date(now - ago * 1000).toISOString().slice(0, 19).replace('T', ' ')} [error] line ${index}\n`;
    const text = Array.from({ length: 4000 }, (_, index) => at(index, 4000 - index)).join('');
    await writeFile(file, text);
    const shown = await open();
    assert.ok(!shown.document.getText().includes('line 1000\n'));
    const editor = await open(now - 3000 * 1000);
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /line 1000$/);
  });

  describe('in the Environments view', () => {
    const run = () => cp.onDisk('/var/log/run.log');
    const logsRow = async () => {
      const [row] = (await rowsBelow(scene.parts.environmentsView, 'shop', 'nginxphp')).slice(0, 1);
      const rows = await scene.parts.environmentsView.getChildren(row);
      return rows.find(({ kind }) => kind === 'logs') ?? assert.fail('no row of logs');
    };
    const children = async () => {
      const rows = await scene.parts.environmentsView.getChildren(await logsRow());
      return rows.map((row) => scene.parts.environmentsView.getTreeItem(row));
    };

    beforeEach(async () => {
      await writeFile(run(), lines(1, 100));
      await writeFile(cp.onDisk('/var/log/wtmp'), 'binary');
      scene.parts.listings.forgetAll();
    });

    afterEach(() => {
      scene.parts.accounts.forgetRights();
      const [environment] = scene.platform.environments;
      if (environment !== undefined) environment.status = 1;
      scene.parts.environments.refresh();
    });

    for (const extras of ['present', 'absent'] as const) {
      it(`are listed when their row is expanded, where the platform's own list is ${extras}`, async () => {
        await logsRow();
        scene.platform.behaviour.extras = extras;
        scene.platform.journal.reset();
        const rows = await children();
        assert.deepEqual(
          rows.map(({ label }) => label),
          ['nginx', 'run.log'],
        );
        const description = String(rows[1]?.description);
        assert.match(description, /^2\.\d KB · /);
        const { mtime } = await stat(run());
        // It may be the day after by now.
        const times = [mtime, Date.now()].map((now) => formatBriefTime(mtime, now));
        assert.ok(times.includes(description.split(' · ')[1] ?? ''), description);
        assert.equal(rows[1]?.command?.command, 'gantry.logs.open');
        const asked = scene.platform.journal.entries.map(({ operation, status }) => `${operation} ${status}`);
        // The journal doesn't have requests for what the platform doesn't offer.
        assert.deepEqual(asked, extras === 'present' ? ['GetLogs 200'] : ['GetList 200']);
      });
    }

    it('are listed from the places of the stack, too, which may be outside the usual folder', async () => {
      const [own] = scene.platform.nodes('shop', 'cp');
      assert.ok(own);
      const { nodeType } = own;
      for (const [type, folder] of [
        ['tomcat', '/opt/tomcat/logs'],
        ['jetty', '/opt/jetty/logs'],
        ['glassfish', '/opt/glassfish/glassfish/domains/domain1/logs'],
        ['payara', '/opt/payara/glassfish/domains/domain1/logs'],
        ['wildfly', '/opt/wildfly/standalone/log'],
        ['nodejs', '/opt/nodejs/logs'],
        ['postgresql', '/var/lib/pgsql/data/log'],
      ] as const) {
        const place = cp.onDisk(folder);
        await mkdir(place, { recursive: true });
        own.nodeType = type;
        scene.parts.environments.refresh();
        scene.parts.listings.forgetAll();
        try {
          const label = basename(folder);
          const rows = await children();
          assert.deepEqual(
            rows.map((row) => row.label),
            [label, 'nginx', 'run.log'],
            type,
          );
        } finally {
          own.nodeType = nodeType;
          await rm(place, { recursive: true });
        }
      }
    });

    it('send nothing for an environment that is not running, and say so', async () => {
      const [own] = scene.platform.nodes('shop', 'cp');
      const [environment] = scene.platform.environments;
      assert.ok(own && environment);
      const { nodeType } = own;
      // Its stack has another folder of logs, too.
      own.nodeType = 'nodejs';
      try {
        scene.parts.environments.refresh();
        const row = await logsRow();
        environment.status = 4;
        scene.parts.environments.refresh();
        await scene.parts.environments.of(scene.account);
        scene.parts.listings.forgetAll();
        scene.platform.journal.reset();
        const [problem] = await scene.parts.environmentsView.getChildren(row);
        assert.ok(problem);
        assert.match(labelOf(scene.parts.environmentsView, problem), /isn't running/);
        // A request that was sent beside the refusal is in the journal once later ones are.
        for (let look = 0; look < 3; look++) await scene.account.call('GetCurrentActions', {});
        const asked = scene.platform.journal.entries.map(({ operation }) => operation);
        assert.deepEqual(new Set(asked), new Set(['GetCurrentActions']));
      } finally {
        own.nodeType = nodeType;
      }
    });

    it('open at the log that says why a service failed', async () => {
      const now = Date.now();
      const stamp = new Date(now).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
      const failure = `${stamp} [emerg] unexpected end of file\n`;
      const folder = cp.onDisk('/var/log/nginx');
      await writeFile(join(folder, 'error.log'), `2020/01/01 00:00:00 [notice] start\n${failure}${failure}`);
      await writeFile(join(folder, 'access.log'), lines(1, 100));
      await commands.executeCommand('gantry.logs.open', cp.nodeRow(), now);
      const editor = window.activeTextEditor ?? assert.fail('nothing was opened');
      assert.equal(editor.document.uri.path, `/shop/cp~${cp.nodeId()}/var/log/nginx/error.log`);
      assert.equal(editor.selection.active.line, 1);
    });

    it('are found once the environment runs again, although it was listed as asleep', async () => {
      const [environment] = scene.platform.environments;
      assert.ok(environment);
      environment.status = 4;
      scene.parts.environments.refresh();
      await scene.parts.environments.of(scene.account);
      environment.status = 1;
      await person.answering([path], () => commands.executeCommand('gantry.logs.open', cp.nodeRow()));
      assert.equal(window.activeTextEditor?.document.uri.path, `/shop/cp~${cp.nodeId()}${path}`);
      assert.equal(scene.parts.environments.known(scene.slug, 'shop')?.status, 'running');
    });
  });
});

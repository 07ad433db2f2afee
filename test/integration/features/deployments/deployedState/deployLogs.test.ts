import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  ConfigurationTarget,
  Range,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { deployLogUri } from '../../../../../src/features/deployments/history/deployHistory';
import type { ProjectPlace } from '../../../../../src/features/deployments/projectPlace';
import { type DeployRecord, failedHook } from '../../../../../src/features/deployments/redeploy/redeployResult';
import { showDeployLog, shownLog } from '../../../../../src/features/deployments/history/deployLogDocuments';
import { type LogSection, splitLines } from '../../../../../src/features/deployments/history/deployLog';
import { type Behaviour, vendorDeployments } from '../../../../localPlatform/behaviour';
import { credentials, webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { openedBy } from '../../../support/editing';
import { until } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { endProject, inAHurry, type ProjectSetUp, startProject } from '../../../support/projects';

const common = '/var/log/jelastic/vcs';
/** The folders of `vcs_update.log` and of `hooks.log`, by stack. */
const stacks = {
  nginxphp: ['/var/log/nginx', '/var/log/nginx'],
  apachephp: ['/var/log/httpd', '/var/log/httpd'],
  apacheruby: ['/var/log/httpd', '/var/log/httpd'],
  nodejs: ['/opt/nodejs/logs', '/opt/nodejs/logs'],
  maven3: ['/var/log/maven', '/var/log/maven'],
  cartridge: ['/opt/repo/logs', '/opt/repo/logs'],
  tomcat10: [common, '/opt/tomcat/logs'],
  jetty9: [common, '/opt/jetty/logs'],
  wildfly: [common, '/var/log'],
  golang: [common, common],
} as const;
type Stack = keyof typeof stacks;
const allStacks = Object.keys(stacks) as readonly Stack[];

describe("the nodes' logs of a redeploy", () => {
  let at: ProjectSetUp;

  const smoothScrolling = (isOn: boolean | undefined) =>
    workspace.getConfiguration('editor').update('smoothScrolling', isOn, ConfigurationTarget.Global);

  inAHurry();
  afterEach(async () => {
    await smoothScrolling(undefined);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await endProject(at);
  });

  const start = async (behaviour: Partial<Behaviour>) => {
    at = await startProject({ pollingSpeed: 1200, ...behaviour });
    const layers = allStacks.map((nodeType) => ({ ...layer, nodeType, name: nodeType }));
    await at.setUp.platform.addEnvironment({ envName: 'all', layers });
    (await gantry()).environments.refresh();
  };
  const layer = { isVcsSupport: true, containerUser: 'user' };
  const placeOn = (stack: Stack): ProjectPlace => ({ ...at.place, environment: 'all', layer: stack });
  const redeploy = async (place: ProjectPlace): Promise<DeployRecord> => {
    const { plans, redeploys } = (await gantry()).projects;
    return redeploys.start(await plans.prepare({ place })).ended;
  };
  const hooks = JSON.stringify({ preDeploy: 'echo hooked', preBuild: 'echo hooked' });
  const createOn = (stack: Stack) => at.setUp.create({ envName: 'all', nodeGroup: stack, hooks });
  const shown = async (record: DeployRecord, isComplete: (text: string) => boolean): Promise<string> => {
    const document = await workspace.openTextDocument(deployLogUri(record));
    await until(workspace.onDidChangeTextDocument, () => isComplete(document.getText()));
    return document.getText();
  };

  it('are found in the folder of each stack, and in one document', async () => {
    await start(vendorDeployments);
    await Promise.all(allStacks.map(createOn));
    const first = await Promise.all(allStacks.map((stack) => redeploy(placeOn(stack))));
    at.setUp.platform.journal.reset();
    for (const [index, stack] of allStacks.entries()) {
      const [logs, hookLogs] = stacks[stack];
      const record = first[index] ?? assert.fail();
      const text = await shown(record, (now) => now.includes('vcs_autoresolve.log'));
      const [, update = '', ofHooks = '', reset = ''] =
        /^([^]*)^# Hooks on ([^]*)^# Reset before ([^]*)$/m.exec(text) ?? [];
      assert.match(update, /Cloning into/, stack);
      assert.ok(ofHooks.includes(`: ${hookLogs}/hooks.log\n`), `${stack}: ${ofHooks}`);
      assert.match(ofHooks, /^hooked$/m, stack);
      assert.match(reset, new RegExp(`: ${logs}/vcs_autoresolve\\.log\n.*HEAD is now at [0-9a-f]{7} first`), stack);
    }
  });

  const ownHookFolders = { tomcat10: '/opt/tomcat/logs', jetty9: '/opt/jetty/logs', wildfly: '/var/log' } as const;
  for (const kind of ['vendor', 'own'] as const) {
    it(`are listed only where they were found, and show only what is new (${kind})`, async () => {
      await start(kind === 'vendor' ? vendorDeployments : {});
      const { logs, inspector } = (await gantry()).projects;
      await Promise.all(allStacks.map(createOn));
      const deployed = allStacks.map(async (stack) => {
        const place = placeOn(stack);
        await at.setUp.update({ envName: 'all', nodeGroup: stack });
        const nodes = await inspector.nodesOf({ place });
        await logs.lengths(place, nodes);
        return { stack, place, nodes };
      });
      for (const { stack, place, nodes } of await Promise.all(deployed)) {
        at.setUp.platform.journal.reset();
        const startedAt = Date.now();
        const [lengths = {}] = await logs.lengths(place, nodes);
        await at.setUp.update({ envName: 'all', nodeGroup: stack });
        const baseline = { startedAt, logLengths: { [nodes[0]?.name ?? '']: lengths } };
        const { text = '' } = (await logs.updates(place, nodes, baseline)) ?? {};
        const [ofUpdate, ofHooks] =
          kind === 'vendor' ? stacks[stack] : [common, stack in ownHookFolders ? stacks[stack][1] : common];
        const { entries } = at.setUp.platform.journal;
        const listed = entries
          .filter(({ operation }) => operation === 'GetList')
          .map(({ parameters }) => parameters['path']);
        assert.deepEqual([...listed].sort(), [...new Set([ofUpdate, ofHooks])].sort(), stack);
        assert.match(text, new RegExp(`^# .*: ${ofUpdate}/vcs_update\\.log\n`), stack);
        assert.match(text, kind === 'vendor' ? /Already up to date/ : /update from/, stack);
        assert.doesNotMatch(text, /Cloning into|check out/, stack);
      }
    });
  }

  it('are found again if the platform writes them to another folder', async () => {
    at = await startProject();
    await at.setUp.create({ updateNow: true });
    await redeploy(at.place);
    const { behaviour, journal } = at.setUp.platform;
    Object.assign(behaviour, vendorDeployments);
    await redeploy(at.place);
    const paths = async () => {
      const record = await redeploy(at.place);
      const logs = Object.values(record.logLengths ?? {}).flatMap((lengths) => Object.keys(lengths));
      return [...new Set(logs.filter((path) => path.endsWith('/vcs_update.log')))].sort();
    };
    const inStack = '/var/log/nginx/vcs_update.log';
    assert.deepEqual(await paths(), [`${common}/vcs_update.log`, inStack]);
    journal.reset();
    assert.deepEqual(await paths(), [inStack]);
    assert.equal(
      journal.count(({ operation }) => operation === 'GetList'),
      2,
    );
  });

  it("are never quoted with a password of which a node hasn't written the end yet", async () => {
    at = await startProject();
    await at.setUp.create({ updateNow: true });
    const { logs, inspector } = (await gantry()).projects;
    const nodes = await inspector.nodesOf({ place: at.place });
    const lengths = await logs.lengths(at.place, nodes);
    const logLengths = Object.fromEntries(nodes.map(({ name }, index) => [name, lengths[index] ?? {}]));
    await appendFile(at.setUp.file(`${common}/vcs_update.log`), 'git clone https://marit:cold-t');
    const said = await logs.updates(at.place, nodes, { startedAt: Date.now(), logLengths });
    assert.equal(said?.text, `# ${nodes[0]?.name}: ${common}/vcs_update.log\ngit clone https://•••`);
  });

  it('are shown live while the redeploy runs, without the login that they repeat', async () => {
    at = await startProject(vendorDeployments);
    const wait = 'while [ ! -e start ]; do sleep 0.05; done; echo begun; while [ ! -e go ]; do sleep 0.05; done';
    await at.setUp.create({ hooks: JSON.stringify({ preDeploy: wait, postDeploy: 'echo gone on' }) });
    const { plans, redeploys } = (await gantry()).projects;
    const running = redeploys.start(await plans.prepare({ place: at.place }));
    const seen: string[] = [];
    const listening = workspace.onDidChangeTextDocument(({ document }) => seen.push(document.getText()));
    // The redeploy's row and its progress run it.
    const { document } = await openedBy(() => commands.executeCommand('gantry.project.showLog', at.place));
    const shows = (text: string) => until(workspace.onDidChangeTextDocument, () => document.getText().includes(text));
    assert.match(
      document.getText(),
      /^# The redeploy is running\.\n# Started: .*\n\nNo lines from the platform yet\.$/,
    );
    for (const node of [0, 1]) {
      await writeFile(at.setUp.file(`${webroot}/start`, { node }), '');
    }
    await shows('\nbegun\n');
    assert.doesNotMatch(document.getText(), /No lines/);
    assert.match(document.getText(), /^# Hooks on .*: \/var\/log\/nginx\/hooks\.log$/m);
    const reads = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Read');
    await commands.executeCommand('workbench.action.closeAllEditors');
    const before = reads();
    for (const node of [0, 1]) {
      await writeFile(at.setUp.file(`${webroot}/go`, { node }), '');
    }
    const record = await running.ended;
    assert.equal(record.verdict.kind, 'deployed');
    // Two for each node's commit, and one that was under way.
    assert.ok(reads() - before <= 5, `${reads() - before} reads while it was hidden`);
    await showDeployLog(record);
    const after: TextDocument = window.activeTextEditor?.document ?? assert.fail('nothing was opened');
    await until(workspace.onDidChangeTextDocument, () => after.getText().includes('\ngone on\n'));
    listening.dispose();
    const all = JSON.stringify([
      seen,
      after.getText(),
      await (await gantry()).projects.history.find(record, record.id),
    ]);
    assert.match(all, /spawn git clone http:\/\/(?:•••|marit:\*\*\*)@/);
    for (const secret of [credentials.password, encodeURIComponent(credentials.password)]) {
      assert.equal(all.includes(secret), false);
    }
  });

  const showsEnd = (editor: TextEditor, text: string) =>
    until(window.onDidChangeTextEditorVisibleRanges, () => {
      const { document, visibleRanges } = editor;
      return document.getText().includes(text) && visibleRanges.at(-1)?.end.line === document.lineCount - 1;
    });
  const followedOne = async (preDeploy: string) => {
    at = await startProject(vendorDeployments);
    await at.setUp.create({ hooks: JSON.stringify({ preDeploy }) });
    const { plans, redeploys } = (await gantry()).projects;
    const running = redeploys.start(await plans.prepare({ place: at.place }));
    return { running, editor: await openedBy(() => commands.executeCommand('gantry.project.showLog', at.place)) };
  };
  const goOn = async () => {
    for (const node of [0, 1]) await writeFile(at.setUp.file(`${webroot}/go`, { node }), '');
  };

  it('are followed to their end when the redeploy ends', async () => {
    const { running, editor } = await followedOne(
      'seq 80; while [ ! -e go ]; do sleep 0.05; done; seq 80; echo the pot is empty; exit 3',
    );
    await showsEnd(editor, '\n80\n');
    await goOn();
    await running.ended;
    await showsEnd(editor, '# The platform reports: ');
  });

  it('are followed although more comes before the editor shows the last lines', async () => {
    const { running, editor } = await followedOne('seq 80; while [ ! -e go ]; do sleep 0.05; done; exit 3');
    await showsEnd(editor, '\n80\n');
    const { history } = (await gantry()).projects;
    await goOn();
    const ended = await running.ended;
    await showsEnd(editor, '# The platform reports: ');
    // As lines may come right after others, before the editor has scrolled.
    const section = failedHook(ended)?.section ?? assert.fail('no hook failed');
    const keep = (lines: number) =>
      history.keep({ ...ended, logsBeside: [section, { ...section, text: 'more\n'.repeat(lines) }] });
    const adding = workspace.onDidChangeTextDocument(({ document }) => {
      if (document === editor.document && document.lineCount < 600) void keep(800);
    });
    await keep(300);
    await until(workspace.onDidChangeTextDocument, () => editor.document.lineCount > 800);
    await showsEnd(editor, 'more');
    adding.dispose();
  });

  it('are followed in the editor that shows their end, and in no other one', async () => {
    const { running, editor } = await followedOne('seq 80; while [ ! -e go ]; do sleep 0.05; done; exit 3');
    const { document } = editor;
    await showsEnd(editor, '\n80\n');
    const { history } = (await gantry()).projects;
    await goOn();
    const ended = await running.ended;
    await showsEnd(editor, '# The platform reports: ');
    const other = await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: false });
    const first = () => other.visibleRanges[0]?.start.line;
    other.revealRange(new Range(0, 0, 0, 0), TextEditorRevealType.AtTop);
    await until(window.onDidChangeTextEditorVisibleRanges, () => first() === 0);
    // So that the editor is still scrolling when the next lines come.
    await smoothScrolling(true);
    const section = failedHook(ended)?.section ?? assert.fail('no hook failed');
    for (let lines = 100; lines <= 1000; lines += 100) {
      await history.keep({ ...ended, logsBeside: [section, { ...section, text: 'more\n'.repeat(lines) }] });
    }
    await until(workspace.onDidChangeTextDocument, () => document.getText().split('\nmore').length > 1000);
    await showsEnd(editor, 'more');
    await smoothScrolling(undefined);
    // It comes after whatever the new lines led to.
    await commands.executeCommand('editorScroll', { to: 'down', by: 'line', value: 1 });
    await until(window.onDidChangeTextEditorVisibleRanges, () => first() !== 0);
    assert.equal(first(), 1);
  });

  it('stay at the line that says why it failed, although more of them is shown after that', async () => {
    at = await startProject(vendorDeployments);
    const preDeploy = 'while [ ! -e go ]; do sleep 0.05; done; seq 80; echo error: the pot is empty; exit 3';
    await at.setUp.create({ hooks: JSON.stringify({ preDeploy }) });
    const { plans, redeploys, history } = (await gantry()).projects;
    const running = redeploys.start(await plans.prepare({ place: at.place }));
    await commands.executeCommand('gantry.project.showLog', at.place);
    for (const node of [0, 1]) {
      await writeFile(at.setUp.file(`${webroot}/go`, { node }), '');
    }
    const ended = await running.ended;
    const section = failedHook(ended)?.section ?? assert.fail('no hook failed');
    const keep = async (...logsBeside: readonly LogSection[]) => {
      const record = { ...ended, logsBeside: [...logsBeside] };
      await history.keep(record);
      const lines = splitLines(shownLog(record).text).join('\n');
      const { document } = window.activeTextEditor ?? assert.fail('nothing was opened');
      await until(workspace.onDidChangeTextDocument, () => splitLines(document.getText()).join('\n').endsWith(lines));
      return record;
    };
    await showDeployLog(await keep(section));
    const editor = window.activeTextEditor ?? assert.fail('nothing was opened');
    const { active } = editor.selection;
    assert.equal(editor.document.lineAt(active).text, 'error: the pot is empty');
    const showsLine = (line: number) =>
      editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
    const last = editor.document.lineCount - 1;
    await until(window.onDidChangeTextEditorVisibleRanges, () => showsLine(active.line) && showsLine(last));
    const first = () => editor.visibleRanges[0]?.start.line ?? 0;
    const before = first();
    await keep(section, { ...section, text: 'more\n'.repeat(300) });
    // It comes after whatever the new lines led to.
    await commands.executeCommand('editorScroll', { to: 'up', by: 'line', value: 1 });
    await until(window.onDidChangeTextEditorVisibleRanges, () => first() < before);
    assert.ok(showsLine(active.line));
  });

  it('are read whole only for the last redeploy, and once', async () => {
    at = await startProject(vendorDeployments);
    await at.setUp.create({ hooks });
    const earlier = await redeploy(at.place);
    const last = await redeploy(at.place);
    const { history } = (await gantry()).projects;
    await shown(last, (text) => text.includes('vcs_autoresolve.log'));
    assert.equal((await history.find(last, last.id))?.logsBeside?.length, 4);
    at.setUp.platform.journal.reset();
    await showDeployLog(last);
    await showDeployLog(earlier);
    assert.deepEqual(at.setUp.platform.journal.entries, []);
    assert.equal((await history.find(earlier, earlier.id))?.logsBeside, undefined);
  });

  for (const operation of ['GetList', 'Read'] as const) {
    it(`are read the next time if ${operation} failed when they were first shown`, async () => {
      at = await startProject(vendorDeployments);
      await at.setUp.create({ hooks });
      const record = await redeploy(at.place);
      const { history, logs } = (await gantry()).projects;
      const beside = logs.beside.bind(logs);
      const first = new Promise<unknown>((resolve) => {
        logs.beside = (...asked) => {
          const read = beside(...asked);
          resolve(read);
          return read;
        };
      });
      const { faults } = at.setUp.platform;
      faults.add({ operation, times: 'always', fault: { kind: 'refuse', result: 99, error: 'try later' } });
      await showDeployLog(record);
      assert.equal(await first, undefined);
      faults.clear();
      logs.beside = beside;
      assert.equal((await history.find(record, record.id))?.logsBeside, undefined);
      // The document is asked for again.
      await history.keep(record);
      const { document } = window.activeTextEditor ?? assert.fail('nothing was opened');
      await until(workspace.onDidChangeTextDocument, () => document.getText().includes('vcs_autoresolve.log'));
      assert.match(document.getText(), /^hooked$/m);
    });
  }

  const ends = { 'is long': 'checked out\n'.repeat(30_000), "doesn't end with a line": 'checked out' } as const;
  for (const [kind, end] of Object.entries(ends)) {
    it(`are read once if the log ${kind}`, async () => {
      at = await startProject(vendorDeployments);
      await at.setUp.create({ updateNow: true });
      const { logs, inspector } = (await gantry()).projects;
      const [node] = await inspector.nodesOf({ place: at.place });
      assert.ok(node);
      const startedAt = Date.now();
      const [lengths = {}] = await logs.lengths(at.place, [node]);
      await appendFile(at.setUp.file('/var/log/nginx/vcs_update.log'), end);
      const { journal } = at.setUp.platform;
      journal.reset();
      const part = await logs.updates(at.place, [node], { startedAt, logLengths: { [node.name]: lengths } });
      assert.equal(part?.text.split('\n').at(-1) ?? '', end.split('\n').at(-1));
      assert.match(part?.text ?? '', /^checked out$/m);
      assert.deepEqual(
        journal.entries.map(({ operation }) => operation),
        ['Read', 'GetList'],
      );
    });
  }
});

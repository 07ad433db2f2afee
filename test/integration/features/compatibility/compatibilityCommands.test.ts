import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, window, workspace } from 'vscode';
import type { FilePlace } from '../../../../src/containers/place';
import { type Answer, escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';
import { untilTrue } from '../../support/untilTrue';
import { windowScene } from '../../support/windowScene';
import { warnAboutUnreadableChecks } from '../../../../src/features/compatibility/compatibility';

const folder = '/var/www/webroot';

describe('Check Platform Compatibility', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person } = scene;
  const cp = scene.environment('shop').layer('cp');
  const sqldb = scene.environment('shop').layer('sqldb');
  const webroot = cp.below(folder);
  const page = webroot.below('ROOT');

  const check = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.platform.checkCompatibility', scene.slug));
  const inFolder = async () => {
    const found = cp.nodes.map((_, node) => webroot.names('', node));
    return (await Promise.all(found)).flat().sort();
  };
  const changes = () =>
    scene.platform.journal.entries
      .filter(({ operation, result }) => !/^(Get|Read$|Check)/.test(operation) && result === 0)
      .map(({ operation }) => operation);
  const report = () => window.activeTextEditor?.document.getText() ?? '';
  const write = (): Answer[] => [
    String(cp.nodeId()),
    'Run Write Check',
    { typed: `${folder}/`, pick: `Use this folder ${folder}` },
  ];

  it('changes nothing if the person gives up at any question', async () => {
    scene.platform.journal.reset();
    await check(escape);
    await check(String(cp.nodeId()), 'Show Report');
    assert.match(report(), /only read from the platform/);
    await check(...write(), escape);
    assert.deepEqual(changes(), []);
  });

  it('names what it writes, and production, before it does; then leaves nothing behind and reports', async () => {
    const existing = await inFolder();
    await inProduction(['shop'], () => check(...write(), 'Write Test Files'));
    const asked = person.seen.join('\n');
    assert.match(asked, /production environment/);
    assert.match(asked, new RegExp(folder));
    assert.match(asked, new RegExp(`${cp.nodeId()}`));
    assert.deepEqual(await inFolder(), existing);
    assert.match(report(), /## Works/);
    assert.match(report(), /wrote to a scratch folder/);
    await commands.executeCommand('gantry.platform.copyReport', scene.slug);
    const copied = await env.clipboard.readText();
    assert.match(copied, /overwriting: replaces/);
    for (const value of [scene.platform.origin, folder, 'shop', String(cp.nodeId()), scene.platform.sample.email]) {
      assert.equal(copied.includes(value), false, value);
    }
  });

  it('is neither kept nor reported for an account that is signed out meanwhile', async () => {
    const { slug } = scene;
    const { accounts, files } = scene.parts;
    const asked = scene.hang('GetTokenTemplates');
    const checked = check(String(cp.nodeId()));
    await asked.reached;
    try {
      await accounts.remove(slug);
      asked.release();
      await checked;
      assert.match(person.seen.join('\n'), /the account is signed out/);
      await untilTrue(
        () => files.compatibility.of(slug) === undefined,
        () => 'the check is still known',
      );
    } finally {
      await scene.signIn();
    }
  });

  it('refuses what the platform does not do safely, with the reason, and forgets that when signed out', async () => {
    const { files, containers } = scene.parts;
    scene.platform.behaviour.overwriting = 'appends';
    await check(...write(), 'Write Test Files');
    assert.match(report(), /Unsafe and turned off[^]*Overwriting a file/);
    scene.platform.journal.reset();
    await assert.rejects(containers.write(page.place('index.php'), 'text'), /doesn't replace the file's content/);
    assert.deepEqual(changes(), []);
    assert.notEqual(files.compatibility.of(scene.slug), undefined);
    await files.forgetAccount(scene.slug);
    assert.equal(files.compatibility.of(scene.slug), undefined);
  });

  it('still refuses that after a check that only read, or whose writing was canceled, and says so in the report', async () => {
    const { files, containers } = scene.parts;
    const refused = () =>
      assert.rejects(containers.write(page.place('index.php'), 'text'), /doesn't replace the file's content/);
    scene.platform.behaviour.overwriting = 'appends';
    await check(...write(), 'Write Test Files');
    await check(String(cp.nodeId()), 'Show Report');
    await refused();
    assert.match(report(), /only read from the platform.+\nWhat only writing shows is from an earlier check\.\n/);
    assert.match(report(), /Unsafe and turned off[^]*Overwriting a file/);
    await commands.executeCommand('gantry.platform.copyReport', scene.slug);
    const copied = await env.clipboard.readText();
    assert.match(copied, /reading only\.\nWhat only writing shows is from an earlier check\.[^]*overwriting: appends/);
    await check(String(cp.nodeId()), escape);
    await refused();
    scene.fail('Write', { kind: 'reset', when: 'after' });
    await check(...write(), 'Write Test Files');
    assert.match(report(), /The write check ended early\.\nWhat only writing shows is from an earlier check\./);
    await refused();
    scene.platform.behaviour.overwriting = 'replaces';
    await check(...write(), 'Write Test Files');
    assert.doesNotMatch(report(), /earlier check|Overwriting a file: /);
    await files.forgetAccount(scene.slug);
  });

  it('lets files be renamed, moved, and copied to free names where the platform replaces what exists, and to no others', async () => {
    const { containers } = scene.parts;
    scene.platform.behaviour.existingTarget = 'overwritten';
    await check(...write(), 'Write Test Files');
    assert.match(report(), /Renaming onto a file that exists[^]*Gantry looks first/);
    const { uri } = page;
    await workspace.fs.writeFile(uri('one.txt'), Buffer.from('one\n'));
    await workspace.fs.rename(uri('one.txt'), uri('two.txt'));
    await workspace.fs.copy(uri('two.txt'), uri('three.txt'));
    assert.equal(Buffer.from(await workspace.fs.readFile(uri('three.txt'))).toString(), 'one\n');
    const [two, existing] = [page.place('two.txt'), page.place('index.php')];
    scene.platform.journal.reset();
    await assert.rejects(containers.rename(two, existing), { kind: 'exists' });
    await assert.rejects(containers.copy(two, existing), { kind: 'exists' });
    assert.deepEqual(changes(), []);
    for (const name of ['two.txt', 'three.txt']) {
      await workspace.fs.delete(uri(name));
    }
  });

  it('finds that the platform ignores node IDs, and says why changes and comparisons of nodes are off, but only those', async () => {
    const { containers } = scene.parts;
    scene.platform.behaviour.nodeIds = 'ignored';
    const existing = await inFolder();
    await check(...write(), 'Write Test Files');
    assert.match(
      report(),
      /Unsafe and turned off\n\n- Changes on one node: The platform ignores which node a request names\./,
    );
    assert.deepEqual(await inFolder(), existing);
    scene.platform.journal.reset();
    const reason = /ignores which node a request names.+Gantry refuses changes in layers with several nodes/;
    for (const place of [page.place('index.php'), page.onLayer('index.php')]) {
      await assert.rejects(containers.write(place, 'text'), reason);
    }
    await person.answering([], () => commands.executeCommand('gantry.file.compareNodes', page.uri('index.php')));
    assert.match(person.seen.join('\n'), /^Couldn't compare index\.php across nodes\. .+ignores which node/m);
    assert.deepEqual(changes(), []);
    // The only node of its layer can't be mistaken for another.
    await containers.write(sqldb.place('/var/lib/backup/note.txt'), 'text');
  });

  describe('whose window closed', () => {
    const name = 'gantry-check-0123abcd';
    const closed = { owner: { window: 'closed', host: hostname() }, announce: () => Promise.resolve() };
    const record = (...folders: readonly FilePlace[]) =>
      scene.parts.files.compatibility.scratchRecord(scene.slug, name, closed).begin(folders);
    const recorded = () => {
      const { compatibility, presence } = scene.parts.files;
      return compatibility.leftFolders(scene.slug, presence);
    };
    const mention =
      /^A compatibility check didn't remove its scratch folder .+gantry-check-0123abcd \(node \d+ \(Application servers\), Saltmarsh Tea\)\.$/m;

    beforeEach(() => webroot.makeFolder(name));
    afterEach(() => webroot.remove(name));

    it('has its scratch folder mentioned by the next check, and removed if the person wants that', async () => {
      await record(webroot.place(name));
      await check(String(cp.nodeId()), 'Show Report');
      assert.match(person.seen.join('\n'), mention);
      assert.ok(webroot.exists(name));
      const gone = scene.platform.journal.nextArrival(({ operation }) => operation === 'Delete');
      await inProduction(['shop'], () => check(String(cp.nodeId()), { presses: 'Delete' }, 'Delete', 'Show Report'));
      await gone;
      while ((await recorded()).length > 0);
      assert.ok(!webroot.exists(name));
      assert.match(person.seen.join('\n'), /production environment/);
    });

    it('no longer has its folder mentioned if the person keeps it, or if it is gone', async () => {
      await record(webroot.place(name));
      await check(String(cp.nodeId()), { presses: 'Keep' }, 'Show Report');
      while ((await recorded()).length > 0);
      assert.ok(webroot.exists(name));
      await record(webroot.place('gantry-check-00000000'));
      await check(String(cp.nodeId()), 'Show Report');
      assert.doesNotMatch(person.seen.join('\n'), /didn't remove/);
      assert.deepEqual(await recorded(), []);
    });

    it('is not mentioned while the window with the check is open, and never with another name, account, or layer', async () => {
      const { files } = scene.parts;
      await files.compatibility.scratchRecord(scene.slug, name, files.presence).begin([webroot.place(name)]);
      await check(String(cp.nodeId()), 'Show Report');
      assert.doesNotMatch(person.seen.join('\n'), /didn't remove/);
      const mine = webroot.place(name);
      await record(webroot.place('ROOT'), { ...mine, account: 'another' }, webroot.onLayer(name), {
        ...mine,
        path: `${mine.path}/..`,
      });
      scene.platform.journal.reset();
      await check(String(cp.nodeId()), 'Show Report');
      assert.doesNotMatch(person.seen.join('\n'), /didn't remove/);
      assert.deepEqual(changes(), []);
      assert.ok(webroot.exists(name) && webroot.exists('ROOT'));
    });
  });
});

const anna = { slug: 'anna', label: 'Anna, app.example.com' };
const bert = { slug: 'bert', label: 'Bert, app.example.com' };

describe('a stored compatibility check that cannot be read', () => {
  let person: Person;

  beforeEach(() => {
    person = new Person();
  });
  afterEach(() => person.leave());

  const warn = (unreadable: readonly string[], ...answers: readonly Answer[]) =>
    person.answering(answers, () =>
      warnAboutUnreadableChecks({
        accounts: { list: [anna, bert], untilRead: () => Promise.resolve() },
        compatibility: { loaded: Promise.resolve(false), isUnreadable: (slug) => unreadable.includes(slug) },
      }),
    );

  it('is named in one message, and not mentioned if all can be read', async () => {
    await warn(['anna', 'bert']);
    assert.deepEqual(person.seen, [
      "Couldn't read the last compatibility check of Anna, app.example.com, Bert, app.example.com, so Gantry allows all changes there. Check again to make sure they're safe.",
    ]);
    await warn([]);
    assert.deepEqual(person.seen, []);
  });

  it('leads to the diagnostics', async () => {
    await env.clipboard.writeText('');
    await warn(['anna'], { presses: 'Copy Diagnostics' });
    assert.match(await env.clipboard.readText(), /# Gantry diagnostics/);
  });

  it('leads to a new check of the account', async () => {
    const run: unknown[] = [];
    const { executeCommand } = commands;
    Object.assign(commands, { executeCommand: (...all: readonly unknown[]) => Promise.resolve(void run.push(all)) });
    try {
      await warn(['bert'], { presses: 'Check Compatibility…' });
    } finally {
      Object.assign(commands, { executeCommand });
    }
    assert.deepEqual(run, [['gantry.platform.checkCompatibility', 'bert']]);
  });
});

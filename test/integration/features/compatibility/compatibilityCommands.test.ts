import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, afterEach, beforeEach } from 'mocha';
import { commands, env, window, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { type FilePlace, filePlaceOf } from '../../../../src/containers/place';
import { usualBehaviour } from '../../../localPlatform/behaviour';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { fileUri, gantry, signedIn } from '../../support/gantry';
import { type Answer, escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';
import { warnAboutUnreadableChecks } from '../../../../src/features/compatibility/compatibility';

const folder = '/var/www/webroot';

describe('Check Platform Compatibility', () => {
  let platform: LocalPlatform;
  let account: Account;
  let person: Person;
  let node: number;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    account = await signedIn(platform);
    node = platform.nodes('shop', 'cp')[0]?.id ?? 0;
    person = new Person();
  });

  after(async () => {
    person.leave();
    await commands.executeCommand('workbench.action.closeAllEditors');
    const { accounts } = await gantry();
    if (accounts.find(account.slug) !== undefined) {
      await accounts.remove(account.slug);
    }
    await platform.dispose();
  });

  const check = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.platform.checkCompatibility', account.slug));
  const inFolder = async () => {
    const found = platform.nodes('shop', 'cp').map(({ id }) => readdir(join(platform.nodeFolder(id), folder)));
    return (await Promise.all(found)).flat().sort();
  };
  const changes = () =>
    platform.journal.entries
      .filter(({ operation, result }) => !/^(Get|Read$|Check)/.test(operation) && result === 0)
      .map(({ operation }) => operation);
  const report = () => window.activeTextEditor?.document.getText() ?? '';
  const write = (): Answer[] => [
    String(node),
    'Run Write Check',
    { typed: `${folder}/`, pick: `Use this folder ${folder}` },
  ];

  it('changes nothing if the person gives up at any question', async () => {
    platform.journal.reset();
    await check(escape);
    await check(String(node), 'Show Report');
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
    assert.match(asked, new RegExp(`${node}`));
    assert.deepEqual(await inFolder(), existing);
    assert.match(report(), /## Works/);
    assert.match(report(), /wrote to a scratch folder/);
    await commands.executeCommand('gantry.platform.copyReport', account.slug);
    const copied = await env.clipboard.readText();
    assert.match(copied, /overwriting: replaces/);
    for (const value of [platform.origin, folder, 'shop', String(node), platform.sample.email]) {
      assert.equal(copied.includes(value), false, value);
    }
  });

  it('refuses what the platform does not do safely, with the reason, and forgets that when signed out', async () => {
    const { files, containers } = await gantry();
    platform.behaviour.overwriting = 'appends';
    await check(...write(), 'Write Test Files');
    assert.match(report(), /Unsafe and turned off[^]*Overwriting a file/);
    const at = { kind: 'file', account: account.slug, environment: 'shop' } as const;
    const file = { ...at, target: { nodeGroup: 'cp', nodeId: node }, path: `${folder}/ROOT/index.php` };
    platform.journal.reset();
    await assert.rejects(containers.write(file, 'text'), /doesn't replace the file's content/);
    assert.deepEqual(changes(), []);
    assert.notEqual(files.compatibility.of(account.slug), undefined);
    await files.forgetAccount(account.slug);
    assert.equal(files.compatibility.of(account.slug), undefined);
  });

  it('lets files be renamed, moved, and copied to free names where the platform replaces what exists, and to no others', async () => {
    const { containers } = await gantry();
    Object.assign(platform.behaviour, usualBehaviour);
    platform.behaviour.existingTarget = 'overwritten';
    await check(...write(), 'Write Test Files');
    assert.match(report(), /Renaming onto a file that exists[^]*Gantry looks first/);
    const uri = (name: string) => fileUri(account, 'shop', `cp~${node}`, `${folder}/ROOT/${name}`);
    await workspace.fs.writeFile(uri('one.txt'), Buffer.from('one\n'));
    await workspace.fs.rename(uri('one.txt'), uri('two.txt'));
    await workspace.fs.copy(uri('two.txt'), uri('three.txt'));
    assert.equal(Buffer.from(await workspace.fs.readFile(uri('three.txt'))).toString(), 'one\n');
    const [two, page] = ['two.txt', 'index.php'].map((name) => filePlaceOf(uri(name)));
    assert.ok(two && page);
    platform.journal.reset();
    await assert.rejects(containers.rename(two, page), { kind: 'exists' });
    await assert.rejects(containers.copy(two, page), { kind: 'exists' });
    assert.deepEqual(changes(), []);
    for (const name of ['two.txt', 'three.txt']) {
      await workspace.fs.delete(uri(name));
    }
  });

  it('finds that the platform ignores node IDs, and says why changes and comparisons of nodes are off, but only those', async () => {
    const { containers } = await gantry();
    Object.assign(platform.behaviour, usualBehaviour, { nodeIds: 'ignored' });
    const existing = await inFolder();
    try {
      await check(...write(), 'Write Test Files');
      assert.match(
        report(),
        /Unsafe and turned off\n\n- Changes on one node: The platform ignores which node a request names\./,
      );
      assert.deepEqual(await inFolder(), existing);
      platform.journal.reset();
      const reason = /ignores which node a request names.+Gantry refuses changes in layers with several nodes/;
      const path = `${folder}/ROOT/index.php`;
      const at = { kind: 'file', account: account.slug, environment: 'shop', path } as const;
      for (const target of [{ nodeGroup: 'cp', nodeId: node }, { nodeGroup: 'cp' }]) {
        await assert.rejects(containers.write({ ...at, target }, 'text'), reason);
      }
      await person.answering([], () =>
        commands.executeCommand('gantry.file.compareNodes', fileUri(account, 'shop', `cp~${node}`, path)),
      );
      assert.match(person.seen.join('\n'), /^Couldn't compare index\.php across nodes\. .+ignores which node/m);
      assert.deepEqual(changes(), []);
      // The only node of its layer can't be mistaken for another.
      const [database] = platform.nodes('shop', 'sqldb');
      assert.ok(database);
      const target = { nodeGroup: 'sqldb', nodeId: database.id };
      await containers.write({ ...at, target, path: '/var/lib/backup/note.txt' }, 'text');
    } finally {
      Object.assign(platform.behaviour, usualBehaviour);
    }
  });

  describe('whose window closed', () => {
    const name = 'gantry-check-0123abcd';
    const closed = { owner: { window: 'closed', host: hostname() }, announce: () => Promise.resolve() };
    const place = (path: string): FilePlace => ({
      kind: 'file',
      account: account.slug,
      environment: 'shop',
      path,
      target: { nodeGroup: 'cp', nodeId: node },
    });
    const onDisk = (path: string) => join(platform.nodeFolder(node), path);
    const record = async (...folders: readonly FilePlace[]) => {
      const { files } = await gantry();
      await files.compatibility.scratchRecord(account.slug, name, closed).begin(folders);
    };
    const recorded = async () => {
      const { files } = await gantry();
      return files.compatibility.leftFolders(account.slug, files.presence);
    };
    const mention =
      /^A compatibility check didn't remove its scratch folder .+gantry-check-0123abcd \(node \d+ \(Application servers\), Saltmarsh Tea\)\.$/m;

    beforeEach(() => mkdir(onDisk(`${folder}/${name}`)));
    afterEach(() => rm(onDisk(`${folder}/${name}`), { recursive: true, force: true }));

    it('has its scratch folder mentioned by the next check, and removed if the person wants that', async () => {
      await record(place(`${folder}/${name}`));
      await check(String(node), 'Show Report');
      assert.match(person.seen.join('\n'), mention);
      assert.ok(existsSync(onDisk(`${folder}/${name}`)));
      const gone = platform.journal.nextArrival(({ operation }) => operation === 'Delete');
      await inProduction(['shop'], () => check(String(node), { presses: 'Delete' }, 'Delete', 'Show Report'));
      await gone;
      while ((await recorded()).length > 0);
      assert.equal(existsSync(onDisk(`${folder}/${name}`)), false);
      assert.match(person.seen.join('\n'), /production environment/);
    });

    it('no longer has its folder mentioned if the person keeps it, or if it is gone', async () => {
      await record(place(`${folder}/${name}`));
      await check(String(node), { presses: 'Keep' }, 'Show Report');
      while ((await recorded()).length > 0);
      assert.ok(existsSync(onDisk(`${folder}/${name}`)));
      await record(place(`${folder}/gantry-check-00000000`));
      await check(String(node), 'Show Report');
      assert.doesNotMatch(person.seen.join('\n'), /didn't remove/);
      assert.deepEqual(await recorded(), []);
    });

    it('is not mentioned while the window with the check is open, and never with another name, account, or layer', async () => {
      const { files } = await gantry();
      await files.compatibility.scratchRecord(account.slug, name, files.presence).begin([place(`${folder}/${name}`)]);
      await check(String(node), 'Show Report');
      assert.doesNotMatch(person.seen.join('\n'), /didn't remove/);
      const mine = place(`${folder}/${name}`);
      await record(
        place(`${folder}/ROOT`),
        { ...mine, account: 'another' },
        { ...mine, target: { nodeGroup: 'cp' } },
        place(`${folder}/${name}/..`),
      );
      platform.journal.reset();
      await check(String(node), 'Show Report');
      assert.doesNotMatch(person.seen.join('\n'), /didn't remove/);
      assert.deepEqual(changes(), []);
      assert.ok(existsSync(onDisk(`${folder}/${name}`)) && existsSync(onDisk(`${folder}/ROOT`)));
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

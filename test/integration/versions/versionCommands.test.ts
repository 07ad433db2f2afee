import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, type Uri, window, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from '../../../src/extension';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor, replaceAll } from '../support/editing';
import { filePlaceOf } from '../../../src/containers/place';
import { until } from '../support/event';
import { fileUri, gantry, signedIn } from '../support/gantry';
import { escape, Person } from '../support/person';
import { inProduction } from '../support/production';

describe('the versions of a file', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let account: Account;
  let person: Person;
  let count = 0;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    parts = await gantry();
    account = await signedIn(platform);
  });

  beforeEach(async () => {
    person = new Person();
    count += 1;
    await writeFile(disk(), '\uFEFFone\r\n');
    parts.listings.forgetAll();
  });

  afterEach(async () => {
    person.leave();
    await setting('keep', undefined);
    await closeWithoutSaving();
  });

  after(async () => {
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const setting = (name: string, value: unknown) =>
    workspace.getConfiguration('gantry.versionHistory').update(name, value, ConfigurationTarget.Global);
  const node = () => platform.nodes('shop', 'cp')[0]?.id ?? assert.fail('no node');
  const path = (name = 'site.conf') => `/etc/nginx/conf.d/${count}-${name}`;
  const disk = (name?: string) => join(platform.nodeFolder(node()), path(name));
  const uri = (name?: string) => fileUri(account, 'shop', `cp~${node()}`, path(name));
  const save = async (text: string, name?: string): Promise<Uri> => {
    const document = await openInEditor(uri(name));
    await replaceAll(document, text);
    assert.ok(await document.save());
    return document.uri;
  };
  /** Waits until so many versions are kept, which happens after the save. */
  const kept = async (most: number, name?: string) => {
    const place = filePlaceOf(uri(name)) ?? assert.fail();
    for (;;) {
      const versions = await parts.fileVersions.of(place);
      if (versions.length >= most) return versions.map(({ text }) => text);
    }
  };
  const isKept = () => workspace.getConfiguration('gantry.versionHistory').get('keep');
  const seen = () => person.seen.join('\n');
  const restore = (...answers: Parameters<Person['answering']>[0]) =>
    person.answering(answers, () => commands.executeCommand('gantry.version.restore', uri()));

  it('are kept only after the person agreed, and then also what was saved before', async () => {
    await setting('keep', 'ask');
    const question = 'Should Gantry keep earlier versions';
    await person.answering([{ presses: 'Keep Versions' }], async () => {
      await save('two\n');
      await until(person.onDidSee, () => seen().includes(question));
    });
    await kept(2);
    await person.answering([], () => save('three\n'));
    await kept(3);
    assert.ok(!seen().includes(question));
    await restore(escape);
    assert.equal(person.seen.filter((one) => /just now: .* · 1 line/.test(one)).length, 3, seen());
  });

  it('are not kept if the person refuses, or for files that may hold secrets', async () => {
    await setting('keep', 'ask');
    await person.answering([{ presses: "Don't Keep" }], async () => {
      await save('two\n');
      await until(person.onDidSee, () => seen().includes('Should Gantry'));
    });
    await until(workspace.onDidChangeConfiguration, () => isKept() === 'off');
    await restore();
    assert.match(seen(), /No earlier versions of \d+-site\.conf: the setting gantry\.versionHistory\.keep is off\./);
    await setting('keep', 'on');
    await writeFile(disk('tls.key'), 'one\n');
    parts.listings.forgetAll();
    await person.answering([], () => save('two\n', 'tls.key'));
    await save('three\n');
    await kept(2);
    await person.answering([], () => commands.executeCommand('gantry.version.restore', uri('tls.key')));
    assert.match(seen(), /No earlier versions of \d+-tls\.key\./);
  });

  it('are restored byte for byte, and can be restored again', async () => {
    await setting('keep', 'on');
    await save('two words\n');
    await kept(2);
    const [before, saved] = [Buffer.from('\uFEFFone\r\n'), await readFile(disk())];
    await person.answering(['1 line'], async () => {
      const { showQuickPick } = window;
      // The oldest one is the last in the list.
      Object.assign(window, {
        showQuickPick: (choices: readonly { label: string }[], options: object) =>
          showQuickPick(choices.slice(-1), options),
      });
      try {
        await commands.executeCommand('gantry.version.restore', uri());
      } finally {
        Object.assign(window, { showQuickPick });
      }
    });
    assert.deepEqual(await readFile(disk()), before);
    assert.match(seen(), /Restored \d+-site\.conf to the version from .+\./);
    const document = await openInEditor(uri());
    await until(workspace.onDidChangeTextDocument, () => document.getText() === 'one\r\n');
    assert.deepEqual(await kept(3), ['\uFEFFone\r\n', saved.toString(), '\uFEFFone\r\n']);
  });

  it('are compared with the file as it is now', async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await person.answering(['1 line'], () => commands.executeCommand('gantry.version.compare', uri()));
    assert.match(window.tabGroups.activeTabGroup.activeTab?.label ?? '', /site\.conf: just now ↔ Current/);
  });

  it("aren't restored over unsaved changes, or in production without a question", async () => {
    await setting('keep', 'on');
    await save('two\n');
    await kept(2);
    await inProduction(['shop'], () => restore('1 line', escape));
    assert.match(seen(), /^Restore \d+-site\.conf to the version from .+\?$/m);
    const document = await openInEditor(uri());
    await replaceAll(document, 'unsaved\n');
    await restore();
    assert.match(seen(), /has unsaved changes\. Save or revert them first\./);
    assert.ok(document.isDirty);
  });
});

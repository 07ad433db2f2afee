import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { window } from 'vscode';
import { mayHoldSecrets } from '../../../../src/containers/secretFiles';
import { Journal } from '../../../../src/files/journal/journal';
import type { JournalLimits } from '../../../../src/files/journal/entry';
import { Backups } from '../../../../src/files/saving/backups';
import { showJournalTrouble } from '../../../../src/files/saving/saveNotice';
import { backupsIn, closedWindow, limitsOf, readBackups } from '../../../unit/files/journal/journalSetUp';
import { type } from '../../support/editing';
import { until } from '../../support/event';
import { escape } from '../../support/person';
import { untilTrue } from '../../support/untilTrue';
import { windowScene } from '../../support/windowScene';
import { fileAt } from '../../../scene/fileAt';

describe('a notice about saving', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { opened } = cp;

  it("warns once that unsaved text can't be kept on disk", async () => {
    const [one, other] = [await opened('one\n'), await opened('other\n')];
    const { saveBackups } = scene.parts.files;
    const [keep, show] = [saveBackups.keep.bind(saveBackups), window.showWarningMessage];
    const said: string[] = [];
    const failing = () => Promise.reject(new Error('no space left on device'));
    try {
      const told = new Promise<void>((resolve) => {
        const showWarningMessage = (text: string) => {
          said.push(text);
          resolve();
          return Promise.resolve(undefined);
        };
        Object.assign(window, { showWarningMessage });
      });
      saveBackups.keep = failing;
      await type(one.document, '# new\n');
      await told;
      assert.match(said[0] ?? '', /Couldn't back up unsaved text on this computer/);
      const again = new Promise<void>((resolve) => {
        saveBackups.keep = () => failing().finally(resolve);
      });
      await type(other.document, '# new\n');
      await again;
      await nextTurn();
      assert.equal(said.length, 1);
    } finally {
      Object.assign(window, { showWarningMessage: show });
      saveBackups.keep = keep;
    }
    assert.ok(await one.document.save(), 'it is saved all the same');
  });

  describe('about the journal', () => {
    const { person } = scene;
    const logged: string[] = [];
    const log = { warn: (line: string) => logged.push(line), show: () => undefined };
    /** The interrupted saves as a window has them that says what this one would say. */
    const openWindow = (limits?: JournalLimits) => {
      const options = { hasConsent: () => true, isForgotten: () => Promise.resolve(false), mayHoldSecrets };
      const presence = closedWindow(randomUUID());
      const journal = new Journal(scene.local(), { ...options, presence, onTrouble: showJournalTrouble(log) }, limits);
      return new Backups(journal, 'save');
    };
    const keep = (backups: Backups, path: string, text: string) =>
      backups.keep({ place: fileAt(path), base: { kind: 'anything' }, text });

    it('says once that texts are damaged, and leaves out only these', async () => {
      const before = openWindow();
      for (const name of ['one', 'two', 'three']) await keep(before, `/etc/${name}.conf`, `text ${name}`);
      const texts = scene.local('a/texts');
      for (const name of await readdir(texts)) {
        const file = join(texts, name);
        if (!(await readFile(file, 'utf8')).includes('three')) await writeFile(file, 'damaged');
      }
      let found: readonly (string | undefined)[] = [];
      await person.answering([], async () => {
        const next = openWindow();
        found = (await readBackups(next)).map(({ text }) => text);
        await readBackups(next);
      });
      assert.deepEqual([...found].sort(), ['text three', undefined, undefined]);
      assert.deepEqual(person.seen, [
        'Some of what Gantry kept on this computer is left out, because its files are damaged.',
      ]);
      assert.equal(logged.length, 2);
    });

    it('says that a redeploy may not ask about an edit, and leads to the log', async () => {
      const tell = showJournalTrouble({ warn: log.warn, show: () => void logged.push('shown') });
      logged.length = 0;
      await person.answering([{ presses: 'Show Gantry Log' }], async () => {
        tell({ kind: 'editNotNoted', error: new Error('no space left on device') });
        await untilTrue(
          () => logged.includes('shown'),
          () => 'the log is not shown',
        );
      });
      assert.equal(
        person.seen[0],
        "Couldn't record an edit in a project on this computer (no space left on device). Until this is fixed, redeploys may discard edits without asking.",
      );
    });

    it('says once how much space unfinished changes take, and its button lists the interrupted saves', async () => {
      const { place } = await cp.file('/srv/full.conf', 'old\n');
      const ended = backupsIn(scene.parts.files.journal.folder, closedWindow('ended'));
      await ended.keep({ place, base: { kind: 'version', version: { text: 'old\n', place } }, text: 'typed\n' });
      const full = openWindow(limitsOf({ all: 1_000 }));
      const warning =
        "Texts of changes that aren't finished take more than 1000 B on this computer. Restore or discard interrupted saves that you no longer need.";
      await person.answering([{ presses: 'Show Interrupted Saves' }, escape], async () => {
        await keep(full, '/etc/one.conf', 'one'.repeat(1_000));
        await until(person.onDidSee, () => person.seen.some((text) => text.includes('full.conf')));
      });
      assert.equal(person.seen[0], warning);
      await person.answering([], () => keep(full, '/etc/two.conf', 'two'.repeat(1_000)));
      assert.deepEqual(person.seen, []);
      const [left] = (await ended.entries()).filter((one) => one.place.path === place.path);
      await ended.discard(left ?? assert.fail());
    });
  });
});

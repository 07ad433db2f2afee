import { ExpectedError } from '../../ui/expectedError';
import { commands, FileChangeType, l10n } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import type { Replacement } from '../../containers/serverSideOperations';
import type { ReplacedText } from '../../featureApis';
import { readWholeText } from '../../files/wholeText';
import { changeOnce, hasNotHappened } from '../../platform/lostReply';
import { showInformationMessage } from '../../ui/notifications';
import { type ProgressHandle, withProgress } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { ensureSaved } from './fileCommands';
import { uriOf } from '../../containers/uris';
import type { Services } from '../../services';
import { ensureUnmasked } from '../../files/saving/outcomeTexts';

export function replaceCommands(services: Services) {
  return {
    'gantry.file.replace': services.targets.onFile(async (file) => {
      services.containers.ensureOffered('ReplaceInBody', file);
      // The platform would change the file under what was typed and not saved.
      ensureSaved([file]);
      const ensureSameNodes = await services.containers.rememberNodes([file]);
      const replacement = await askReplacement(file);
      if (replacement !== undefined) {
        // The user may have edited it while answering the questions.
        ensureSaved([file]);
        await ensureSameNodes();
        await replaceInFile(file, replacement, services);
      }
    }),
  };
}

async function askReplacement(file: FilePlace): Promise<Replacement | undefined> {
  const entered = await askInTurn(l10n.t('Replace in {0}', nameOf(file)), [
    { key: 'pattern', prompt: l10n.t('Text to find, as a sed regular expression') },
    { key: 'replacement', prompt: l10n.t('Replacement text (plain text)'), mayBeEmpty: true },
    {
      key: 'most',
      prompt: l10n.t('Maximum number of replacements (empty to replace all)'),
      mayBeEmpty: true,
      problem: (text) =>
        /^([1-9]\d{0,8})?$/.test(text) ? undefined : l10n.t('Enter 1 or more, or leave the field empty.'),
    },
  ]);
  if (entered === undefined) {
    return undefined;
  }
  const { pattern = '', replacement = '', most = '' } = entered;
  return { pattern, replacement, most: most === '' ? undefined : Number(most) };
}

/** Lets the platform replace text in a file, on one node or on all nodes of a layer. */
async function replaceInFile(file: FilePlace, replacement: Replacement, services: Services): Promise<void> {
  ensureUnmasked(nameOf(file), replacement.replacement);
  const title = l10n.t('Replacing in {0}', file.path);
  const { all, kept } = await withProgress(title, (progress) =>
    services.queue.take([file], () => replace(file, replacement, services, progress)),
  );
  const changed = all.filter(({ before, after }) => before !== after);
  const [first] = changed;
  if (first === undefined) {
    services.complete(kept.end('over'));
    void showInformationMessage(l10n.t('No matches in {0}.', nameOf(file)));
    return;
  }
  const [show, undo] = [l10n.t('Show Changes'), l10n.t('Undo')];
  const mayUndo = changed.every((change) => isReplacement(change, replacement));
  const noted = mayUndo
    ? services.features.versions.use((versions) => versions.noteWritten(changed, 'replaceInFile'))
    : Promise.resolve();
  services.complete(noted);
  const undoChanges = mayUndo ? await keepReplaced(changed, services) : undefined;
  // Without a version and a way back, the text before is offered as one of an interrupted save.
  services.complete(Promise.allSettled([noted]).then(() => kept.end(undoChanges === undefined ? 'unknown' : 'over')));
  const text = mayUndo
    ? resultText(file, all, first)
    : l10n.t(
        "{0} also has changes that aren't part of the replacement, so Gantry can't undo it. Check the file.",
        nameOf(file),
      );
  const later = undoChanges && l10n.t('To undo this later, run Undo Replacement.');
  const chosen = await showInformationMessage([text, later ?? ''].join(' ').trim(), show, ...(later ? [undo] : []));
  if (chosen === show) {
    const shown = l10n.t('{0}: Before ↔ After', nameOf(file));
    const before = services.texts.add(nameOf(file), first.before);
    await commands.executeCommand('vscode.diff', before, uriOf(first.place), shown);
  } else if (chosen === undo) {
    await undoChanges?.();
  }
}

/** Returns what undoes it, unless it isn't known what else can be undone, which is said. */
async function keepReplaced(changed: readonly ReplacedText[], { features, report }: Services) {
  try {
    return await features.search.use((search) => search.keepReplaced(changed));
  } catch (error) {
    report(error);
    return undefined;
  }
}

async function replace(file: FilePlace, replacement: Replacement, services: Services, { signal }: ProgressHandle) {
  const { containers, serverOperations, saves } = services;
  const nodes = await containers.nodes(file);
  const all = await Promise.all(
    nodes.map(async (place) => ({ place, before: await readWholeText(place, services, signal) })),
  );
  const changes = () =>
    Promise.all(all.map(async (known) => ({ ...known, after: await containers.read(known.place, { signal }) })));
  // The window may close before it's known what the platform made of them.
  const kept = await saves.keepChanges(
    ...all.map(({ place, before }) => {
      const base = { kind: 'version', version: { text: before, place } } as const;
      return { place, cause: 'replaceInFile', base } as const;
    }),
  );
  let isMade = false;
  try {
    await changeOnce(
      () => serverOperations.replace(file, replacement, { signal }),
      async () => {
        const changed = (await changes()).filter(({ before, after }) => before !== after);
        if (changed.length > 0) {
          // It may also be someone else's change.
          throw new ExpectedError(unconfirmedText(file, changed.length, all.length));
        }
        // Either nothing matched or nothing happened, so report the lost response.
        return false;
      },
    );
    isMade = true;
    return { all: await changes(), kept };
  } catch (error) {
    // Even if the platform rejected it, some of several nodes may have changed.
    await kept.end(!isMade && hasNotHappened(error) && nodes.length === 1 ? 'over' : 'unknown');
    throw error;
  } finally {
    announce(file, nodes, services);
  }
}

function unconfirmedText(file: FilePlace, changed: number, nodes: number): string {
  return file.target.nodeId === undefined
    ? l10n.t(
        'The connection was lost before the platform confirmed the replacement. Check whether the changes to {0} on {1} of {2} nodes are yours.',
        nameOf(file),
        changed,
        nodes,
      )
    : l10n.t(
        'The connection was lost before the platform confirmed the replacement. Check whether the changes to {0} are yours.',
        nameOf(file),
      );
}

/** Whether a change can come from the replacement alone: every changed line contains its text. */
function isReplacement({ before, after }: ReplacedText, { replacement }: Replacement): boolean {
  const [was, is] = [before.split('\n'), after.split('\n')];
  return (
    was.length === is.length &&
    is.every((line, index) => {
      const old = was[index] ?? '';
      return line === old || (replacement === '' ? line.length < old.length : line.includes(replacement));
    })
  );
}

function resultText(file: FilePlace, all: readonly ReplacedText[], { before, after }: ReplacedText): string {
  if (file.target.nodeId === undefined) {
    const changed = all.filter((change) => change.before !== change.after).length;
    return l10n.t('Replaced text in {0} on {1} of {2} nodes.', nameOf(file), changed, all.length);
  }
  const was = before.split('\n');
  const lines = after.split('\n').filter((line, index) => line !== was[index]).length;
  return lines === 1
    ? l10n.t('Replaced text in 1 line of {0}.', nameOf(file))
    : l10n.t('Replaced text in {0} lines of {1}.', lines, nameOf(file));
}

function announce(file: FilePlace, nodes: readonly FilePlace[], { announce }: Services): void {
  const others = nodes.filter((node) => node !== file);
  announce([file, ...others].map((place) => ({ place, type: FileChangeType.Changed })));
}

import { commands, FileChangeType, l10n } from 'vscode';
import { locationText } from '../../containers/locationText';
import { childOf, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import type { Replacement } from '../../containers/serverSideOperations';
import { uriOf } from '../../containers/uris';
import type { ReplacedText } from '../../featureApis';
import { ensureWritable } from '../../files/saving/textObstacle';
import { readWholeText } from '../../files/wholeText';
import { isPlatformError, type PlatformErrorKind } from '../../platform/errors';
import { changeOnce, hasNotHappened } from '../../platform/lostReply';
import { resultCodes } from '../../platform/resultCodes';
import type { Services } from '../../services';
import { type ChangeConfirmation, step } from '../../ui/commands/runner';
import { ExpectedError } from '../../ui/expectedError';
import { modalLines, showInformationMessage } from '../../ui/notifications';
import { type ProgressHandle, withProgress } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { askValue } from '../../ui/quickPick';
import { ensureSaved } from './fileCommands';

/** Commands that the platform itself carries out in a container: Replace in File, and unpacking archives. */
export function serverSideCommands(services: Services) {
  const { targets, containers, serverOperations } = services;
  return {
    'gantry.file.replace': targets.onFile(async (file) => {
      containers.ensureOffered('ReplaceInBody', file);
      // The platform would change the file under what was typed and not saved.
      ensureSaved([file]);
      const ensureSameNodes = await containers.rememberNodes([file]);
      const replacement = await askReplacement(file);
      if (replacement !== undefined) {
        // The user may have edited it while answering the questions.
        ensureSaved([file]);
        await ensureSameNodes();
        await replaceInFile(file, replacement, services);
      }
    }),

    'gantry.archive.unpack': targets.onFile(
      step({
        needs(archive: FilePlace) {
          containers.ensureOffered('UnpackById', archive);
          serverOperations.nodeToUnpackOn(archive);
        },
        ask: askUnpackFolder,
        confirm: (archive, folder) => unpackQuestion(archive, folder, [archive], services),
        run: (archive, folder) =>
          unpacking([archive], folder, services, (signal) => serverOperations.unpack(archive, folder, { signal })),
        done: (_, archive, folder) => unpackedStatus(archive, folder),
      }),
    ),

    'gantry.archive.unpackOnType': targets.onFile(
      step({
        needs: (archive: FilePlace) => containers.ensureOffered('UnpackByType', archive),
        async ask(archive) {
          const on = await nodesOfSameType(archive, services);
          const folder = await askUnpackFolder(archive);
          return folder === undefined ? undefined : { on, folder };
        },
        confirm: (archive, { on, folder }) => unpackQuestion(archive, folder, on.nodes, services),
        async run(archive, { on, folder }) {
          await ensureSameType(archive, on, services);
          await unpacking([archive, ...on.nodes], folder, services, (signal) =>
            serverOperations.unpackOnType(archive, on.type, folder, { signal }),
          );
        },
        done: (_, archive, { folder }) => unpackedStatus(archive, folder),
      }),
    ),
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
  ensureWritable(nameOf(file), replacement.replacement);
  const title = l10n.t('Replacing in {0}', file.path);
  const { all, kept } = await withProgress(title, (progress) =>
    services.queue.take([file], () => replace(file, replacement, services, progress)),
  );
  const changed = all.filter(isChanged);
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
  const { containers, serverOperations, saves, announce } = services;
  const nodes = await containers.nodes(file);
  const all = await Promise.all(
    nodes.map(async (place) => ({ place, before: await readWholeText(place, services, signal) })),
  );
  let seen: readonly ReplacedText[] | undefined;
  const changes = async () =>
    (seen = await Promise.all(
      all.map(async (known) => ({ ...known, after: await containers.read(known.place, { signal }) })),
    ));
  // The window may close before it's known what the platform made of them.
  const kept = await saves.keepChanges(
    ...all.map(({ place, before }) => {
      const base = { kind: 'version', version: { text: before, place } } as const;
      return { place, cause: 'replaceInFile', base } as const;
    }),
  );
  let isMade = false;
  let isUnchanged = false;
  try {
    await changeOnce(
      () => serverOperations.replace(file, replacement, { signal }),
      async () => {
        const changed = (await changes()).filter(isChanged);
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
    isUnchanged = !isMade && hasNotHappened(error) && nodes.length === 1;
    await kept.end(isUnchanged ? 'over' : 'unknown');
    throw error;
  } finally {
    // A file without a match isn't recorded as edited.
    const edited = seen?.filter(isChanged).map(({ place }) => place) ?? (isUnchanged ? [] : nodes);
    for (const place of new Set([file, ...nodes])) {
      const isCertain = place === file ? edited.length === nodes.length : edited.includes(place);
      announce([{ place, type: FileChangeType.Changed }], { isCertain });
    }
  }
}

function isChanged({ before, after }: ReplacedText): boolean {
  return before !== after;
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
    const changed = all.filter(isChanged).length;
    return l10n.t('Replaced text in {0} on {1} of {2} nodes.', nameOf(file), changed, all.length);
  }
  const was = before.split('\n');
  const lines = after.split('\n').filter((line, index) => line !== was[index]).length;
  return lines === 1
    ? l10n.t('Replaced text in 1 line of {0}.', nameOf(file))
    : l10n.t('Replaced text in {0} lines of {1}.', lines, nameOf(file));
}

async function askUnpackFolder(archive: FilePlace): Promise<string | undefined> {
  const here = parentOrSelf(archive).path;
  const folder = await askValue({
    title: l10n.t('Unpack {0}', nameOf(archive)),
    prompt: l10n.t('Enter the path of the destination folder'),
    value: here,
    valueSelection: [here.length, here.length],
    validateInput: (text) => (text.startsWith('/') ? undefined : l10n.t('Enter an absolute path, such as /var/www.')),
  });
  return folder === undefined ? undefined : folder.replace(/(?<!\/)\/+$/, '') || '/';
}

function unpackQuestion(
  archive: FilePlace,
  folder: string,
  on: readonly FilePlace[],
  { environments }: Services,
): ChangeConfirmation {
  const each = l10n.t('Each node unpacks its own copy of {0}.', archive.path);
  const loss = l10n.t('Existing files with the same names will be replaced.');
  return {
    when: 'always',
    places: [archive, ...on],
    titles: environments,
    question: l10n.t('Unpack “{0}” into {1}?', nameOf(archive), folder),
    paragraphs: [
      modalLines(on.map((one) => locationText(one, environments))),
      on.length === 1 ? loss : `${each} ${loss}`,
    ],
    button: l10n.t('Unpack'),
  };
}

function unpackedStatus(archive: FilePlace, folder: string) {
  return { icon: 'check', status: l10n.t('Unpacked {0} into {1}', nameOf(archive), folder) };
}

/** With these errors, nothing was unpacked. */
const beforeUnpacking: ReadonlySet<PlatformErrorKind> = new Set(['unauthenticated', 'tokenLacksMethod', 'notFound']);

/** @param archives the selected archive, and its location on each node that unpacks its own copy */
async function unpacking(
  archives: readonly [FilePlace, ...FilePlace[]],
  folder: string,
  { announce, listings }: Services,
  unpack: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const [archive] = archives;
  const tell = () => {
    const into = archives.map((one) => ({ ...one, path: folder }));
    into.forEach((one) => listings.forget(one));
    const place = (one: FilePlace) => childOf(one, nameOf(archive));
    announce(into.map((one) => ({ place: place(one), type: FileChangeType.Created, unpacked: archive.path })));
  };
  try {
    await withProgress(l10n.t('Unpacking {0}', nameOf(archive)), ({ signal }) => unpack(signal));
  } catch (error) {
    // Otherwise, some files may have been unpacked, and of several nodes, others may have done it.
    const isRefused =
      isPlatformError(error) &&
      error.nodes.length <= 1 &&
      (beforeUnpacking.has(error.kind) || error.result === resultCodes.wrongState);
    if (!isRefused) {
      tell();
    }
    throw error;
  }
  tell();
}

/** Nodes can come while the questions are open, and the platform unpacks on each node that has the type. */
async function ensureSameType(
  archive: FilePlace,
  asked: Awaited<ReturnType<typeof nodesOfSameType>>,
  services: Services,
): Promise<void> {
  const now = await nodesOfSameType(archive, services, 0);
  const idsOf = (nodes: readonly FilePlace[]) => nodes.map(({ target }) => target.nodeId).sort();
  if (now.type !== asked.type || idsOf(now.nodes).join() !== idsOf(asked.nodes).join()) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't unpack {0}: {1} has other nodes of this type than before the question, so nothing was unpacked. Try again to unpack on those that it has now.",
        nameOf(archive),
        services.environments.titleOf(archive),
      ),
    );
  }
}

/**
 * Returns the nodes that UnpackByType affects, in any layer.
 * @param maxAge of the platform's list of nodes, in milliseconds
 */
async function nodesOfSameType(archive: FilePlace, { environments, containers }: Services, maxAge?: number) {
  const all = await environments.now(containers.account(archive.account), maxAge);
  const layers = all.find(({ name }) => name === archive.environment)?.layers ?? [];
  const nodes = layers.flatMap(({ id, nodes: inLayer }) => inLayer.map((node) => ({ layer: id, node })));
  const own = nodes.find(({ layer, node }) =>
    archive.target.nodeId === undefined ? layer === archive.target.nodeGroup : node.id === archive.target.nodeId,
  );
  const type = own?.node.type;
  if (type === undefined) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't unpack: the platform doesn't report the node type of {0}. Use Unpack instead.",
        locationText(archive, environments),
      ),
    );
  }
  return {
    type,
    nodes: nodes
      .filter(({ node }) => node.type === type)
      .map(({ layer, node }) => ({ ...archive, target: { nodeGroup: layer, nodeId: node.id } })),
  };
}

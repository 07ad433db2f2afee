import { ExpectedError } from '../../ui/expectedError';
import { env, FileChangeType, l10n, window } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import { ensureWritable } from '../../files/saving/textObstacle';
import { textFlawOf, utf8Length } from '../../files/text';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { changeOnce, hasNotHappened } from '../../platform/lostReply';
import { type ChangeConfirmation, step } from '../../ui/commands/runner';
import { type ProgressHandle, withProgress } from '../../ui/progress';
import { askChoice, askValue, type Choice } from '../../ui/quickPick';
import { ensureSaved } from './fileCommands';
import type { Services } from '../../services';

export function appendCommands(services: Services) {
  const { targets, containers, queue } = services;
  return {
    'gantry.file.append': targets.onFile(
      step({
        needs: (file: FilePlace) => containers.ensureOffered('Append', file),
        async ask(file) {
          const ensureSameNodes = await containers.rememberNodes([file], 'append');
          const text = await askTextToAppend(file);
          if (text === undefined) {
            return undefined;
          }
          // The platform would change the file under what was typed and not saved.
          ensureSaved([file]);
          ensureWritable(nameOf(file), text);
          return { text, ensureSameNodes };
        },
        confirm: (file, { text }) => piecesQuestion(file, text, services),
        run: (file, { text, ensureSameNodes }) =>
          withProgress(l10n.t('Appending to {0}', file.path), (progress) =>
            queue.take([file], async () => {
              await ensureSameNodes();
              await append(file, text, services, progress);
            }),
          ),
        done: (_, file) => ({ icon: 'check', status: l10n.t('Appended to {0}', nameOf(file)) }),
      }),
    ),
  };
}

async function askTextToAppend(file: FilePlace): Promise<string | undefined> {
  const typed = Symbol('typed');
  const selected = selectedText();
  const shown = selected.trim().slice(0, 80);
  const choices = [
    { label: l10n.t('Enter a line…'), icon: 'edit', value: typed },
    // What is in the clipboard may be a secret, such as a token that was just copied.
    ...offered({ icon: 'clippy', label: l10n.t('From clipboard') }, await env.clipboard.readText()),
    ...offered({ icon: 'list-selection', label: l10n.t('From editor selection'), detail: shown }, selected),
  ];
  const title = l10n.t('Append to {0}', nameOf(file));
  const placeHolder = l10n.t('Select the text to append to {0}', file.path);
  const chosen = choices.length === 1 ? typed : await askChoice<string | typeof typed>(choices, { title, placeHolder });
  return chosen === typed ? askValue({ title, prompt: l10n.t('Line to append to {0}', file.path) }) : chosen;
}

function offered(choice: Pick<Choice, 'icon' | 'label' | 'detail'>, text: string): Choice[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const description = lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
  return text.trim() === '' ? [] : [{ ...choice, description, value: text }];
}

function selectedText(): string {
  const editor = window.activeTextEditor;
  return editor === undefined ? '' : editor.document.getText(editor.selection);
}

/** A longer file isn't read to check for a final line break. */
const muchText = 1024 * 1024;

/** The file on a node before the change: its length, and its text if it's short enough. */
interface Before {
  readonly node: FilePlace;
  readonly entry: FileEntry | undefined;
  readonly length: number;
  readonly text: string | undefined;
}

/** What is sent at once: to one node, or to all nodes of a layer. */
interface Appended {
  readonly place: FilePlace;
  readonly body: string;
  /** The file on each of these nodes. */
  readonly nodes: readonly Before[];
}

function piecesQuestion(file: FilePlace, text: string, { containers }: Services): ChangeConfirmation | undefined {
  // Assume that a leading line break is necessary: that isn't known yet.
  const pieces = containers.pieces(file, `\n${text}\n`).length;
  if (pieces === 0) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't append to {0}: its path is too long for this platform's URLs. Use SFTP or the platform's dashboard.",
        file.path,
      ),
    );
  }
  return pieces === 1
    ? undefined
    : {
        when: 'always',
        question: l10n.t('Append to {0} in {1} pieces?', nameOf(file), pieces),
        paragraphs: [
          l10n.t(
            'The text is too long for one request to this platform. The file is incomplete until the last piece arrives.',
          ),
        ],
        button: l10n.t('Append in Pieces'),
      };
}

/**
 * Appends whole lines: adds a line break first if the file doesn't end with one. Appends on each node by itself if only
 * some of them need one.
 */
async function append(file: FilePlace, text: string, services: Services, progress: ProgressHandle): Promise<void> {
  const places = await services.containers.nodes(file, 'Append');
  const nodes = await Promise.all(places.map((node) => readBefore(node, services, progress.signal)));
  const bodies = new Set(nodes.map((node) => wholeLines(text, node)));
  const [body = ''] = bodies;
  if (bodies.size === 1) {
    await appendAtOnce({ place: file, body, nodes }, services, progress);
    return;
  }
  for (const [index, node] of nodes.entries()) {
    const { path, target } = node.node;
    try {
      await appendAtOnce({ place: node.node, body: wholeLines(text, node), nodes: [node] }, services, progress);
    } catch (cause) {
      if (index === 0) {
        throw cause;
      }
      const text = l10n.t(
        'The text was appended to {0} on other nodes, but not confirmed on node {1}. Check the end of the file there.',
        path,
        target.nodeId ?? '',
      );
      const left = nodes.slice(index + 1).map((one) => one.node.target.nodeId);
      const rest = left.length === 0 ? '' : ` ${l10n.t('Not attempted: {0}.', left.join(', '))}`;
      throw new ExpectedError(text + rest, { cause });
    }
  }
}

async function readBefore(node: FilePlace, { listings, containers }: Services, signal: AbortSignal): Promise<Before> {
  const entry = await listings.lookUp(node);
  const length = entry?.length ?? 0;
  return { node, entry, length, text: length > muchText ? undefined : await containers.read(node, { signal }) };
}

async function appendAtOnce(sent: Appended, services: Services, progress: ProgressHandle): Promise<void> {
  const kept = await keepTexts(sent, services);
  let isSent = false;
  try {
    await send(sent, services, progress);
    isSent = true;
    const after = await verify(sent, services, progress.signal);
    const noted = noteVersion(sent, after, services);
    // If a file doesn't begin with what was there, only this has it: it may be a rotated log, or damaged.
    const isWhole = sent.nodes.every(({ text = '' }, index) => after[index]?.startsWith(text) !== false);
    services.complete(noted.finally(() => kept.end(isWhole ? 'over' : 'unknown')));
  } catch (error) {
    await kept.end(!isSent && hasNotHappened(error) ? 'over' : 'unknown');
    throw error;
  }
}

/** Returns the text that each node has now, if it was read. Rejects if one doesn't have what was appended. */
function verify(
  { place, body, nodes }: Appended,
  { containers, listings }: Services,
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  return Promise.all(
    nodes.map(async ({ node, length, text }) => {
      const after = text === undefined ? undefined : await containers.read(node, { signal });
      const isThere =
        text === undefined || after === undefined
          ? ((await listings.lookUp(node))?.length ?? 0) >= length + utf8Length(body)
          : mayContain(after, body, text);
      if (!isThere) {
        throw new ExpectedError(
          l10n.t(
            "The platform reported success, but {0} doesn't contain the appended text. Check the end of the file.",
            place.path,
          ),
        );
      }
      return after;
    }),
  );
}

/** Returns all of the file's text, if it's known and the file is on a single node. */
function onlyText({ place, nodes: [first] }: Appended): string | undefined {
  const isKnown = place.target.nodeId !== undefined && first?.text !== undefined;
  return isKnown && textFlawOf(first.text, first.entry) === undefined ? first.text : undefined;
}

/** Keeps what the file has and will have until it's known that nothing was lost: the window may close halfway. */
function keepTexts(sent: Appended, { saves }: Services) {
  const { place, body } = sent;
  const text = onlyText(sent);
  if (text === undefined) {
    return saves.keepChanges();
  }
  const base = { kind: 'version', version: { text, place } } as const;
  return saves.keepChanges({ place, cause: 'append', base, text: text + body });
}

function wholeLines(text: string, { text: before = '' }: Before): string {
  const isNewLine = before === '' || before.endsWith('\n');
  return `${isNewLine ? '' : '\n'}${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Adds what a node has now to the versions of the file, if nothing else has changed and all of its text is known. */
async function noteVersion(
  sent: Appended,
  [after]: readonly (string | undefined)[],
  { features }: Services,
): Promise<void> {
  const { place, body } = sent;
  const text = onlyText(sent);
  if (text !== undefined && after === text + body) {
    await features.versions.use((versions) => versions.noteWritten([{ place, before: text, after }], 'append'));
  }
}

/** Sends a text in as many requests as it needs, each only once. */
async function send(sent: Appended, services: Services, { signal, say }: ProgressHandle): Promise<void> {
  const { place, body } = sent;
  const pieces = services.containers.pieces(place, body);
  let begun = '';
  let isEdited = true;
  try {
    for (const [index, piece] of pieces.entries()) {
      say(nameOf(place), pieces.length === 1 ? undefined : index / pieces.length);
      begun += piece;
      const arrived = { ...sent, body: begun };
      await changeOnce(
        () => services.containers.append(place, piece, { signal }),
        () => hasArrived(arrived, services, signal),
      );
    }
  } catch (cause) {
    if (begun !== (pieces[0] ?? '')) {
      throw new ExpectedError(
        l10n.t('Only part of the text was appended to {0}. Check the end of the file.', place.path),
        { cause },
      );
    }
    // Even if the platform rejected it, some of several nodes may have changed.
    isEdited = !hasNotHappened(cause) || sent.nodes.length > 1;
    throw cause;
  } finally {
    services.announce([{ place, type: FileChangeType.Changed }], { isCertain: isEdited });
  }
}

/** Whether the added part contains the text. It isn't known if the file was replaced, such as a rotated log. */
function mayContain(text: string, body: string, before: string): boolean {
  return (text.startsWith(before) ? text.slice(before.length) : text).includes(body);
}

/** Whether the added part contains the text on every node. Other programs may append too, for example to a log. */
async function hasArrived(
  { body, nodes }: Appended,
  { containers, listings }: Services,
  signal: AbortSignal,
): Promise<boolean> {
  const arrived = await Promise.all(
    nodes.map(async ({ node, length, text: before }) => {
      const text = await containers.read(node, { signal });
      if (before !== undefined) {
        return text.startsWith(before) && text.slice(before.length).includes(body);
      }
      // The length is in bytes, so only slice a text that matches the file exactly.
      const isExact = textFlawOf(text, await listings.lookUp(node)) === undefined;
      return isExact && Buffer.from(text).subarray(length).includes(body);
    }),
  );
  return arrived.every((isThere) => isThere);
}

import { ExpectedError } from '../../ui/expectedError';
import { env, FileChangeType, l10n, window } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import { ensureUnmasked } from '../../files/saving/outcomeTexts';
import { textFlawOf, utf8Length } from '../../files/text';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { changeOnce, hasNotHappened } from '../../platform/lostReply';
import { confirm } from '../../ui/notifications';
import { type ProgressHandle, withProgress } from '../../ui/progress';
import { askChoice, askValue, type Choice } from '../../ui/quickPick';
import { ensureSaved } from './fileCommands';
import type { Services } from '../../services';
import { showStatusMessage } from '../../ui/statusBar';

export function appendCommands(services: Services) {
  return {
    'gantry.file.append': services.targets.onFile(async (file) => {
      services.containers.ensureOffered('Append', file);
      const ensureSameNodes = await services.containers.rememberNodes([file], 'append');
      const text = await askTextToAppend(file);
      if (text !== undefined) {
        // The platform would change the file under what was typed and not saved.
        ensureSaved([file]);
        await appendText(file, { text, ensureSameNodes }, services);
      }
    }),
  };
}

async function askTextToAppend(file: FilePlace): Promise<string | undefined> {
  const typed = Symbol('typed');
  const choices = [
    { label: l10n.t('Enter a line…'), icon: 'edit', value: typed },
    ...offered('clippy', l10n.t('From clipboard'), await env.clipboard.readText()),
    ...offered('list-selection', l10n.t('From editor selection'), selectedText()),
  ];
  const title = l10n.t('Append to {0}', nameOf(file));
  const placeHolder = l10n.t('Select the text to append to {0}', file.path);
  const chosen = choices.length === 1 ? typed : await askChoice<string | typeof typed>(choices, { title, placeHolder });
  return chosen === typed ? askValue({ title, prompt: l10n.t('Line to append to {0}', file.path) }) : chosen;
}

function offered(icon: string, label: string, text: string): Choice[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const description = lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
  const detail = text.trim().slice(0, 80);
  return text.trim() === '' ? [] : [{ icon, label, description, detail, value: text }];
}

function selectedText(): string {
  const editor = window.activeTextEditor;
  return editor === undefined ? '' : editor.document.getText(editor.selection);
}

/** A longer file isn't read to check for a final line break. */
const muchText = 1024 * 1024;

/** The file before the change: its length, and its text if it's short enough. */
interface Before {
  readonly entry: FileEntry | undefined;
  readonly length: number;
  readonly text: string | undefined;
}

/** Appends whole lines: adds a line break first if the file doesn't end with one. */
async function appendText(
  file: FilePlace,
  { text, ensureSameNodes }: { readonly text: string; readonly ensureSameNodes: () => Promise<void> },
  services: Services,
): Promise<void> {
  ensureUnmasked(nameOf(file), text);
  // Assume that a leading line break is necessary: that isn't known yet.
  const pieces = services.containers.pieces(file, `\n${text}\n`).length;
  if (pieces !== 1 && !(await mayAppendInPieces(file, pieces))) {
    return;
  }
  const title = l10n.t('Appending to {0}', file.path);
  await withProgress(title, (progress) =>
    services.queue.take([file], async () => {
      await ensureSameNodes();
      await append(file, text, services, progress);
    }),
  );
  showStatusMessage('check', l10n.t('Appended to {0}', nameOf(file)), 5000);
}

function mayAppendInPieces(file: FilePlace, pieces: number): Promise<boolean> {
  if (pieces === 0) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't append to {0}: its path is too long for this platform's URLs. Use SFTP or the platform's dashboard.",
        file.path,
      ),
    );
  }
  const question = l10n.t('Append to {0} in {1} pieces?', nameOf(file), pieces);
  const consequence = l10n.t(
    'The text is too long for one request to this platform. The file is incomplete until the last piece arrives.',
  );
  return confirm(question, [consequence], l10n.t('Append in Pieces'));
}

async function append(file: FilePlace, text: string, services: Services, progress: ProgressHandle): Promise<void> {
  const { signal } = progress;
  const entry = await services.listings.lookUp(file);
  const length = entry?.length ?? 0;
  const before: Before = {
    entry,
    length,
    text: length > muchText ? undefined : await services.containers.read(file, { signal }),
  };
  const body = wholeLines(text, before);
  const kept = await keepTexts(file, before, body, services);
  let isSent = false;
  try {
    await send(file, body, before, services, progress);
    isSent = true;
    const after = await verify(file, body, before, services, signal);
    const noted = noteVersion(file, before, body, after, services);
    // If the file doesn't begin with what was there, only this has it: it may be a rotated log, or damaged.
    const isWhole = after === undefined || after.startsWith(before.text ?? '');
    services.complete(noted.finally(() => kept.end(isWhole ? 'over' : 'unknown')));
  } catch (error) {
    await kept.end(!isSent && hasNotHappened(error) ? 'over' : 'unknown');
    throw error;
  }
}

/** Returns the text that the file has now, if it was read. Rejects if it doesn't have what was appended. */
async function verify(
  file: FilePlace,
  body: string,
  before: Before,
  services: Services,
  signal: AbortSignal,
): Promise<string | undefined> {
  const after = before.text === undefined ? undefined : await services.containers.read(file, { signal });
  const isThere =
    before.text === undefined || after === undefined
      ? ((await services.listings.lookUp(file))?.length ?? 0) >= before.length + utf8Length(body)
      : mayContain(after, body, before.text);
  if (!isThere) {
    throw new ExpectedError(
      l10n.t(
        "The platform reported success, but {0} doesn't contain the appended text. Check the end of the file.",
        file.path,
      ),
    );
  }
  return after;
}

/** Whether all of the file's text is known, on its only node. */
function isTextOf({ target }: FilePlace, { text, entry }: Before): boolean {
  return text !== undefined && target.nodeId !== undefined && textFlawOf(text, entry) === undefined;
}

/** Keeps what the file has and will have until it's known that nothing was lost: the window may close halfway. */
function keepTexts(place: FilePlace, before: Before, body: string, { saves }: Services) {
  const { text = '' } = before;
  const base = { kind: 'version', version: { text, place } } as const;
  const change = { place, cause: 'append', base, text: text + body } as const;
  return saves.keepChanges(...(isTextOf(place, before) ? [change] : []));
}

function wholeLines(text: string, { text: before = '' }: Before): string {
  const isNewLine = before === '' || before.endsWith('\n');
  return `${isNewLine ? '' : '\n'}${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Adds what a node has now to the versions of the file, if nothing else has changed and all of its text is known. */
async function noteVersion(
  place: FilePlace,
  before: Before,
  body: string,
  after: string | undefined,
  { features }: Services,
): Promise<void> {
  const { text = '' } = before;
  if (after === text + body && isTextOf(place, before)) {
    await features.versions.use((versions) => versions.noteWritten([{ place, before: text, after }], 'append'));
  }
}

/** Sends a text in as many requests as it needs, each only once. */
async function send(
  file: FilePlace,
  body: string,
  before: Before,
  services: Services,
  { signal, say }: ProgressHandle,
): Promise<void> {
  const pieces = services.containers.pieces(file, body);
  let sent = '';
  try {
    for (const [index, piece] of pieces.entries()) {
      say(nameOf(file), pieces.length === 1 ? undefined : index / pieces.length);
      sent += piece;
      const arrived = sent;
      await changeOnce(
        () => services.containers.append(file, piece, { signal }),
        () => hasArrived(file, arrived, before, services, signal),
      );
    }
  } catch (cause) {
    if (sent !== (pieces[0] ?? '')) {
      throw new ExpectedError(
        l10n.t('Only part of the text was appended to {0}. Check the end of the file.', file.path),
        { cause },
      );
    }
    throw cause;
  } finally {
    services.announce([{ place: file, type: FileChangeType.Changed }]);
  }
}

/** Whether the added part contains the text. It isn't known if the file was replaced, such as a rotated log. */
function mayContain(text: string, body: string, before: string): boolean {
  return (text.startsWith(before) ? text.slice(before.length) : text).includes(body);
}

/** Whether the added part contains the text on every node. Other programs may append too, for example to a log. */
async function hasArrived(
  file: FilePlace,
  body: string,
  before: Before,
  { containers, listings }: Services,
  signal: AbortSignal,
): Promise<boolean> {
  const arrived = await Promise.all(
    (await containers.nodes(file)).map(async (node) => {
      const text = await containers.read(node, { signal });
      if (before.text !== undefined) {
        return text.startsWith(before.text) && text.slice(before.text.length).includes(body);
      }
      // The length is in bytes, so only slice a text that matches the file exactly.
      const isExact = textFlawOf(text, await listings.lookUp(node)) === undefined;
      return isExact && Buffer.from(text).subarray(before.length).includes(body);
    }),
  );
  return arrived.every((isThere) => isThere);
}

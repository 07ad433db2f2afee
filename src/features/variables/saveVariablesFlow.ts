import { commands, FileSystemError, l10n, type Uri } from 'vscode';
import type { Containers } from '../../containers/containers';
import type { Environments } from '../../containers/environments';
import { locationText } from '../../containers/locationText';
import { type FilePlace, nameOf } from '../../containers/place';
import { confirmChange } from '../../ui/commands/protectedPrompt';
import { withChoices } from '../../files/saving/outcomeTexts';
import { textObstacle } from '../../files/saving/textObstacle';
import type { CommandId } from '../../manifest';
import { changeOnce } from '../../platform/lostReply';
import { isPlatformError } from '../../platform/errors';
import { escapeLinks } from '../../ui/escapeMarkup';
import { failureText, reasonText } from '../../ui/failureMessages';
import { maxNamed, modalLines, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import type { OpenVariables } from './openVariables';
import {
  allNames,
  brokenName,
  changesBetween,
  commonVariables,
  isChangedByOthers,
  isOfThePlatform,
  isRiskyInShell,
  stateOf,
  type VariableChanges,
  type VariablesState,
  wantedState,
} from './variablesState';
import { formatChange, type LineProblem, type LineProblemKind, parseVariables } from './variablesText';

interface VariablesToSave {
  readonly place: FilePlace;
  readonly uri: Uri;
  readonly text: string;
  readonly opened: OpenVariables;
  /** Called before this is sent. */
  readonly noteAttempt: (wanted: VariablesState) => void;
}

/** What the saved text says, and what the platform has afterward, which others may have changed. */
type SavedVariables = Pick<OpenVariables, 'state' | 'latest'>;

interface PlannedSave extends VariablesToSave {
  readonly wanted: VariablesState;
}

/**
 * Asks about the changes in a document, sends them, and reads back what the platform has. Each failure keeps the
 * document's text, and says what was sent. No error has a value in it.
 */
export async function saveVariables(
  save: VariablesToSave,
  environments: Environments,
  containers: Containers,
): Promise<SavedVariables> {
  const { text, opened, place } = save;
  const parsed = parseVariables(text, commonVariables(opened.state));
  if ('problems' in parsed) {
    throw unavailable(problemsText(parsed.problems));
  }
  const wanted = wantedState(opened.state, parsed.values);
  const planned = { ...save, wanted };
  const before = await unchangedByOthers(planned, environments, containers);
  const changes = changesBetween(before, wanted);
  if (allNames(changes).length === 0) {
    if (opened.attempts.length > 0 && allNames(changesBetween(opened.state, wanted)).length > 0) {
      // An earlier save has arrived, although that couldn't be checked then.
      void offerRestart(place, environments);
    }
    return { state: wanted, latest: before };
  }
  for (const name of [...changes.added, ...changes.changed]) {
    const value = parsed.values.get(name);
    // A change to all nodes has one value. Nodes had different ones before a save that arrived without a response.
    const obstacle =
      value === undefined
        ? l10n.t('The nodes had different values of {0}. Edit the variables of each node, or add the line again.', name)
        : textObstacle(name, value);
    if (obstacle !== undefined) {
      throw unavailable(obstacle);
    }
  }
  if (!(await isConfirmed(planned, { before, changes }, environments))) {
    throw unavailable(l10n.t('Canceled. Nothing was sent.'));
  }
  const latest = await withProgress(
    l10n.t('Saving the variables of {0}', locationText(place, environments)),
    () => sendAndReadBack(planned, environments, containers),
    { canStop: false },
  );
  void offerRestart(place, environments);
  // The person hasn't seen what others have changed since `before`.
  return { state: wanted, latest };
}

async function sendAndReadBack(
  planned: PlannedSave,
  environments: Environments,
  containers: Containers,
): Promise<VariablesState> {
  const { place, wanted } = planned;
  // The question may have been open for long.
  const before = await unchangedByOthers(planned, environments, containers);
  const changes = changesBetween(before, wanted);
  planned.noteAttempt(wanted);
  await sendChanges(place, changes, wanted, containers).catch((error: unknown) => {
    throw unavailable(
      `${failureText(error)} ${l10n.t('Your text is still in the editor. Save again to send the rest.')}`,
    );
  });
  const after = await readVariables(place, containers).catch((error: unknown) => {
    throw unavailable(
      l10n.t("The changes were sent, but couldn't be checked: {0}. Save again to check them.", reasonText(error)),
    );
  });
  throwIfMissing(changes, { before, after, wanted });
  return after;
}

/** Reads the variables of a node, or of all nodes in a layer. */
export async function readVariables(place: FilePlace, containers: Containers): Promise<VariablesState> {
  const account = containers.account(place.account);
  const nodes = (await containers.nodes(place)).flatMap(({ target: { nodeId } }) => nodeId ?? []);
  const read = async (nodeId: number) => {
    const { object } = await account.call('GetContainerEnvVars', { envName: place.environment, nodeId });
    return { node: nodeId, variables: object };
  };
  return stateOf(await Promise.all(nodes.map(read)));
}

/**
 * Sends exactly these changes, each request once. If a response is lost, reads the variables to see whether the change
 * was made.
 */
async function sendChanges(
  place: FilePlace,
  changes: VariableChanges,
  wanted: VariablesState,
  containers: Containers,
): Promise<void> {
  const account = containers.account(place.account);
  const { nodeGroup, nodeId } = place.target;
  const where = { envName: place.environment, ...(nodeId === undefined ? { nodeGroup } : { nodeId }) };
  const once = (names: readonly string[], request: () => Promise<unknown>) =>
    changeOnce(request, async () => {
      const missing = allNames(changesBetween(await readVariables(place, containers), wanted));
      return !names.some((name) => missing.includes(name));
    });
  const set = [...changes.added, ...changes.changed];
  const values = commonVariables(wanted);
  if (set.length > 0) {
    const vars = JSON.stringify(Object.fromEntries(set.map((name) => [name, values.get(name)])));
    await once(set, () => account.call('AddContainerEnvVars', { ...where, vars }));
  }
  const { removed } = changes;
  if (removed.length > 0) {
    const vars = JSON.stringify(removed);
    await once(removed, () => account.call('RemoveContainerEnvVars', { ...where, vars }));
  }
}

/** Some platforms keep the value of a variable that exists. */
function throwIfMissing(
  changes: VariableChanges,
  { before, after, wanted }: Readonly<Record<'before' | 'after' | 'wanted', VariablesState>>,
): void {
  const different = allNames(changesBetween(after, wanted));
  const missing = allNames(changes).filter((name) => different.includes(name));
  const changedSince = allNames(changesBetween(before, after));
  const kept = missing.filter((name) => changes.changed.includes(name) && !changedSince.includes(name));
  if (kept.length > 0) {
    throw unavailable(
      l10n.t(
        "The platform didn't change {0}. To change a value, remove its line and save, then add it again.",
        namesText(kept),
      ),
    );
  }
  if (missing.length > 0) {
    throw unavailable(
      l10n.t("The platform accepted the changes, but didn't update {0}. Compare, then save again.", namesText(missing)),
    );
  }
}

/** Someone else has changed the variables since the document was opened. */
export class VariablesConflict extends Error {
  constructor(
    text: string,
    readonly now: VariablesState,
  ) {
    super(text);
  }
}

/**
 * Asks about a conflict as for a file, before VS Code hears that the save failed. Resolves if the person overwrites, and
 * else rejects with the error for VS Code, which has the choices if nothing was chosen.
 */
export async function askToOverwrite(
  { message }: VariablesConflict,
  { place, uri }: Pick<VariablesToSave, 'place' | 'uri'>,
): Promise<void> {
  const named = { place: { ...place, path: uri.path }, uri };
  const choices: ReadonlyMap<string, CommandId> = new Map([
    [l10n.t('Merge'), 'gantry.variables.merge'],
    [l10n.t('Compare'), 'gantry.variables.compare'],
    [l10n.t('Overwrite'), 'gantry.variables.overwrite'],
  ]);
  const question = l10n.t('Merge or overwrite {0}?', nameOf(named.place));
  const asking = showWarningMessage(question, { modal: true, detail: message }, ...choices.keys());
  // If VS Code can't ask, the error has the choices.
  const command = choices.get((await asking.then(undefined, () => undefined)) ?? '');
  if (command === undefined) {
    const passed = encodeURIComponent(JSON.stringify([uri.toString()]));
    const links = [...choices].map(([label, id]) => `[${label}](command:${id}?${passed})`);
    throw withChoices(message, links.join(' · '), named);
  }
  if (command !== 'gantry.variables.overwrite') {
    // VS Code must first hear that this save failed.
    setTimeout(() => void commands.executeCommand(command, uri.toString()));
    throw unavailable(l10n.t('Nothing was sent.'));
  }
}

/** Returns the platform's variables. Rejects if someone else has changed them since the document was opened. */
async function unchangedByOthers(
  planned: PlannedSave,
  environments: Environments,
  containers: Containers,
): Promise<VariablesState> {
  const { place, opened, wanted } = planned;
  const now = await readVariables(place, containers).catch((error: unknown) => {
    throw isPlatformError(error) ? unavailable(`${failureText(error)} ${l10n.t('Nothing was sent.')}`) : error;
  });
  if (!isChangedByOthers(opened.state, now, [...opened.attempts, wanted])) {
    return now;
  }
  const names = allNames(changesBetween(opened.state, { ...now, nodes: opened.state.nodes }));
  const where = locationText(place, environments);
  const text =
    opened.state.nodes.join() === now.nodes.join()
      ? l10n.t(
          'Someone else has changed the variables of {0} since you opened them: {1}. Nothing was sent.',
          where,
          namesText(names),
        )
      : l10n.t("The layer's nodes changed after you opened the variables of {0}. Nothing was sent.", where);
  throw new VariablesConflict(text, now);
}

function isConfirmed(
  { place, uri, wanted, opened }: PlannedSave,
  { before, changes }: { readonly before: VariablesState; readonly changes: VariableChanges },
  environments: Environments,
): Promise<boolean> {
  const [earlier, values] = [commonVariables(before), commonVariables(wanted)];
  const shown = (name: string) => formatChange(name, [earlier.get(name), values.get(name)], opened.secrets);
  const sent = [...changes.added, ...changes.changed];
  const risky = sent.filter((name) => isRiskyInShell(values.get(name) ?? ''));
  const ofThePlatform = allNames(changes).filter(isOfThePlatform);
  const warnings = [
    risky.length === 0
      ? undefined
      : l10n.t(
          'The platform writes values into a file that a shell reads. Quotes, backticks, backslashes, dollar signs, and line breaks can run commands there, or keep the container from starting. Affected variables: {0}',
          namesText(risky),
        ),
    ofThePlatform.length === 0
      ? undefined
      : l10n.t(
          'The platform manages these variables, so a change has no effect or breaks the container: {0}',
          namesText(ofThePlatform),
        ),
    sent.includes(brokenName)
      ? l10n.t('A variable named {0} keeps containers from starting on some platforms.', brokenName)
      : undefined,
  ].filter((warning) => warning !== undefined);
  return confirmChange([place], environments, {
    question: l10n.t('Save the variables of {0}?', locationText(place, environments)),
    paragraphs: [
      opened.isRead
        ? undefined
        : l10n.t(
            "VS Code restored your text from an earlier session, so Gantry can't tell what someone else has changed since then. Check the names.",
          ),
      modalLines(changes.added.map((name) => l10n.t('Add: {0}', shown(name)))),
      modalLines(changes.changed.map((name) => l10n.t('Change: {0}', shown(name)))),
      changes.removed.length === 0 ? undefined : l10n.t('Remove: {0}', namesText(changes.removed)),
      ...warnings,
      l10n.t('Changes take effect when the service restarts.'),
    ],
    button: warnings.length === 0 ? l10n.t('Save Variables') : l10n.t('Save Anyway'),
    others: new Map([[l10n.t('Compare'), () => compareVariables(uri)]]),
  });
}

/** Shows each line that would change, with its value. */
async function compareVariables(uri: Uri): Promise<void> {
  await commands.executeCommand('gantry.variables.compare' satisfies CommandId, uri);
}

/** Running services have the earlier variables. Nothing restarts before the person agrees to the command's question. */
async function offerRestart(place: FilePlace, environments: Environments): Promise<void> {
  const restart = l10n.t('Restart Service…');
  const where = locationText(place, environments);
  const text = l10n.t('Saved the variables of {0}. They take effect when the service restarts.', where);
  if ((await showInformationMessage(text, restart)) === restart) {
    const { account, environment, target } = place;
    await commands.executeCommand('gantry.service.restart' satisfies CommandId, {
      environment: { account, name: environment },
      layer: { id: target.nodeGroup },
      ...(target.nodeId === undefined ? {} : { node: { id: target.nodeId } }),
    });
  }
}

/** Says what is wrong with the first line, and how many others can't be read. */
function problemsText(problems: readonly LineProblem[]): string {
  const [first] = problems;
  const more = problems.length - 1;
  return [
    ...(first === undefined ? [] : [l10n.t('Line {0}: {1}', first.line, problemTexts()[first.kind])]),
    ...(more === 0
      ? []
      : [more === 1 ? l10n.t('1 more line has a problem.') : l10n.t('{0} more lines have problems.', more)]),
    l10n.t('Nothing was sent.'),
  ].join(' ');
}

function problemTexts(): Readonly<Record<LineProblemKind, string>> {
  return {
    noEqualsSign: l10n.t('Write NAME=value, or start the line with # to ignore it.'),
    invalidName: l10n.t("Use only letters, digits, and underscores, and don't start with a digit."),
    repeatedName: l10n.t('This name is already on an earlier line. Remove one of the lines.'),
    notQuoted: l10n.t('A value that starts with a quotation mark must be a JSON string, such as "a\\nb".'),
    nothingMasked: l10n.t('This name had no earlier value. Enter a value instead of the mask.'),
    partOfMask: l10n.t('Part of the mask is left. Enter the whole value.'),
  };
}

function namesText(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, maxNamed).join(', '), names.length - maxNamed];
  return more > 0 ? l10n.t('{0} and {1} more', shown, more) : shown;
}

function unavailable(text: string): FileSystemError {
  return FileSystemError.Unavailable(escapeLinks(text));
}

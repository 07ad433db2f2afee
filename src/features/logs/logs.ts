import { commands, env, EventEmitter, l10n, type Uri, window } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import { type Container, partOfRow } from '../../containers/environmentPart';
import { askForPart, listContainers } from '../../ui/commands/environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import { locationText } from '../../containers/locationText';
import { listLogs, listNodeLogs, updateIfStopped } from '../../containers/logs/nodeLogs';
import { containerNamed, namesText, placeInContainer } from '../../containers/namedContainer';
import { type FilePlace, filePlaceOf, placeOnLayer } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { FeatureApis } from '../../featureApis';
import type { Own } from '../../gantry';
import type { CommandId } from '../../manifest';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/scalars';
import type { Services } from '../../services';
import { Call } from '../../ui/commands/call';
import { command } from '../../ui/commands/command';
import { ExpectedError } from '../../ui/expectedError';
import { failureText } from '../../ui/failureMessages';
import { showErrorMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { askChoice } from '../../ui/quickPick';
import { formatRelativeTime } from '../../ui/relativeTime';
import { sizeText } from '../../ui/sizeText';
import { FollowedLog, type FollowedSource, isNotice } from './followedLog';
import { LogDocuments, type OpenLog, placeOfLog, rotationText, slowFilterText } from './logDocuments';
import { showLogStatus } from './logStatus';
import { LogTooLong, NodeLog } from './logSource';
import { endOfLog, type Failure, type Least, logThatMatters } from './logTail';
import { parseFilter, shownLines } from './logText';

/** The logs of nodes: opens and follows them, also for tasks, tools, and restarts. */
export function createLogs(services: Services, own: Own) {
  const { accounts, containers, listings, environments } = services;
  const openLog = (place: FilePlace, options?: AccountCallOptions) =>
    NodeLog.open(place, containers, listings, environments, options);
  const documents = own(new LogDocuments(openLog));
  own(showLogStatus(documents));
  const commands = logCommands(documents, services);
  return {
    openLog,
    documents,
    commands,
    open: (log: Uri) => commands['gantry.logs.open'](new Call([log])),
    endOfLog: async (place: FilePlace, least: Least, signal: AbortSignal) =>
      endOfLog(await openLog(place, { signal }), least),
    lastLine: lastLine(services, openLog),
    followTask: followLogAsTask(accounts, environments, openLog),
  };
}

function logCommands(documents: LogDocuments, services: Services) {
  const activeLog = (): OpenLog => {
    const opened = documents.find(window.activeTextEditor?.document.uri);
    if (opened === undefined) {
      throw new ExpectedError(l10n.t('Open a log first.'));
    }
    return opened;
  };
  const onActiveLog = (run: (log: OpenLog) => unknown) => command('editor', activeLog, run);
  const open = async ({ place, since }: { readonly place: FilePlace; readonly since: number | undefined }) => {
    await withCancelableRead(l10n.t('Opening {0}', place.path), (signal) => documents.show(place, since, signal)).catch(
      (error: unknown) => {
        if (!(error instanceof LogTooLong)) {
          throw error;
        }
        // After a failed restart, there's more to choose than this.
        void offerWholeFile(place, error);
      },
    );
  };
  return {
    /**
     * Called with a file as a URI, its text or a row, or with a node's row, or else asks; with a moment in milliseconds
     * since the epoch, so that for a node, the log that was written to since then is opened; and with `deployment` to
     * prefer the logs of one.
     */
    'gantry.logs.open': command(
      'raw',
      async (call) => {
        const { rest } = call;
        const since = rest.number;
        const failure =
          since === undefined ? undefined : { moment: since, isDeployment: rest.rest.text === 'deployment' };
        const place = await logMeant(call, failure, services);
        return place && { place, since };
      },
      open,
    ),
    'gantry.logs.follow': onActiveLog((log) => documents.follow(log)),
    'gantry.logs.pause': onActiveLog(({ log }) => log.pause()),
    'gantry.logs.filter': onActiveLog(askForFilter),
    'gantry.logs.loadEarlier': onActiveLog((log) =>
      withCancelableRead(l10n.t('Loading earlier lines'), () => documents.loadEarlier(log)),
    ),
    'gantry.logs.openWholeFile': onActiveLog(({ place }) => openWholeFile(place)),
    'gantry.logs.download': onActiveLog(({ place }) => {
      const id: CommandId = 'gantry.file.download';
      return commands.executeCommand(id, uriOf(place));
    }),
  };
}

async function offerWholeFile(place: FilePlace, error: LogTooLong): Promise<void> {
  const open = l10n.t('Open Whole File');
  if ((await showErrorMessage(error.message, open)) === open) {
    await openWholeFile(place);
  }
}

async function openWholeFile(place: FilePlace): Promise<void> {
  await commands.executeCommand('vscode.open', uriOf(place));
}

async function askForFilter({ log }: OpenLog): Promise<void> {
  const entered = await askInTurn(l10n.t('Filter Log Lines'), [
    {
      key: 'filter',
      prompt: l10n.t('Enter text, or a regular expression between slashes. Start with ! to hide lines that match.'),
      placeholder: l10n.t('For example error, /5\\d\\d/, or !debug'),
      value: log.filter?.text ?? '',
      mayBeEmpty: true,
      problem: (text) => (parseFilter(text) === 'invalid' ? l10n.t("The regular expression isn't valid.") : undefined),
    },
  ]);
  const filter = entered && parseFilter(entered['filter'] ?? '');
  if (entered !== undefined && filter !== 'invalid') {
    log.filterBy(filter);
    if (filter?.isTooSlow === true) {
      throw new ExpectedError(slowFilterText());
    }
  }
}

/** What a log is to explain. The node's type isn't known yet. */
type FailureToExplain = Omit<Failure, 'type'>;

async function logMeant(
  call: Call,
  failure: FailureToExplain | undefined,
  services: Services,
): Promise<FilePlace | undefined> {
  const { linked: uri, object: row } = call;
  if (uri !== undefined) {
    return placeOfLog(uri) ?? filePlaceOf(uri);
  }
  const target = row && (await services.targets.of(row));
  if (target !== undefined && !target.isFolder) {
    return target.place;
  }
  const part = await partOfRow(row, services);
  const container = part?.node === undefined ? await askForNode(services) : part;
  return container?.node === undefined ? undefined : logOf(container, failure, services);
}

async function askForNode(services: Services): Promise<Container | undefined> {
  const list = await listContainers(services);
  return askForPart(list, l10n.t('Select a node to open its log'), ({ node }) => node !== undefined);
}

/** Asks for a log of a node, or returns the one that most likely says why something failed. */
async function logOf(
  { environment, layer, node }: Awaited<ReturnType<typeof partOfRow>> & object,
  failure: FailureToExplain | undefined,
  services: Services,
): Promise<FilePlace | undefined> {
  const root = placeOnLayer(environment, layer?.id ?? '', node?.id);
  const logs = withCancelableRead(l10n.t('Listing logs'), () => allLogs(root, node?.type, services));
  const found = failure && logThatMatters(await logs, { ...failure, type: node?.type });
  const choices = logs.then((all) =>
    all.map(({ absolutePath, length, lastModified }) => {
      const modified = readTimestamp(lastModified);
      const facts = [
        length === undefined ? '' : sizeText(length, env.language),
        modified === undefined ? '' : formatRelativeTime(modified),
      ];
      return { label: absolutePath, description: facts.filter(Boolean).join(' · '), value: absolutePath };
    }),
  );
  const path = found?.absolutePath ?? (await askChoice<string>(choices, { placeHolder: l10n.t('Select a log') }));
  return path === undefined ? undefined : { ...root, path };
}

/** Returns the last line of the log that most likely says how a service started. */
function lastLine(
  services: Services,
  openLog: (place: FilePlace, options: AccountCallOptions) => Promise<NodeLog>,
): FeatureApis['logs']['lastLine'] {
  return async ({ node, type, moment }, signal) => {
    const log = logThatMatters(await allLogs(node, type, services), { type, moment });
    const source = log && (await openLog({ ...node, path: log.absolutePath }, { signal }));
    const end = source && (await endOfLog(source, { lines: 1, characters: 1 }));
    return end?.text.trim().split('\n').at(-1);
  };
}

/** Returns the node's logs and those one folder below. A folder that can't be listed is left out. */
async function allLogs(root: FilePlace, type: string | undefined, services: Services): Promise<readonly FileEntry[]> {
  await updateIfStopped(root, services);
  const entries = await listNodeLogs(root, type, services);
  const below = await Promise.allSettled(
    entries.filter(({ isDir }) => isDir).map(({ absolutePath }) => listLogs({ ...root, path: absolutePath }, services)),
  );
  return [...entries, ...below.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))].filter(
    ({ isDir, name }) => !isDir && !/\.(?:gz|bz2|xz|zst|zip)$/i.test(name),
  );
}

type OpenSource = (place: FilePlace, options: AccountCallOptions) => Promise<FollowedSource>;

/** How many lines are shown at first, as by `tail`. */
const linesBefore = 10;

/** Prints a log's new lines until the task is stopped, or until a line contains a text. Returns whether one did. */
function followLogAsTask(
  accounts: Accounts,
  environments: Environments,
  openLog: OpenSource,
): FeatureApis['logs']['followTask'] {
  return async ({ until, ...task }, { signal, say }) => {
    const container = await containerNamed(task, { accounts, environments });
    ensureOneNode(container);
    const place = placeInContainer(container, task.path);
    const source = await openLog(place, { signal });
    say(l10n.t('Following {0} on {1}…', place.path, locationText(place, environments)));
    const changes = new EventEmitter<void>();
    const additions = new EventEmitter<string>();
    const log = await FollowedLog.open(source, {
      changed: () => changes.fire(),
      added: (text) => additions.fire(text),
      rotationText,
    });
    const lines = new NewLines(log);
    lines.before.forEach(say);
    return new Promise<boolean>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(false));
      additions.event((text) => {
        const added = lines.add(text);
        added.forEach(say);
        const found =
          until === undefined
            ? -1
            : [...added, lines.unfinished].findIndex((line) => !isNotice(line) && line.includes(until));
        if (found === added.length) {
          say(shownLines(lines.unfinished, undefined));
        }
        if (found >= 0) {
          resolve(true);
        }
      });
      let said: string | undefined;
      changes.event(() => {
        const text = log.problem === undefined ? undefined : failureText(log.problem);
        // Following goes on, unless the person has to do something first.
        if (text !== undefined && log.isPaused) {
          reject(new ExpectedError(text));
        } else if (text !== undefined && text !== said) {
          say(text);
        }
        said = text;
      });
      log.show();
    }).finally(() => {
      log.dispose();
      changes.dispose();
      additions.dispose();
    });
  };
}

function ensureOneNode({ layer, node }: Container): void {
  if (node === undefined && layer.nodes.length > 1) {
    const ids = layer.nodes.map(({ id }) => id);
    throw new ExpectedError(
      l10n.t('Each node of {0} has its own log. Specify the node in the task: {1}', layer.name, namesText('node', ids)),
    );
  }
}

/** Divides what is added to a text into lines. */
class NewLines {
  /** The last lines of the text at first. */
  readonly before: readonly string[];
  /** The start of a line whose end isn't written yet, as the log has it. */
  unfinished: string;

  constructor({ text, unfinished }: Pick<FollowedLog, 'text' | 'unfinished'>) {
    this.before = text.split('\n').slice(0, -1).slice(-linesBefore);
    this.unfinished = unfinished;
  }

  /** Returns the whole lines that are new. */
  add(text: string): readonly string[] {
    const all = this.unfinished + text;
    const end = all.lastIndexOf('\n') + 1;
    this.unfinished = all.slice(end);
    return end === 0 ? [] : shownLines(all.slice(0, end), undefined).split('\n').slice(0, -1);
  }
}

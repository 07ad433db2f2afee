import { commands, env, l10n, Uri, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Containers } from '../containers/containers';
import { type Container, partOfRow } from '../containers/environmentPart';
import { listContainers, partAt, partChoices } from '../containers/environmentPartPrompts';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { type FilePlace, filePlaceOf, placeOnLayer, uriParts } from '../containers/place';
import type { CommandTargets } from '../fileTree/commandTargets';
import type { CommandId } from '../manifest';
import { readTimestamp } from '../platform/wire/timestamp';
import { ExpectedError } from '../ui/expectedError';
import { showErrorMessage } from '../ui/notifications';
import { withCancelableRead } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { askChoice } from '../ui/quickPick';
import { formatRelativeTime } from '../ui/relativeTime';
import { sizeText } from '../ui/sizeText';
import type { LogDocuments, OpenLog } from './logDocuments';
import { placeOfLog } from './logDocuments';
import { LogTooLong } from './logSource';
import { allLogs } from './endOfLog';
import { parseFilter } from './logText';
import { logThatMatters } from './logThatMatters';

export interface LogCommandsDeps {
  readonly accounts: Accounts;
  readonly containers: Pick<Containers, 'account'>;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly targets: Pick<CommandTargets, 'all'>;
  readonly documents: LogDocuments;
}

/** Opens and follows logs. */
export function logCommands(deps: LogCommandsDeps) {
  const { documents } = deps;
  const openLog = (): OpenLog => {
    const opened = documents.find(window.activeTextEditor?.document.uri);
    if (opened === undefined) {
      throw new ExpectedError(l10n.t('Open a log first.'));
    }
    return opened;
  };
  return {
    /**
     * @param received a file as a URI, its text or a row, or a node's row; without it, asks
     * @param moment in milliseconds since the epoch. For a node, the log that was written to since then is opened.
     */
    async 'gantry.logs.open'(received: unknown, moment: unknown) {
      const since = typeof moment === 'number' ? moment : undefined;
      const place = await logMeant(received, since, deps);
      if (place !== undefined) {
        await withCancelableRead(l10n.t('Opening {0}', place.path), (signal) =>
          documents.show(place, since, signal),
        ).catch((error: unknown) => {
          if (!(error instanceof LogTooLong)) {
            throw error;
          }
          // After a failed restart, there's more to choose than this.
          void offerWholeFile(place, error);
        });
      }
    },
    'gantry.logs.follow': () => documents.follow(openLog()),
    'gantry.logs.pause': () => openLog().log.pause(),
    'gantry.logs.filter': () => askForFilter(openLog()),
    'gantry.logs.loadEarlier': () =>
      withCancelableRead(l10n.t('Loading earlier lines'), () => documents.loadEarlier(openLog())),
    'gantry.logs.openWholeFile': () => openWholeFile(openLog().place),
    async 'gantry.logs.download'() {
      const command: CommandId = 'gantry.file.download';
      await commands.executeCommand(command, Uri.from(uriParts(openLog().place)));
    },
  };
}

async function offerWholeFile(place: FilePlace, error: LogTooLong): Promise<void> {
  const open = l10n.t('Open Whole File');
  if ((await showErrorMessage(error.message, open)) === open) {
    await openWholeFile(place);
  }
}

async function openWholeFile(place: FilePlace): Promise<void> {
  await commands.executeCommand('vscode.open', Uri.from(uriParts(place)));
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
  }
}

async function logMeant(
  received: unknown,
  moment: number | undefined,
  deps: LogCommandsDeps,
): Promise<FilePlace | undefined> {
  const uri = typeof received === 'string' ? Uri.parse(received) : received;
  if (uri instanceof Uri) {
    return placeOfLog(uri) ?? filePlaceOf(uri);
  }
  const [target] = received === undefined ? [] : await deps.targets.all([received]);
  if (target !== undefined && !target.isFolder) {
    return target.place;
  }
  const part = await partOfRow(received, deps);
  const container = part?.node === undefined ? await askForNode(deps) : part;
  return container?.node === undefined ? undefined : logOf(container, moment, deps);
}

async function askForNode(deps: LogCommandsDeps): Promise<Container | undefined> {
  const list = await listContainers(deps);
  const rows = partChoices(list, ({ node }) => node !== undefined);
  return partAt(list, await askChoice<string>(rows, { placeHolder: l10n.t('Select a node to open its log') }));
}

/** Asks for a log of a node, or returns the one that was written to since the moment. */
async function logOf(
  { environment, layer, node }: Awaited<ReturnType<typeof partOfRow>> & object,
  moment: number | undefined,
  deps: LogCommandsDeps,
): Promise<FilePlace | undefined> {
  const root = placeOnLayer(environment, layer?.id ?? '', node?.id);
  const logs = withCancelableRead(l10n.t('Listing logs'), () => allLogs(root, node?.type, deps));
  const found = moment === undefined ? undefined : logThatMatters(await logs, { moment, type: node?.type });
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

import { EventEmitter, l10n } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { Container } from '../../containers/environmentPart';
import type { Environments } from '../../containers/environments';
import { locationText } from '../../containers/locationText';
import { containerNamed, namesText, placeInContainer } from '../../containers/namedContainer';
import type { FilePlace } from '../../containers/place';
import type { FeatureApis } from '../../featureApis';
import { ExpectedError } from '../../ui/expectedError';
import { failureText } from '../../ui/failureMessages';
import { FollowedLog, type FollowedSource } from './followedLog';
import { shownLines } from './logText';

type OpenSource = (place: FilePlace, options: AccountCallOptions) => Promise<FollowedSource>;

/** How many lines are shown at first, as by `tail`. */
const linesBefore = 10;

/** Prints a log's new lines until the task is stopped, or until a line contains a text. Returns whether one did. */
export function followLogAsTask(
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
      added: (text) => additions.fire(text ?? `\n${log.text}`),
    });
    const lines = new NewLines(log.text);
    lines.before.forEach(say);
    return new Promise<boolean>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(false));
      additions.event((text) => {
        const added = lines.add(text);
        added.forEach(say);
        const found = until === undefined ? -1 : [...added, lines.unfinished].findIndex((line) => line.includes(until));
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
  /** The start of a line whose end isn't written yet. */
  unfinished: string;

  constructor(known: string) {
    const lines = known.split('\n');
    this.unfinished = lines.pop() ?? '';
    this.before = lines.slice(-linesBefore);
  }

  /** Returns the whole lines that are new. */
  add(text: string): readonly string[] {
    const all = this.unfinished + text;
    const end = all.lastIndexOf('\n') + 1;
    this.unfinished = all.slice(end);
    return end === 0 ? [] : shownLines(all.slice(0, end), undefined).split('\n').slice(0, -1);
  }
}

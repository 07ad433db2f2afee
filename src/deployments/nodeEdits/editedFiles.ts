import { Disposable, type Event, EventEmitter, window } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { type FilePlace, keyOf, parentOf, wholeLayer } from '../../containers/place';
import type { ProjectFinder } from '../projectFinder';
import type { KnownProject } from '../projects';
import { type NodeEdit, placeOfEdit } from './nodeEdit';
import type { NodeEditLog } from './nodeEditLog';

export interface EditInProject {
  readonly edit: NodeEdit;
  readonly place: FilePlace;
  readonly project: KnownProject;
}

interface EditedFilesDeps {
  readonly accounts: Accounts;
  readonly finder: ProjectFinder;
  readonly nodeEditLog: NodeEditLog;
  /** Fire when projects may have become known. */
  readonly onDidChangeProjects: readonly Event<unknown>[];
}

/** The edits in the folders of projects, in memory, so that VS Code can ask for each file that it shows. */
export class EditedFiles implements Disposable {
  private edits: readonly EditInProject[] = [];
  private byKey: ReadonlyMap<string, NodeEdit> = new Map();
  private folders: ReadonlySet<string> = new Set();
  private isReading = false;
  private isStale = false;
  private readonly changed = new EventEmitter<readonly FilePlace[]>();
  private readonly subscriptions: Disposable;
  /** Fires with the files that were edited, or no longer are. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: EditedFilesDeps) {
    const refresh = () => void this.refresh();
    const { nodeEditLog, accounts, onDidChangeProjects } = deps;
    this.subscriptions = Disposable.from(
      ...[nodeEditLog.onDidChange, accounts.onDidChange, ...onDidChangeProjects].map((event: Event<unknown>) =>
        event(refresh),
      ),
      // Another window may have edited files, too.
      window.onDidChangeWindowState(({ focused }) => focused && refresh()),
    );
    refresh();
  }

  get all(): readonly EditInProject[] {
    return this.edits;
  }

  /** Finds the edit of a file, which may be open through its node or through the whole layer. */
  find(place: FilePlace): NodeEdit | undefined {
    const onLayer = this.byKey.get(keyOf(wholeLayer(place)));
    return this.byKey.get(keyOf(place)) ?? (onLayer?.nodeId === undefined ? onLayer : undefined);
  }

  /** Whether any file of this very folder was edited. */
  isAnyIn(folder: FilePlace): boolean {
    return this.folders.has(keyOf(folder));
  }

  /** Reads the records. All changes during that time lead to only one more read. */
  private async refresh(): Promise<void> {
    this.isStale = true;
    if (this.isReading) {
      return;
    }
    this.isReading = true;
    while (this.isStale) {
      this.isStale = false;
      const { accounts, nodeEditLog } = this.deps;
      // The question before a redeploy says so if they can't be read.
      this.take((await Promise.all(accounts.list.map(({ slug }) => nodeEditLog.of(slug).catch(() => [])))).flat());
    }
    this.isReading = false;
  }

  dispose(): void {
    Disposable.from(this.subscriptions, this.changed).dispose();
  }

  private take(all: readonly NodeEdit[]): void {
    const before = this.edits;
    this.edits = all.flatMap((edit) => {
      const place = placeOfEdit(edit);
      const project = this.deps.finder.holding(place);
      return project === undefined ? [] : [{ edit, place, project }];
    });
    const files = this.edits.filter(({ edit }) => edit.what !== 'unpacked');
    this.byKey = new Map([
      ...files.map(({ edit, place }) => [keyOf(wholeLayer(place)), edit] as const),
      ...files.map(({ edit, place }) => [keyOf(place), edit] as const),
    ]);
    this.folders = new Set(files.map(({ place }) => keyOf(parentOf(place) ?? place)));
    const known = new Set(before.map(identityOf));
    const now = new Set(this.edits.map(identityOf));
    const changed = [
      ...this.edits.filter((one) => !known.has(identityOf(one))),
      ...before.filter((one) => !now.has(identityOf(one))),
    ];
    if (changed.length > 0) {
      this.changed.fire(changed.map(({ place }) => place));
    }
  }
}

function identityOf({ edit, place }: EditInProject): string {
  return [keyOf(place), edit.what, edit.at, edit.archive].join('\n');
}

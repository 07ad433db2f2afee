import {
  commands,
  Disposable,
  EventEmitter,
  FileSystemError,
  l10n,
  TextDocumentSaveReason,
  window,
  workspace,
} from 'vscode';
import { type FilePlace, keyOf, filePlaceOf, nameOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { BoundedMap } from '../boundedMap';
import type { SaveScope } from './saves';
import type { OpenEdits } from './edits/openEdits';
import { activeFile } from '../tabs';
import { conflictText } from './outcomeTexts';
import { setContextKey } from '../../ui/contextKeys';
import { showWarningMessage } from '../../ui/notifications';

/** A failed save that the user can resolve. */
export interface SaveProblem {
  /** Used in message links instead of the URI, because VS Code truncates long messages. */
  readonly id: number;
  readonly kind: 'conflict' | 'pieces';
  readonly place: FilePlace;
  readonly scope: SaveScope;
}

const maxKept = 100;

/** The last unresolved save of each file. */
export class SaveProblems implements Disposable {
  private readonly problems = new BoundedMap<string, SaveProblem>(maxKept);
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private count = 0;

  /** The same problem again keeps its ID, so that earlier links to it still work. */
  add(problem: Omit<SaveProblem, 'id'>): SaveProblem {
    const key = keyOf(problem.place);
    const known = this.problems.get(key);
    const isSame = known?.kind === problem.kind && known.scope === problem.scope;
    this.count += isSame ? 0 : 1;
    const added = { ...problem, id: isSame ? known.id : this.count };
    this.problems.set(key, added);
    this.changed.fire();
    return added;
  }

  of(place: FilePlace): SaveProblem | undefined {
    return this.problems.get(keyOf(place));
  }

  find(id: number): SaveProblem | undefined {
    return [...this.problems.values()].find((problem) => problem.id === id);
  }

  delete(place: FilePlace): void {
    if (this.problems.delete(keyOf(place))) {
      this.changed.fire();
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Offers the actions for a failed save in the editor title and the Command Palette, even after its notification is gone. */
export function offerSaveProblems(problems: SaveProblems, edits: OpenEdits): Disposable {
  let shown: SaveProblem['kind'] | undefined;
  const update = () => {
    const kind = problemOfActiveFile(problems, edits)?.kind;
    if (kind !== shown) {
      shown = kind;
      void setContextKey('gantry.saveProblem', kind ?? 'none');
    }
  };
  return Disposable.from(
    problems.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
    window.tabGroups.onDidChangeTabs(update),
    window.tabGroups.onDidChangeTabGroups(update),
    // A revert ends the conflict.
    workspace.onDidChangeTextDocument(update),
  );
}

function problemOfActiveFile(problems: SaveProblems, edits: OpenEdits): SaveProblem | undefined {
  const uri = activeFile();
  const place = uri && filePlaceOf(uri);
  const problem = place && problems.of(place);
  const isOver = problem?.kind === 'conflict' && edits.conflictOf(problem.place).length === 0;
  return isOver ? undefined : problem;
}

/**
 * Asks about a conflict while VS Code still waits for the save that has it, so that the choices are buttons of our own, and
 * overwriting doesn't fail first. VS Code wraps the error of a failed save, adds Retry, and lets nobody close it.
 */
export function createConflictPrompt(edits: OpenEdits, problems: SaveProblems) {
  /** The files whose last save a person started. Auto Save must not ask in the middle of typing. */
  const started = new Set<string>();
  const listening = workspace.onWillSaveTextDocument(({ document, reason }) => {
    const place = filePlaceOf(document.uri);
    if (place !== undefined) {
      started[reason === TextDocumentSaveReason.Manual ? 'add' : 'delete'](keyOf(place));
    }
  });
  return {
    dispose: () => {
      listening.dispose();
    },
    /** Returns whether to write again, or the error for VS Code; `undefined` if nothing was asked or chosen. */
    resolve: async (place: FilePlace): Promise<'overwrite' | FileSystemError | undefined> => {
      const isStarted = started.delete(keyOf(place));
      const nodes = edits.conflictOf(place);
      const isText = nodes.length > 0 && nodes.every(({ found }) => found.kind === 'text');
      if (!isStarted || !isText || problems.of(place)?.kind !== 'conflict') {
        return undefined;
      }
      const isBaseKnown = (await edits.baseOf(place))?.kind === 'version';
      const name = nameOf(place);
      const [merge, compare, overwrite] = [l10n.t('Merge'), l10n.t('Compare'), l10n.t('Overwrite')];
      const chosen = await showWarningMessage(
        isBaseKnown ? l10n.t('Merge or overwrite {0}?', name) : l10n.t('Overwrite {0}?', name),
        {
          modal: true,
          detail: l10n.t('{0} Nothing has been written yet.', conflictText({ place, isBaseKnown }, nodes)),
        },
        ...(isBaseKnown ? [merge] : []),
        compare,
        overwrite,
        // If VS Code can't ask, the save's error has the choices.
      ).then(undefined, () => undefined);
      if (chosen === overwrite) {
        edits.accept(place, nodes);
        return 'overwrite';
      }
      if (chosen === undefined) {
        return undefined;
      }
      const command = chosen === merge ? 'gantry.conflict.merge' : 'gantry.conflict.compare';
      // VS Code must first hear that this save failed.
      setTimeout(() => void commands.executeCommand(command, uriOf(place)));
      return FileSystemError.Unavailable(l10n.t('Nothing has been written yet.'));
    },
  };
}

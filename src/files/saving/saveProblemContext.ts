import { Disposable, window, workspace } from 'vscode';
import type { OpenEdits } from './edits/openEdits';
import type { SaveProblem, SaveProblems } from './saveProblems';
import { activeFile } from '../tabs';
import { filePlaceOf } from '../../containers/place';
import { setContextKey } from '../../ui/contextKeys';

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

import {
  Disposable,
  EventEmitter,
  FileDecoration,
  scm,
  type SourceControl,
  type SourceControlResourceGroup,
  type SourceControlResourceState,
  ThemeColor,
  Uri,
  l10n,
  window,
} from 'vscode';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { type FilePlace, filePlaceOf } from '../../../containers/place';
import { uriOf } from '../../../containers/uris';
import { type CommandId, sourceControlId } from '../../../manifest';
import { placeOfProject, projectKey, type ProjectPlace } from '../projectPlace';
import { projectText } from '../projectText';
import type { EditedFiles, EditInProject } from './editedFiles';
import { deployedUri } from './deployedVersions';
import type { NodeEdit } from './nodeEdit';

/** What a screen reader says of a file, too: that a name is struck through is only seen. */
function editedTooltip({ what }: Pick<NodeEdit, 'what'>): string {
  switch (what) {
    case 'removed':
      return l10n.t('Deleted on the node since the last redeploy');
    case 'added':
      return l10n.t('Added on the node since the last redeploy');
    default:
      return l10n.t('Edited on the node since the last redeploy');
  }
}

/** Marks the edited files, and the folders that have some, wherever VS Code shows them. */
export function markEditedFiles(edited: EditedFiles): Disposable {
  // VS Code marks the folders above a file only if it was told of the file.
  const changed = new EventEmitter<Uri[]>();
  return Disposable.from(
    changed,
    window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const place = filePlaceOf(uri);
        const found = place && edited.find(place);
        if (found === undefined) {
          return undefined;
        }
        const mark = new FileDecoration(
          'E',
          editedTooltip(found.edit),
          new ThemeColor('gitDecoration.modifiedResourceForeground'),
        );
        mark.propagate = true;
        return mark;
      },
    }),
    edited.onDidChange((places) => changed.fire(places.map(uriOf))),
  );
}

/**
 * Lists the edited files in the Source Control view, one group per project, and marks in an editor's gutter what was
 * edited. VS Code marks that only for a source control, so there's one while there are edited files.
 */
export class EditedFilesList implements Disposable {
  private control: SourceControl | undefined;
  private readonly groups = new Map<string, SourceControlResourceGroup>();
  private readonly files = new WeakMap<object, FilePlace>();
  private readonly projects = new Map<string, ProjectPlace>();
  private readonly following: Disposable;

  constructor(
    private readonly edited: EditedFiles,
    private readonly titles: EnvironmentTitles,
  ) {
    this.following = edited.onDidChange(() => this.update());
    this.update();
  }

  /** Returns the file of a row, or of a tab whose file was deleted. */
  fileOf(named: object): FilePlace | undefined {
    if (named instanceof Uri) {
      const place = filePlaceOf(named);
      const found = place && this.edited.find(place);
      return place && found?.edit.what === 'removed' ? { ...place, account: found.project.account } : undefined;
    }
    return this.files.get(named);
  }

  /** Returns the project of a group, or else the same. */
  projectOf(named: object | undefined): object | undefined {
    // VS Code passes its own object.
    const id = named !== undefined && 'id' in named ? String(named.id) : '';
    return this.projects.get(id) ?? named;
  }

  dispose(): void {
    this.following.dispose();
    this.show([]);
  }

  private update(): void {
    // Which files came with an archive isn't known.
    this.show(this.edited.all.filter(({ edit }) => edit.what !== 'unpacked'));
  }

  private show(edits: readonly EditInProject[]): void {
    const byProject = new Map(edits.map(({ project }) => [projectKey(project), project]));
    for (const [key, group] of this.groups) {
      if (!byProject.has(key)) {
        group.dispose();
        this.groups.delete(key);
      }
    }
    if (edits.length === 0) {
      this.control?.dispose();
      this.control = undefined;
      return;
    }
    this.control ??= this.create();
    const { control } = this;
    if (control === undefined) {
      return;
    }
    for (const [key, project] of byProject) {
      const group = this.groups.get(key) ?? control.createResourceGroup(key, projectText(project, this.titles));
      this.groups.set(key, group);
      this.projects.set(key, placeOfProject(project));
      // VS Code compares again what is open when these change.
      group.resourceStates = edits.filter((one) => projectKey(one.project) === key).map((one) => this.stateOf(one));
    }
  }

  /** Without a root, because several accounts may have edited files, and one entry is enough. */
  private create(): SourceControl | undefined {
    const control = createSourceControl();
    if (control === undefined) {
      return undefined;
    }
    control.inputBox.visible = false;
    // They aren't to be committed here.
    control.count = 0;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const place = filePlaceOf(uri);
        const found = place && this.edited.find(place);
        // The other account may not know the project, and what was deployed.
        return place && found && deployedUri({ ...place, account: found.project.account }, found.edit);
      },
    };
    return control;
  }

  private stateOf({ edit, place }: EditInProject): SourceControlResourceState {
    const compare: CommandId = 'gantry.edits.compare';
    const state: { -readonly [K in keyof SourceControlResourceState]: SourceControlResourceState[K] } = {
      resourceUri: uriOf(place),
      decorations: { strikeThrough: edit.what === 'removed', tooltip: editedTooltip(edit) },
    };
    state.command = { command: compare, title: l10n.t('Compare with Deployed Version'), arguments: [state] };
    this.files.set(state, place);
    return state;
  }
}

/** Some hosts have no source control. The tree marks the edited files there, too. */
function createSourceControl(): SourceControl | undefined {
  try {
    return scm.createSourceControl(sourceControlId, l10n.t('Edited on Nodes'));
  } catch {
    return undefined;
  }
}

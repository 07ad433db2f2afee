import { isPlatformError } from '../platform/errors';
import type { Containers } from '../remote/containers';
import type { FilePlace } from '../remote/place';
import type { DeployRecord } from './deployRecord';
import { type Edit, type EditLedger, placeOfEdit } from './editLedger';
import type { KnownProjects } from './knownProjects';
import { foldersOf } from './projectFinder';
import type { ProjectPlace } from './projectPlace';
import type { ProjectSettings } from './projects';
import type { NodeChange } from './verdict';

/** An edited file, with what it holds now. */
export interface EditedFile {
  readonly edit: Edit;
  readonly place: FilePlace;
  /** Relative to the context's folder. */
  readonly path: string;
  /** `undefined` where it could not be read. */
  readonly now: string | undefined;
}

/** The edits that lie under a project's folder. */
export class ProjectEdits {
  constructor(
    private readonly ledger: EditLedger,
    private readonly known: KnownProjects,
    private readonly containers: Pick<Containers, 'read'>,
  ) {}

  async count(project: ProjectPlace): Promise<number> {
    return (await this.notedIn(project)).length;
  }

  /**
   * The edits that are still there: what was put back, or replaced by the repository's own text, is forgotten.
   * @param deployed the text that the deployed commit has there, where somebody knows it
   */
  async standing(
    { place: project, nodeId }: { readonly place: ProjectPlace; readonly nodeId?: number | undefined },
    deployed: (path: string) => Promise<string | undefined>,
  ): Promise<readonly EditedFile[]> {
    const noted = (await this.notedIn(project)).filter(
      (edit) => nodeId === undefined || edit.nodeId === undefined || edit.nodeId === nodeId,
    );
    const looked = await Promise.all(noted.map((edit) => this.look(project, edit, deployed)));
    await this.ledger.forget(looked.flatMap((seen) => (seen.kind === 'gone' ? [seen.edit] : [])));
    return looked.flatMap((seen) => (seen.kind === 'edited' ? [seen.file] : []));
  }

  /** Where a redeploy took place that puts the repository's files in their place, the edits are over. */
  async afterRedeploy(record: DeployRecord, settings: ProjectSettings | undefined): Promise<void> {
    if (settings?.autoResolveConflict === false) {
      return;
    }
    const { kind } = record.verdict;
    const tookPlace = kind === 'deployed' || kind === 'unverified' ? record.nodes : record.nodes.filter(hasMoved);
    const reached = new Set(tookPlace.map(({ nodeId }) => nodeId));
    const noted = await this.notedIn(record);
    await this.ledger.forget(noted.filter(({ nodeId }) => reached.has(nodeId) || reached.has(undefined)));
  }

  private async notedIn(project: ProjectPlace): Promise<readonly Edit[]> {
    const folders = foldersOf(this.known.find(project) ?? project);
    return (await this.ledger.of(project.account)).filter(
      ({ environment, layer, path }) =>
        environment === project.environment &&
        layer === project.layer &&
        folders.some((folder) => path.startsWith(`${folder}/`)),
    );
  }

  private async look(
    project: ProjectPlace,
    edit: Edit,
    deployed: (path: string) => Promise<string | undefined>,
  ): Promise<{ readonly kind: 'gone'; readonly edit: Edit } | { readonly kind: 'edited'; readonly file: EditedFile }> {
    const place = placeOfEdit(edit);
    const folders = foldersOf(this.known.find(project) ?? project);
    const folder = folders.find((candidate) => edit.path.startsWith(`${candidate}/`)) ?? '';
    const file = { edit, place, path: edit.path.slice(folder.length + 1) };
    try {
      const now = await this.containers.read(place);
      const isGone = now === edit.before || now === (await deployed(file.path));
      return isGone ? { kind: 'gone', edit } : { kind: 'edited', file: { ...file, now } };
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      return error.kind === 'notFound' ? { kind: 'gone', edit } : { kind: 'edited', file: { ...file, now: undefined } };
    }
  }
}

function hasMoved({ before, after }: NodeChange): boolean {
  return after !== undefined && after !== before;
}

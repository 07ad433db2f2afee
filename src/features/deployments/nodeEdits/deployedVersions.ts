import { l10n, type TextDocumentContentProvider, Uri } from 'vscode';
import { type FilePlace, filePlaceOf, nameOf, uriParts } from '../../../containers/place';
import { beforeEditScheme } from '../../../manifest';
import { ExpectedError } from '../../../ui/expectedError';
import type { NodeInspector } from '../deployedState/nodeInspector';
import type { ProjectFinder } from '../projectFinder';
import type { KnownProject } from '../projects';
import { foldersOf, projectKey } from '../projectPlace';
import { cloneProblemText } from '../projectText';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, LocalState } from '../repositories/localRepository';
import { deployedSide } from './editFates';
import type { NodeEdit } from './nodeEdit';
import type { NodeEditLog } from './nodeEditLog';
import { type EditSides, isPathInTree } from './takeEdit';
import { headsNow } from '../deployedState/deployedState';

/** A file or folder below a project's folder. */
interface DeployedFile {
  readonly place: FilePlace;
  readonly project: KnownProject;
  /** Relative to the project's folder, which is the root of its repository. */
  readonly path: string;
}

interface DeployedVersion extends DeployedFile {
  readonly side: EditSides['deployed'];
  /** What the commit has there, if the clone knows the commit. */
  readonly committed: LocalState | undefined;
  /** The commit that the node has, if it could be read. */
  readonly commit: string | undefined;
  readonly repository: LocalRepository | undefined;
  /** What was edited there through Gantry since then. */
  readonly edit: NodeEdit | undefined;
}

type FindCommit = (file: DeployedFile) => Promise<string | undefined>;

/** Finds what was deployed, in a local clone, or else in what Gantry kept before the first edit. */
export class DeployedVersions {
  constructor(
    private readonly finder: ProjectFinder,
    private readonly inspector: NodeInspector,
    private readonly repositories: LocalRepositories,
    private readonly nodeEditLog: NodeEditLog,
  ) {}

  /** Returns a place's project and its path in the repository. Sends no request. */
  locate(place: FilePlace): DeployedFile | undefined {
    const project = this.finder.projectAt(place);
    const folder = project && foldersOf(project).find((one) => place.path.startsWith(`${one}/`));
    const path = place.path.slice((folder?.length ?? 0) + 1);
    return project === undefined || folder === undefined || !isPathInTree(path) ? undefined : { place, project, path };
  }

  /**
   * Returns `undefined` if the place isn't below a project's folder.
   * @param options.mayFetch whether to fetch a commit that the clone doesn't have. Another person may have deployed it.
   */
  async of(
    place: FilePlace,
    { commits = this.commits(), mayFetch }: { readonly commits?: FindCommit; readonly mayFetch: boolean },
  ): Promise<DeployedVersion | undefined> {
    const file = this.locate(place);
    if (file === undefined) {
      return undefined;
    }
    await this.repositories.ready;
    const { project } = file;
    const repository = this.repositories.withAddress(project.url);
    const edit = await findWithText(this.nodeEditLog, place).catch(() => undefined);
    const commit = repository && (await commits(file));
    const committed =
      repository && commit !== undefined ? await contentIn(repository, commit, file, mayFetch) : undefined;
    return { ...file, side: deployedSide(committed, edit), committed, commit, repository, edit };
  }

  /** As `of`, with the deployed text. Throws if that isn't known. */
  async toCompare(place: FilePlace) {
    const version = await this.of(place, { mayFetch: true });
    if (version === undefined || typeof version.side === 'object') {
      throw new ExpectedError(await this.whyUnknown(place, version));
    }
    return { ...version, side: version.side };
  }

  private async whyUnknown(place: FilePlace, version: DeployedVersion | undefined): Promise<string> {
    const { committed, commit, repository } = version ?? {};
    const name = nameOf(place);
    if (committed?.kind === 'binary') {
      return l10n.t("Couldn't compare {0}: the deployed version isn't text.", name);
    }
    const isInClone = commit !== undefined && (await repository?.commit(commit)) !== undefined;
    if (isInClone && committed === undefined) {
      return l10n.t(
        "Couldn't compare {0}: Git can't show its deployed version exactly. A converter (textconv) may be configured for the file.",
        name,
      );
    }
    return (
      cloneProblemText(this.repositories.state) ??
      l10n.t(
        "Couldn't find the deployed version of {0}. Open a clone of the project's repository that has its commit.",
        name,
      )
    );
  }

  /** As `of`, with where the file is in the clone. Throws if no clone is open. */
  async inClone(place: FilePlace, commits: FindCommit) {
    const version = await this.of(place, { commits, mayFetch: true });
    const { repository, path } = version ?? {};
    if (version === undefined || repository === undefined || path === undefined) {
      throw new ExpectedError(
        cloneProblemText(this.repositories.state) ??
          l10n.t(
            "Couldn't apply {0}: no clone of its project's repository is open in this window. Open one, or use Clone Repository in the project's menu.",
            place.path,
          ),
      );
    }
    return { version, repository, path };
  }

  /** Returns a function that reads the commit of a file's node, once for all files of the project there. */
  commits(): FindCommit {
    const known = new Map<string, Promise<string | undefined>>();
    return ({ project, place: { target } }) => {
      const key = `${projectKey(project)}/${target.nodeId}`;
      const commit = known.get(key) ?? this.commitOf(project, target.nodeId);
      known.set(key, commit);
      return commit;
    };
  }

  private async commitOf(place: KnownProject, nodeId: number | undefined): Promise<string | undefined> {
    return headsNow(await this.inspector.heads({ place, nodeId })).commit;
  }
}

async function findWithText(nodeEditLog: NodeEditLog, place: FilePlace): Promise<NodeEdit | undefined> {
  const edit = await nodeEditLog.findBeside(place);
  return edit && nodeEditLog.withText(edit);
}

/** Returns `undefined` if the clone doesn't have the commit, and its remote doesn't either, or if Git can't show the text. */
async function contentIn(
  repository: LocalRepository,
  commit: string,
  { project, path }: DeployedFile,
  mayFetch: boolean,
): Promise<LocalState | undefined> {
  const found = await repository.contentOf(commit)(path);
  if (found !== undefined || !mayFetch || (await repository.commit(commit)) !== undefined) {
    return found;
  }
  // A project may also deploy a tag or a commit. If the remote can't be reached, what Gantry kept has to do.
  await repository
    .fetch(project)
    .catch((error: unknown) => (lacksBranch(error) ? repository.fetch(project, 'anyReference') : undefined))
    .catch(() => undefined);
  return repository.contentOf(commit)(path);
}

/** Otherwise, another fetch would fail in the same way, and might ask for a login again. */
function lacksBranch(error: unknown): boolean {
  return error instanceof Object && 'stderr' in error && /couldn't find remote ref/i.test(String(error.stderr));
}

/** Provides a file's content from before it was edited through Gantry, or as it was deployed, for comparing. */
export class NodeEditDocuments implements TextDocumentContentProvider {
  constructor(
    private readonly nodeEditLog: NodeEditLog,
    private readonly versions: DeployedVersions,
  ) {}

  async provideTextDocumentContent(uri: Uri): Promise<string | undefined> {
    if (uri.query === '') {
      return '';
    }
    const place = filePlaceOf(uri.with({ scheme: uri.query, query: '', fragment: '' }));
    if (uri.fragment !== '') {
      const side = place && (await this.versions.of(place, { mayFetch: false }))?.side;
      // Without content, the editor's gutter shows nothing.
      return typeof side === 'object' ? undefined : (side ?? '');
    }
    const edit = place && (await findWithText(this.nodeEditLog, place));
    return (
      edit?.before ?? (edit?.what === 'added' ? '' : l10n.t('The content of this file before the edit is unknown.'))
    );
  }
}

/** Keeps the path, so that VS Code highlights both sides alike, and encodes the file's own scheme. */
export function beforeEditUri(place: FilePlace): Uri {
  const { scheme, authority, path } = uriParts(place);
  return Uri.from({ scheme: beforeEditScheme, authority, path, query: scheme });
}

/** The deployed version of an edited file. After a redeploy, the next edit has another one. */
export function deployedUri(place: FilePlace, { at }: Pick<NodeEdit, 'at'>): Uri {
  return beforeEditUri(place).with({ fragment: `${at}` });
}

/** An empty document for a file that no longer exists. */
export function deletedUri(place: FilePlace): Uri {
  return beforeEditUri(place).with({ query: '' });
}

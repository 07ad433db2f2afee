import { type ClonesOnNodes, likelyFolders } from '../deployedState/clonesOnNodes';
import { type DeployRecord, hasDeployed } from '../history/deployRecord';
import type { KnownProjects } from '../knownProjects';
import type { ProjectPlace } from '../projectPlace';
import type { Redeploys } from '../redeploy/redeploys';
import type { Prepared } from '../redeploy/redeployOperation';

/** What was found in a folder that the user entered. */
export type FoundFolder = Awaited<ReturnType<ClonesOnNodes['look']>>;

/** Where contexts lie in their containers: the contract does not say. Found by their clones, else told by the person. */
export class ProjectFolders {
  constructor(
    private readonly deps: {
      readonly clones: ClonesOnNodes;
      readonly known: KnownProjects;
      readonly redeploys: Redeploys;
    },
  ) {}

  of(place: ProjectPlace): string | undefined {
    return this.deps.clones.folder(place);
  }

  /** Whether a clone was found in the known folder. */
  isFound(place: ProjectPlace): boolean {
    return this.deps.clones.isProven(place);
  }

  /** The folder to suggest in the prompt. */
  likely(place: ProjectPlace): string {
    return this.of(place) ?? likelyFolders(place, undefined)[0] ?? '/';
  }

  /** Before a redeploy: something was deployed, and it does not lie in any of the usual places. */
  isMissedBefore({ request, wasDeployed }: Prepared): boolean {
    return this.mayAsk(request.place) && wasDeployed;
  }

  /** After a redeploy: what the platform deployed must lie somewhere. */
  isMissedAfter(record: DeployRecord): boolean {
    return this.mayAsk(record) && hasDeployed(record);
  }

  /** Looks into a folder on every node; the first that holds a clone decides. */
  async look(place: ProjectPlace, folder: string): Promise<FoundFolder> {
    let found: FoundFolder = 'absent';
    for (const { node } of await this.deps.redeploys.heads(place)) {
      found = await this.deps.clones.look(place, node, folder);
      if (found === 'commit' || found === 'checkout') {
        return found;
      }
    }
    return found;
  }

  tell(place: ProjectPlace, folder: string): Promise<void> {
    // What is found there in time takes the place of the word.
    return this.deps.known.remember(place, { folder, folderIsTold: true, askedForFolder: true });
  }

  /** The user dismissed the question, so Gantry doesn't ask again. */
  declined(place: ProjectPlace): Promise<void> {
    return this.deps.known.remember(place, { askedForFolder: true });
  }

  private mayAsk(place: ProjectPlace): boolean {
    return this.of(place) === undefined && this.deps.known.find(place)?.askedForFolder !== true;
  }
}

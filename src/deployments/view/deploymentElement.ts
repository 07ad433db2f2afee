import type { Environment } from '../../containers/environment';
import type { RedeployElement } from '../history/redeployRow';
import type { DeployRecord } from '../redeploy/redeployResult';
import type { StateResult } from '../results';
import type { ProjectPlace } from '../projectPlace';
import type { Project } from '../projects';
import type { RowOf, SharedRows } from '../../trees/sharedElement';

/** The rows that only the Deployments view has. */
export interface DeploymentRows {
  noProject: { readonly environment: Environment };
  project: {
    readonly place: ProjectPlace;
    /** The environment's display name. */
    readonly environmentTitle: string;
    /** The platform lists it, so it can't be removed from the view. */
    readonly isListed: boolean;
    /** More than one layer of its environment has projects, so the row names the layer. */
    readonly namesLayer: boolean;
    readonly read:
      { readonly kind: 'read'; readonly project: Project } | { readonly kind: 'failed'; readonly error: unknown };
    readonly results: readonly StateResult[] | undefined;
    readonly last: DeployRecord | undefined;
    /** There are unsent settings changes. */
    readonly hasDraft: boolean;
    readonly running: 'updating' | 'following' | undefined;
    /** A clone of its repository is open in this window. */
    readonly hasClone: boolean;
  };
  fact: { readonly place: ProjectPlace; readonly fact: Fact };
  history: { readonly place: ProjectPlace; readonly length: number };
  redeploy: RedeployElement;
}

export type DeploymentElement = RowOf<DeploymentRows & SharedRows>;
export type ProjectElement = RowOf<DeploymentRows, 'project'>;

/** A line of information about a project. */
export interface Fact {
  /** Tells it apart from the project's other facts. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip?: string;
  readonly icon: string;
  readonly contextValue?: string;
  /** What a click does. */
  readonly click?: 'gantry.project.selectFolder' | 'gantry.project.showLog' | undefined;
}

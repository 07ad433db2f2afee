import type { Environment } from '../../containers/environment';
import type { RedeployElement } from '../history/redeployRow';
import type { DeployRecord } from '../redeploy/redeployResult';
import type { StateResult } from '../results';
import type { ProjectPlace } from '../projectPlace';
import type { Project } from '../projects';
import type { SharedElement } from '../../trees/sharedElement';

export type DeploymentElement = OwnDeploymentElement | SharedElement;

/** The rows that only the Deployments view has. */
export type OwnDeploymentElement =
  | { readonly kind: 'noProject'; readonly environment: Environment }
  | ProjectElement
  | { readonly kind: 'fact'; readonly place: ProjectPlace; readonly fact: Fact }
  | { readonly kind: 'history'; readonly place: ProjectPlace; readonly length: number }
  | RedeployElement;

export interface ProjectElement {
  readonly kind: 'project';
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
}

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

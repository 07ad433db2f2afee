import type { Environment } from '../../containers/environment';
import type { DeployRecord } from '../redeploy/redeployResult';
import type { Finding } from '../deployedState/deployedState';
import type { ProjectPlace } from '../projectPlace';
import type { Project } from '../projects';
import type { SharedElement } from '../../trees/sharedElement';

export type DeploymentElement = OwnDeploymentElement | SharedElement;

/** What the Deployments view shows besides the rows that all views have. */
export type OwnDeploymentElement =
  | { readonly kind: 'noProject'; readonly environment: Environment }
  | ProjectElement
  | { readonly kind: 'fact'; readonly place: ProjectPlace; readonly fact: Fact }
  | { readonly kind: 'history'; readonly place: ProjectPlace; readonly length: number }
  | { readonly kind: 'redeploy'; readonly record: DeployRecord };

export interface ProjectElement {
  readonly kind: 'project';
  readonly place: ProjectPlace;
  /** The platform lists it: it cannot be taken out of the view. */
  readonly isListed: boolean;
  /** Several layers of its environment have projects. */
  readonly namesLayer: boolean;
  readonly read:
    { readonly kind: 'read'; readonly project: Project } | { readonly kind: 'failed'; readonly error: unknown };
  readonly drift: readonly Finding[] | undefined;
  readonly last: DeployRecord | undefined;
  /** Settings were changed and not sent. */
  readonly hasDraft: boolean;
  readonly running: 'updating' | 'following' | undefined;
}

/** One line of what is known of a project. */
export interface Fact {
  /** Tells it apart from the project's other facts. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip?: string;
  readonly icon: string;
  readonly contextValue?: string;
  /** No clone was found: a click asks for the project's folder. */
  readonly asksForFolder?: boolean;
}

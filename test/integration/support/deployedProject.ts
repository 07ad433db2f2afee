import { window } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { DeployRecord } from '../../../src/features/deployments/redeploy/redeployResult';
import type { ProjectPlace } from '../../../src/features/deployments/projectPlace';
import type { ProjectParts } from './parts';
import type { Behaviour } from '../../localPlatform/behaviour';
import { type VcsSetUp, webroot, type Wishes } from '../../unit/localPlatform/vcsSetUp';
import { gantry } from './gantry';
import { commitOnDisk, endProject, startProject } from './projects';

export const indexFile = `${webroot}/ROOT/index.php`;

/** A project on two nodes, and the steps that tests of redeploys share. */
export class DeployedProject {
  private constructor(
    readonly setUp: VcsSetUp,
    readonly account: Account,
    readonly place: ProjectPlace,
    readonly parts: ProjectParts,
  ) {}

  static async start(behaviour: Partial<Behaviour> = {}): Promise<DeployedProject> {
    const { setUp, account, place } = await startProject({ pollingSpeed: 1200, ...behaviour });
    return new DeployedProject(setUp, account, place, (await gantry()).projects);
  }

  end(): Promise<void> {
    return endProject(this);
  }

  async redeploy(nodeId?: number): Promise<DeployRecord> {
    const { plans, redeploys } = this.parts;
    return redeploys.start(await plans.prepare({ place: this.place, nodeId })).ended;
  }

  /** Creates the project, deploys it directly on the platform, and returns the commit. */
  async deployedOnce(wishes: Wishes = {}): Promise<string | undefined> {
    await this.setUp.create({ updateNow: true, ...wishes });
    return commitOnDisk(this.setUp, 0);
  }

  secondCommit(): Promise<string> {
    return this.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
  }

  /** Returns the error message for a failed redeploy, and its buttons. */
  async errorShownFor(record: DeployRecord): Promise<readonly string[]> {
    const told: string[] = [];
    const { showErrorMessage } = window;
    const hear = (...words: readonly string[]) => Promise.resolve(void told.push(...words));
    Object.assign(window, { showErrorMessage: hear });
    await this.parts.flow.showResult(record).finally(() => Object.assign(window, { showErrorMessage }));
    return told;
  }
}

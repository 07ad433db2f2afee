import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PollInterval } from '../../src/features/deployments/redeploy/watchLostUpdate';
import type { ProjectPlace } from '../../src/features/deployments/projectPlace';
import type { ProjectSettings } from '../../src/features/deployments/projects';
import type { RedeployPlan } from '../../src/features/deployments/redeploy/plan';
import type { Repair } from '../../src/features/deployments/redeploy/wedgedClones';
import type { OpenClone } from '../integration/support/openClone';
import {
  endPeopledProject,
  type PeopledProject,
  quickPace,
  startPeopledProject,
  trustPins,
} from '../integration/support/projects';
import type { Behaviour } from '../localPlatform/behaviour';
import type { Wishes } from '../unit/localPlatform/vcsSetUp';
import { filesBelow, type Files, type NodeState, treeAt } from './nodeStates';
import { gitRepository, type ProjectRepository, subversionRepository } from './projectRepositories';

const layers = {
  blog: { nodeCount: 1, folder: '/home/jelastic/ROOT' },
  shop: { nodeCount: 2, folder: '/var/www/webroot/ROOT' },
} as const;

export interface ProjectOptions {
  readonly type: 'GIT' | 'SVN';
  /** Whether it's deployed behind a link, where the stack can do that. */
  readonly zdt: boolean;
  /** Whether `next` was deployed before, so that the nodes have it as it was then. */
  readonly knowsNext: boolean;
  readonly environment: keyof typeof layers;
  readonly behaviour: Partial<Behaviour>;
  readonly autoResolveConflict: boolean;
  /** Whether the platform was seen to deploy the commit in the settings. */
  readonly isPinSeen: boolean;
}

/** A deployed project, its repository, and what the steps of a sequence did to them. */
export class ProjectUnderTest {
  clone: OpenClone | undefined;
  /** What Gantry said before the redeploys of a step. */
  said: RedeployPlan[] = [];
  /** The commit that someone put into the branch of the project. */
  foreignCommit: string | undefined;
  /** How clones were repaired in a step. */
  repair: Repair | undefined;
  /** The commit that a step rolls back to. */
  rollsBackTo = '';
  /** What someone else does in the middle of a step, once it asks. */
  meanwhile: (() => Promise<void>) | undefined;
  /** What the nodes had once someone else had done something in the middle of a step. */
  between: readonly NodeState[] | undefined;
  /** The commits of all branches, the newest last. */
  private readonly commits: string[] = [];
  /** The edits made through Gantry, by node and path. */
  private readonly edits = new Map<number, Map<string, string>>();
  private texts = 0;
  /** The branches that someone deleted. */
  readonly deleted = new Set<string>();
  private readonly usualPace: PollInterval;

  private constructor(
    private readonly at: PeopledProject,
    readonly repository: ProjectRepository,
    readonly place: ProjectPlace,
    readonly nodeCount: number,
    readonly folder: string,
  ) {
    this.usualPace = { ...at.parts.pace };
    // Nothing goes on once a response is lost, so that few polls are enough.
    Object.assign(at.parts.pace, quickPace(6));
    const { flow } = at.parts;
    const plan = flow.plan.bind(flow);
    flow.plan = async (...args) => {
      const seen = await plan(...args);
      this.said.push(seen);
      return seen;
    };
  }

  /** Creates it, and deploys it twice. */
  static async start({
    type,
    environment,
    behaviour,
    isPinSeen,
    knowsNext,
    ...wishes
  }: ProjectOptions): Promise<ProjectUnderTest> {
    const at = await startPeopledProject(behaviour);
    const { nodeCount, folder } = layers[environment];
    const { setUp, parts } = at;
    const repository = type === 'GIT' ? gitRepository(setUp) : await subversionRepository();
    const project = new ProjectUnderTest(at, repository, { ...at.place, environment }, nodeCount, folder);
    if (type === 'GIT') {
      project.commits.push(setUp.first);
    }
    const first = { 'index.php': 'one\n', 'about.php': 'about\n', '.gitignore': '*.env\n', 'lib/tea.php': 'tea\n' };
    await project.commit(first);
    if (type === 'GIT') {
      await setUp.repository.setReference('refs/tags/v1', project.commitBack(0));
      await project.commit({ 'index.php': 'next\n' }, 'next');
    }
    const branch = knowsNext && type === 'GIT' ? 'next' : 'master';
    await setUp.create({ ...repository.wishes, envName: environment, ...wishes, branch, updateNow: true });
    if (branch === 'next') {
      await project.editAsSomeone({ ...wishes, branch: 'master' });
    }
    await project.commit({ 'about.php': 'about us\r\n' });
    await setUp.succeed('Update', { envName: environment, context: 'ROOT' });
    await parts.projects.add(project.place);
    await parts.deployedStates.look(project.place);
    if (isPinSeen) {
      await trustPins(project.place, type);
    }
    return project;
  }

  beginStep(): void {
    this.said = [];
    this.repair = undefined;
    this.meanwhile = undefined;
    this.between = undefined;
  }

  get setUp() {
    return this.at.setUp;
  }

  get parts() {
    return this.at.parts;
  }

  get person() {
    return this.at.person;
  }

  get account() {
    return this.at.account;
  }

  get isSubversion(): boolean {
    return this.repository.wishes['type'] === 'SVN';
  }

  /** An earlier commit. */
  commitBack(count: number): string {
    return this.commits.at(Math.max(-1 - count, -this.commits.length)) ?? '';
  }

  /** The same as a hash, or the number of a revision. */
  hashBack(count: number): string {
    return this.commitBack(count).replace(/^r/, '');
  }

  /** Whether the clone here has a commit. */
  async knows(commit: string): Promise<boolean> {
    const found = await this.clone?.clone.git('cat-file', '-e', commit).catch(() => undefined);
    return found !== undefined;
  }

  nodeId(node: number): number {
    return this.setUp.platform.nodes(this.place.environment, 'cp')[node]?.id ?? 0;
  }

  nodeWithId(id: number | undefined): number {
    return Math.max(
      0,
      this.setUp.platform.nodes(this.place.environment, 'cp').findIndex((node) => node.id === id),
    );
  }

  /** The settings as Gantry read them last. */
  get settings(): ProjectSettings {
    return this.parts.projects.last(this.place)?.settings ?? {};
  }

  /** Where the project's files are on a node. */
  onNode(node: number): string {
    return treeAt(this.setUp.platform.nodeFolder(this.nodeId(node)), this.folder);
  }

  hasParent(node: number, path: string): boolean {
    return existsSync(dirname(join(this.onNode(node), path)));
  }

  states(): Promise<readonly NodeState[]> {
    const read = async (tree: string) => ({
      ...(await this.repository.headIn(tree)),
      tree,
      files: await filesBelow(tree),
    });
    return Promise.all(Array.from({ length: this.nodeCount }, (_, node) => read(this.onNode(node))));
  }

  editsOn(node: number): Map<string, string> {
    const edits = this.edits.get(node) ?? new Map<string, string>();
    this.edits.set(node, edits);
    return edits;
  }

  /** Forgets the edits that a node no longer has. */
  forgetEditsExcept(node: number, files: Files): void {
    const edits = this.editsOn(node);
    for (const [path, text] of edits) {
      if (files.get(path) !== text) {
        edits.delete(path);
      }
    }
  }

  uniqueText(path: string): string {
    this.texts += 1;
    return `${path} ${this.texts}\r\nü\n`;
  }

  async push(branch: string, path: string, isRemoved: boolean): Promise<void> {
    await this.commit({ [path]: isRemoved && path !== 'index.php' ? null : this.uniqueText(path) }, branch);
  }

  async deleteBranch(branch: string): Promise<void> {
    this.deleted.add(branch);
    if ((await this.repository.tips()).has(branch)) {
      await this.setUp.repository.setReference(`refs/heads/${branch}`);
    }
  }

  async editAsSomeone(wishes: Wishes): Promise<void> {
    const { atomicDeploy: zdt = false } = this.settings;
    const { type = 'GIT', url = '' } = this.repository.wishes;
    const unchanged = { ...this.setUp.editWishes, type, url, zdt, envName: this.place.environment };
    this.foreignCommit = /^[0-9a-f]{40}$/.exec(String(wishes['branch']))?.[0];
    await this.setUp.succeed('EditProject', { ...unchanged, ...wishes });
  }

  async closeClone(): Promise<void> {
    const { clone } = this;
    this.clone = undefined;
    await clone?.close();
  }

  async end(): Promise<void> {
    Reflect.deleteProperty(this.parts.flow, 'plan');
    Object.assign(this.parts.pace, this.usualPace);
    await this.closeClone();
    await this.parts.history.forget(this.place);
    await endPeopledProject(this.at);
    await this.repository.close();
  }

  /** Updates the project on all nodes, not through Gantry. */
  async updateAsSomeone(): Promise<void> {
    await this.setUp.update({ envName: this.place.environment });
  }

  /** Does what someone else does in the middle of a step, once. */
  async doMeanwhile(): Promise<void> {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
  }

  private async commit(files: Readonly<Record<string, string | null>>, branch = 'master'): Promise<void> {
    this.commits.push(await this.repository.commit(files, branch));
  }
}

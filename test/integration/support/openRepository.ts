import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'mocha';
import { commands, ConfigurationTarget, Range, Uri, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { patchOf } from '../../../src/features/deployments/nodeEdits/takeEdit';
import { patched } from '../../../src/features/deployments/nodeEdits/nodeEditsAtRisk';
import type { ProjectPlace } from '../../../src/features/deployments/projectPlace';
import type { RedeployPlan } from '../../../src/features/deployments/redeploy/plan';
import type { DeployRecord } from '../../../src/features/deployments/redeploy/redeployResult';
import type { LocalRepository, UndeployedWork } from '../../../src/features/deployments/repositories/localRepository';
import type { ProjectParts } from './parts';
import type { Behaviour } from '../../localPlatform/behaviour';
import { credentials, type VcsSetUp, webroot, type Wishes } from '../../unit/localPlatform/vcsSetUp';
import { until } from './event';
import { fileUri, gantry } from './gantry';
import { LocalClone } from './localClone';
import { endProject, inAHurry, redeployed, startProject } from './projects';

async function setGit(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration('git').update(name, value, ConfigurationTarget.Global);
}

/** Sets up the Git extension for the suite: each test triggers the check of a repository itself, because it starts five programs. */
export function withQuietGit(): void {
  before(async () => {
    // Older versions ask the user about a repository outside the open folders, and open it only then.
    await setGit('openRepositoryInParentFolders', 'always');
    await setGit('autorefresh', false);
  });
  after(async () => {
    await setGit('openRepositoryInParentFolders', undefined);
    await setGit('autorefresh', undefined);
  });
}

/** A project whose repository is cloned and open in this window. */
export class OpenRepository {
  private constructor(
    readonly setUp: VcsSetUp,
    readonly account: Account,
    readonly place: ProjectPlace,
    readonly parts: ProjectParts,
    readonly clone: LocalClone,
    private readonly folder: string,
  ) {}

  static async start(behaviour: Partial<Behaviour> = {}): Promise<OpenRepository> {
    const parts = (await gantry()).projects;
    const { setUp, account, place } = await startProject(behaviour);
    const folder = await mkdtemp(join(tmpdir(), 'gantry-work-'));
    const clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    await commands.executeCommand('git.openRepository', clone.folder);
    await parts.repositories.ready;
    await until(parts.repositories.onDidChange, () => parts.repositories.withAddress(setUp.url) !== undefined);
    return new OpenRepository(setUp, account, place, parts, clone, folder);
  }

  async end(): Promise<void> {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await commands.executeCommand('git.close', this.repository.root);
    await endProject(this);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get repository(): LocalRepository {
    const found = this.parts.repositories.withAddress(this.setUp.url);
    assert.ok(found);
    return found;
  }

  async create(wishes: Wishes = {}): Promise<void> {
    await this.setUp.create({ updateNow: true, ...wishes });
  }

  /** Lets the Git extension look at the clone. */
  async status(): Promise<void> {
    await commands.executeCommand('git.refresh', Uri.file(this.clone.folder));
  }

  missed(): Promise<UndeployedWork> {
    return this.repository.missedBy({ url: this.setUp.url, branch: 'master' });
  }

  uri(path: string, node = 0): Uri {
    return fileUri(this.account, 'shop', `cp~${this.setUp.nodeId(node)}`, `${webroot}/ROOT/${path}`);
  }

  async save(path: string, text: string, node = 0): Promise<void> {
    await workspace.fs.writeFile(this.uri(path, node), new TextEncoder().encode(text));
  }

  /** Changes files and waits until each change is recorded. */
  async noting(paths: readonly string[], act: () => Thenable<unknown>): Promise<void> {
    const left = new Set(paths.map((path) => `${webroot}/ROOT/${path}`));
    const noted = new Promise<void>((resolve) => {
      const listening = this.parts.nodeEditLog.onDidChange(({ path }) => {
        left.delete(path);
        if (left.size === 0) {
          listening.dispose();
          resolve();
        }
      });
    });
    await act();
    await noted;
  }

  /** Edits and saves a file of the container in an editor. */
  async edit(path: string, text: string, node = 0): Promise<void> {
    const uri = this.uri(path, node);
    const document = await workspace.openTextDocument(uri);
    const change = new WorkspaceEdit();
    change.replace(uri, new Range(0, 0, document.lineCount, 0), text);
    assert.ok(await workspace.applyEdit(change));
    await this.noting([path], async () => assert.ok(await document.save()));
  }

  /** Applies the patch of the edits to the clone. */
  async apply(asked: RedeployPlan | undefined): Promise<void> {
    const changes = (asked?.edits ?? []).flatMap((file) => patched(file) ?? []);
    await this.clone.write(
      '../edits.patch',
      patchOf(changes, ({ path }) => path),
    );
    await this.clone.git('apply', '../edits.patch');
  }

  /** Redeploys as the command does, and returns what was asked. If it's asked again, the person gives up. */
  async redeploy(decision?: { push: boolean; savesPatch: boolean }): Promise<{
    readonly record: DeployRecord | undefined;
    readonly asked: RedeployPlan | undefined;
    readonly askedAgain: readonly RedeployPlan[];
  }> {
    const asked: RedeployPlan[] = [];
    const record = await redeployed(this.parts, { place: this.place, consent: 'byTask' }, (plan) => {
      asked.push(plan);
      return Promise.resolve(asked.length === 1 ? decision : undefined);
    });
    const [first, ...askedAgain] = asked;
    return { record, asked: first, askedAgain };
  }
}

/** Sets up a repository that is open here for each test of the suite. */
export function withOpenRepository(use: (at: OpenRepository) => void): void {
  let at: OpenRepository;

  inAHurry();
  withQuietGit();
  beforeEach(async () => {
    at = await OpenRepository.start();
    use(at);
  });
  afterEach(() => at.end());
}

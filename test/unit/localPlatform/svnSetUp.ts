import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Behaviour } from '../../localPlatform/behaviour';
import { SvnRepository } from '../../localPlatform/vcs/svnRepository';
import { startSvnServer, type SvnServer } from '../../localPlatform/vcs/svnServer';
import { VcsSetUp, type Wishes } from './vcsSetUp';

export const svnCredentials = { login: 'marit', password: 'cold tea' };

/** A platform, and a served Subversion repository with one revision. */
export class SvnSetUp {
  private constructor(
    readonly setUp: VcsSetUp,
    /** Contains the repositories. */
    readonly folder: string,
    readonly repository: SvnRepository,
    readonly server: SvnServer,
  ) {}

  static async start(behaviour: Partial<Behaviour>): Promise<SvnSetUp> {
    const setUp = await VcsSetUp.start(behaviour);
    const folder = await mkdtemp(join(tmpdir(), 'gantry-svn-'));
    const repository = await SvnRepository.create(join(folder, 'tea'), svnCredentials);
    await repository.commit('first', { 'trunk/index.php': 'one\n', 'trunk/about.php': 'about\n' });
    return new SvnSetUp(setUp, folder, repository, await startSvnServer({ folder }));
  }

  /** The parameters of a project from the repository. */
  get wishes(): Wishes {
    return { type: 'SVN', url: `${this.server.url('tea')}/trunk`, ...svnCredentials };
  }

  async stop(): Promise<void> {
    await this.setUp.stop();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

import { mkdir, rm } from 'node:fs/promises';
import { codes, Refusal } from '../../refusal';
import type { ProjectSettings } from '../project';
import type { Workplace } from '../sourceControl';
import { runSvn } from '../svn';
import type { NodeLogs } from './nodeLogs';
import type { VendorSources } from './vendorSources';

/** The Subversion commands of the vendor's svn.lib in its order (facts J). Edits are reverted whatever the project says. */
export class VendorSvn implements VendorSources {
  readonly own = '.svn';
  readonly #project: ProjectSettings;
  readonly #workplace: Workplace;
  readonly #logs: NodeLogs;

  constructor(project: ProjectSettings, workplace: Workplace, logs: NodeLogs) {
    this.#project = project;
    this.#workplace = workplace;
    this.#logs = logs;
  }

  async checkOut(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    try {
      await this.#demand(folder, ['checkout', this.#project.url, '--force', folder]);
    } catch (error) {
      await mkdir(folder, { recursive: true });
      throw error;
    }
  }

  async update(folder: string): Promise<void> {
    // Its output goes to a file that nobody reads.
    await runSvn(this.#project, this.#workplace, this.#workplace.home, ['revert', '--recursive', folder]);
    await this.#demand(folder, ['update', folder, '--force']);
  }

  changeUrl(folder: string, before: string): Promise<void> {
    const args = ['switch', '--relocate', before, this.#project.url, folder];
    return this.#demand(folder, args, codes.editProjectFailed);
  }

  async #demand(folder: string, args: readonly string[], result: number = codes.deployFailed): Promise<void> {
    const about = `${this.#logs.shortDate} URL - ${this.#project.url}; Directory - ${folder};`;
    for (const name of ['deploy', 'update'] as const) this.#logs.add(name, about);
    const { output, ending } = await runSvn(this.#project, this.#workplace, this.#workplace.home, args);
    for (const name of ['deploy', 'update'] as const) this.#logs.add(name, output);
    if (ending.kind !== 'exit' || ending.code !== 0) throw new Refusal(result, `svn ${args[0] ?? ''} failed`);
  }
}

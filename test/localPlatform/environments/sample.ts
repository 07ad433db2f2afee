import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { sampleSchema, type EnvironmentDescription } from './environment';

/** The sample environments, and the folder with the content of their nodes. */
export class Sample {
  #environments: readonly EnvironmentDescription[] | undefined;

  /** @param folder by default, it is searched for under GANTRY_ROOT and here, because a bundle has no folder of its own */
  constructor(readonly folder = join(process.env['GANTRY_ROOT'] ?? process.cwd(), 'test', 'localPlatform', 'sample')) {}

  /** Read from disk when first used. */
  get environments(): readonly EnvironmentDescription[] {
    const text = (): string => readFileSync(join(this.folder, 'environments.json'), 'utf8');
    this.#environments ??= v.parse(sampleSchema, JSON.parse(text())).environments;
    return this.#environments;
  }

  /** Returns the folder that contains a folder per layer of this environment. */
  content(envName: string): string {
    return join(this.folder, envName);
  }

  layer(envName: string, name: string): EnvironmentDescription['layers'][number] {
    const found = this.environments
      .find((environment) => environment.envName === envName)
      ?.layers.find((layer) => layer.name === name);
    if (found === undefined) throw new Error(`the sample has no layer ${name} in ${envName}`);
    return found;
  }
}

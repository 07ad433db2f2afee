import * as v from 'valibot';
import { type Memory, StoredRecord } from '../storage/stores';

/** An environment that the user entered because the platform doesn't list it for this token. */
const addedEnvironment = v.object({
  name: v.string(),
  /** Its layers and the nodes entered for each. No nodes means the layer as a whole. */
  layers: v.array(v.object({ id: v.string(), nodes: v.array(v.number()) })),
});
export type AddedEnvironment = v.InferOutput<typeof addedEnvironment>;
export type EnteredLayer = AddedEnvironment['layers'][number];

/** An environment as last seen. Its node IDs stay the same when it's renamed. */
const lastKnown = v.object({ name: v.string(), title: v.string(), nodes: v.array(v.number()) });
type LastKnown = v.InferOutput<typeof lastKnown>;

const ofAccount = v.object({ added: v.array(addedEnvironment), listed: v.array(lastKnown) });
type OfAccount = v.InferOutput<typeof ofAccount>;
const nothing: OfAccount = { added: [], listed: [] };

/** Remembers each account's environments across windows. Contains no secrets. */
export class EnvironmentMemory {
  private readonly stored;

  constructor(memory: Memory) {
    this.stored = new StoredRecord(memory, 'gantry.environments', ofAccount);
  }

  of(account: string): OfAccount {
    return this.stored.get(account) ?? nothing;
  }

  async add(account: string, environment: AddedEnvironment): Promise<void> {
    const { added, listed } = this.of(account);
    await this.stored.set(account, {
      added: [...added.filter(({ name }) => name !== environment.name), environment],
      listed,
    });
  }

  async remove(account: string, name: string): Promise<void> {
    const { added, listed } = this.of(account);
    const others = <E extends { name: string }>(these: readonly E[]) => these.filter((one) => one.name !== name);
    await this.stored.set(account, { added: others(added), listed: others(listed) });
  }

  async remember(account: string, listed: readonly LastKnown[]): Promise<void> {
    const known = this.of(account);
    if (JSON.stringify(known.listed) !== JSON.stringify(listed)) {
      await this.stored.set(account, { added: known.added, listed: [...listed] });
    }
  }

  async forget(account: string): Promise<void> {
    await this.stored.remove((slug) => slug === account);
  }
}

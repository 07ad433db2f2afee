import * as v from 'valibot';

/** An environment that the user entered because the platform doesn't list it for this token. */
const addedEnvironment = v.object({
  name: v.string(),
  /** Its layers and the nodes entered for each. No nodes means the layer as a whole. */
  layers: v.array(v.object({ id: v.string(), nodes: v.array(v.number()) })),
});
export type AddedEnvironment = v.InferOutput<typeof addedEnvironment>;

/** An environment as last seen. Its node IDs stay the same when it's renamed. */
const lastKnown = v.object({ name: v.string(), title: v.string(), nodes: v.array(v.number()) });
type LastKnown = v.InferOutput<typeof lastKnown>;

const ofAccount = v.object({ added: v.array(addedEnvironment), listed: v.array(lastKnown) });
type OfAccount = v.InferOutput<typeof ofAccount>;
const kept = v.record(v.string(), ofAccount);

const key = 'gantry.environments';
const nothing: OfAccount = { added: [], listed: [] };

/** The part of VS Code's `Memento` that is used. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** Remembers each account's environments across windows. Contains no secrets. */
export class EnvironmentMemory {
  constructor(private readonly memory: Memory) {}

  of(account: string): OfAccount {
    return this.all()[account] ?? nothing;
  }

  async add(account: string, environment: AddedEnvironment): Promise<void> {
    const { added, listed } = this.of(account);
    await this.put(account, { added: [...added.filter(({ name }) => name !== environment.name), environment], listed });
  }

  async remove(account: string, name: string): Promise<void> {
    const { added, listed } = this.of(account);
    const others = <E extends { name: string }>(these: readonly E[]) => these.filter((one) => one.name !== name);
    await this.put(account, { added: others(added), listed: others(listed) });
  }

  async remember(account: string, listed: readonly LastKnown[]): Promise<void> {
    const known = this.of(account);
    if (JSON.stringify(known.listed) !== JSON.stringify(listed)) {
      await this.put(account, { added: known.added, listed: [...listed] });
    }
  }

  async forget(account: string): Promise<void> {
    const others = Object.entries(this.all()).filter(([slug]) => slug !== account);
    await this.memory.update(key, Object.fromEntries(others));
  }

  private async put(account: string, known: OfAccount): Promise<void> {
    await this.memory.update(key, { ...this.all(), [account]: known });
  }

  /** Ignores data that another version of Gantry stored and this one can't read. */
  private all(): Readonly<Record<string, OfAccount>> {
    const parsed = v.safeParse(kept, this.memory.get(key));
    return parsed.success ? parsed.output : {};
  }
}

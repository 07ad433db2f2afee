import * as v from 'valibot';

/** The part of VS Code's `Memento` that is used. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * Values by name in a memory that all windows share. What another version of Gantry stored, and this one can't read, counts as
 * none.
 */
export class StoredRecord<T extends v.GenericSchema> {
  private readonly schema;

  constructor(
    private readonly memory: Memory,
    private readonly key: string,
    value: T,
  ) {
    this.schema = v.record(v.string(), value);
  }

  get(name: string): v.InferOutput<T> | undefined {
    return this.all()[name];
  }

  async set(name: string, value: v.InferOutput<T>): Promise<void> {
    await this.memory.update(this.key, { ...this.all(), [name]: value });
  }

  async remove(isRemoved: (name: string) => boolean): Promise<void> {
    const left = Object.entries(this.all()).filter(([name]) => !isRemoved(name));
    await this.memory.update(this.key, left.length === 0 ? undefined : Object.fromEntries(left));
  }

  private all(): Readonly<Record<string, v.InferOutput<T>>> {
    const parsed = v.safeParse(this.schema, this.memory.get(this.key));
    return parsed.success ? parsed.output : {};
  }
}

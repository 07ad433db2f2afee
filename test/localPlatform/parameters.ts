import { codes, Refusal } from './refusal';

/** The parameters of a request after the check against the contract: required ones exist, and types are valid. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Refusal(codes.invalidParameter, `invalid parameter [${name}]`);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.#values.get(name);
  }

  integer(name: string): number {
    return Number(this.text(name));
  }

  optionalInteger(name: string): number | undefined {
    return this.has(name) ? this.integer(name) : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : value === 'true' || value === '1';
  }

  /** Returns the first spelling that was sent: the contract has `nodeid` in some places and `nodeId` in others. */
  optionalIntegerOf(...names: readonly string[]): number | undefined {
    return names.map((name) => this.optionalInteger(name)).find((value) => value !== undefined);
  }
}

import * as v from 'valibot';
import { faultRuleSchema, type Fault, type FaultRule } from './fault';

/** An added fault, which a test can wait for, release, or remove. */
export interface SetFault {
  readonly id: number;
  /** Settles when it affects the first request. */
  readonly reached: Promise<void>;
  readonly hits: number;
  /** Releases hanging requests. */
  release(): void;
  remove(): void;
}

/** A fault that affects a request. */
export interface Play {
  readonly fault: Fault;
  readonly released: Promise<void>;
}

class ArmedFault implements SetFault {
  readonly reached: Promise<void>;
  readonly released: Promise<void>;
  hits = 0;
  #seen = 0;
  #tellReached: () => void = () => undefined;
  #tellReleased: () => void = () => undefined;

  constructor(
    readonly id: number,
    readonly rule: v.InferOutput<typeof faultRuleSchema>,
    readonly remove: () => void,
  ) {
    this.reached = new Promise((tell) => (this.#tellReached = tell));
    this.released = new Promise((tell) => (this.#tellReleased = tell));
  }

  release(): void {
    this.#tellReleased();
  }

  /** Counts a request, and returns whether the fault affects it. */
  meets(operation: string, parameters: ReadonlyMap<string, string>): boolean {
    const { rule } = this;
    if (rule.operation !== '*' && rule.operation !== operation) return false;
    if (!Object.entries(rule.parameters).every(([name, value]) => parameters.get(name) === value)) return false;
    this.#seen += 1;
    const last = rule.times === 'always' ? Infinity : rule.nth + rule.times - 1;
    if (this.#seen < rule.nth || this.#seen > last) return false;
    this.hits += 1;
    this.#tellReached();
    return true;
  }
}

/** The faults for requests. */
export class Faults {
  readonly #armed = new Map<number, ArmedFault>();
  #nextId = 1;

  add(rule: FaultRule): SetFault {
    const id = this.#nextId++;
    const armed = new ArmedFault(id, v.parse(faultRuleSchema, rule), () => this.#armed.delete(id));
    this.#armed.set(id, armed);
    return armed;
  }

  find(id: number): SetFault | undefined {
    return this.#armed.get(id);
  }

  get all(): readonly SetFault[] {
    return [...this.#armed.values()];
  }

  /** Removes all faults and releases hanging requests. */
  clear(): void {
    for (const armed of this.#armed.values()) armed.release();
    this.#armed.clear();
  }

  /** Returns the faults that affect this request. */
  meet(operation: string, parameters: ReadonlyMap<string, string>): readonly Play[] {
    return [...this.#armed.values()]
      .filter((armed) => armed.meets(operation, parameters))
      .map(({ rule, released }) => ({ fault: rule.fault, released }));
  }
}

import * as v from 'valibot';
import { faultRuleSchema, type Fault, type FaultRule } from './fault';

/** A fault that was set: a test waits on it, lets it go, or takes it back. */
export interface SetFault {
  readonly id: number;
  /** Settles when the first request has met it. */
  readonly reached: Promise<void>;
  readonly hits: number;
  /** Lets requests that hang go on. */
  release(): void;
  remove(): void;
}

/** A fault that plays on one request. */
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

  /** Counts a request; whether the fault plays on it. */
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

/** What shall go wrong, request by request. */
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

  /** Takes all faults back and lets go what hangs. */
  clear(): void {
    for (const armed of this.#armed.values()) armed.release();
    this.#armed.clear();
  }

  /** The faults that play on this request. */
  meet(operation: string, parameters: ReadonlyMap<string, string>): readonly Play[] {
    return [...this.#armed.values()]
      .filter((armed) => armed.meets(operation, parameters))
      .map(({ rule, released }) => ({ fault: rule.fault, released }));
  }
}

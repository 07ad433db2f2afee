import type { FaultRule } from '../../localPlatform/faults/fault';
import type { FinishedEntry } from '../../localPlatform/journal';

interface Told {
  readonly entries: readonly FinishedEntry[];
  /** How many requests have arrived, answered or not. */
  readonly arrivals: number;
}

/** Controls a local platform in another process. */
export class DistantPlatform {
  constructor(private readonly origin: string) {}

  async forgetJournal(): Promise<void> {
    await this.control('DELETE', 'journal');
  }

  /** Returns the requests once none is pending. */
  async requests(): Promise<readonly FinishedEntry[]> {
    for (;;) {
      const { entries, arrivals } = (await this.control('GET', 'journal')) as Told;
      if (entries.length === arrivals) {
        return entries;
      }
    }
  }

  /** Delays each response from now on. */
  async setDelay(milliseconds: number): Promise<void> {
    await this.clearFaults();
    await this.addFault({ operation: '*', times: 'always', fault: { kind: 'distance', milliseconds } });
  }

  async addFault(rule: FaultRule): Promise<void> {
    await this.control('POST', 'faults', rule);
  }

  async clearFaults(): Promise<void> {
    await this.control('DELETE', 'faults');
  }

  private async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    }
    return response.json();
  }
}

import type { Answer, Handler } from '../operation';

/** The operations that the dashboard shows while they go on. */
const shown = new Set(['RestartServices', 'Update']);

/** What goes on in which environment. */
export class CurrentActions {
  readonly #all = new Set<{ readonly action: string; readonly envName: string }>();

  async during(operation: string, envName: string | undefined, work: () => Promise<Answer>): Promise<Answer> {
    if (envName === undefined || !shown.has(operation)) return work();
    const entry = { action: operation, envName };
    this.#all.add(entry);
    try {
      return await work();
    } finally {
      this.#all.delete(entry);
    }
  }

  get all(): Iterable<{ readonly action: string; readonly envName: string }> {
    return this.#all;
  }
}

export const getCurrentActions: Handler = ({ account, platform }) => {
  const own = [...platform.actions.all].filter(
    ({ envName }) => account.environments === '*' || account.environments.includes(envName),
  );
  return Promise.resolve({ array: own.map(({ action, envName }) => ({ text: { env: envName, action } })) });
};

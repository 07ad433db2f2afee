import { TaskPool } from './taskPool';

interface WalkOptions<N> {
  /** Returns the nodes to enter next. */
  readonly enter: (node: N) => Promise<readonly N[]>;
  readonly atOnce: number;
  /** After an abort, no node is entered, and no failure is reported. */
  readonly signal: AbortSignal;
  /** Gets each node that couldn't be entered. If it throws, the walk ends. */
  readonly onFailure: (node: N, error: unknown) => void;
}

/**
 * Enters nodes and those that they lead to, a limited number at a time, those near the start first. Resolves when no
 * `enter` is running anymore, or rejects as the first `onFailure` that threw.
 */
export async function walk<N>(
  start: readonly N[],
  { enter, atOnce, signal, onFailure }: WalkOptions<N>,
): Promise<void> {
  const work = new TaskPool(atOnce, signal);
  const add = (node: N): void =>
    work.add(async () => {
      try {
        (await enter(node)).forEach(add);
      } catch (error) {
        if (!signal.aborted) {
          onFailure(node, error);
        }
      }
    });
  start.forEach(add);
  await work.finished();
}

import type { TargetKind } from '../../commands';

/** A command as it's registered. Only `command` makes one. */
export interface Handler<K extends TargetKind> {
  (...received: readonly unknown[]): Promise<void>;
  readonly actsOn: K;
}

/**
 * Makes a command.
 * @param resolve turns what VS Code, a key, or a link passes into what the command acts on; `undefined` ends it silently
 */
export function command<K extends TargetKind, T>(
  actsOn: K,
  resolve: (received: readonly unknown[]) => T | undefined | Promise<T | undefined>,
  run: (target: T) => unknown,
): Handler<K> {
  const handle = async (...received: readonly unknown[]) => {
    const target = await resolve(received);
    if (target !== undefined) {
      await run(target);
    }
  };
  return Object.assign(handle, { actsOn });
}

export function commandOnNothing(run: () => unknown): Handler<'none'> {
  return command('none', () => true, run);
}

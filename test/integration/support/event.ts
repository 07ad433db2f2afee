import type { Event } from 'vscode';

/** Settles with the first event that matches from now on. */
export function nextEvent<T>(event: Event<T>, matches: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const listening = event((value) => {
      if (matches(value)) {
        listening.dispose();
        resolve(value);
      }
    });
  });
}

/** Settles as soon as the condition holds. Checks it at each event. */
export async function until<T>(event: Event<T>, holds: () => boolean | Promise<boolean>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = async () => {
      if (await holds()) {
        listening.dispose();
        resolve();
      }
    };
    const listening = event(() => void look().catch(reject));
    look().catch(reject);
  });
}

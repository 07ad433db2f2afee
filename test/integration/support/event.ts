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

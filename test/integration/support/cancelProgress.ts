import { CancellationTokenSource, window } from 'vscode';

/**
 * Presses Cancel in each progress notification, once it's shown and `when` is resolved. Returns a function that ends this.
 */
export function cancelProgress(when?: Promise<unknown>): () => void {
  const { withProgress } = window;
  const button = new CancellationTokenSource();
  Object.assign(window, {
    withProgress: ((_, task) => {
      const shown = task({ report: () => undefined }, button.token);
      if (when === undefined) {
        button.cancel();
      } else {
        void when.then(() => button.cancel());
      }
      return shown;
    }) satisfies typeof withProgress,
  });
  return () => {
    Object.assign(window, { withProgress });
    button.dispose();
  };
}

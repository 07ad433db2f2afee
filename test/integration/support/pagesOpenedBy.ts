import { env, EventEmitter, type Uri } from 'vscode';
import { until } from './event';

/** Returns the addresses that the work opens outside of VS Code, in place of opening them. Waits for so many. */
export async function pagesOpenedBy(work: () => PromiseLike<unknown>, count = 1): Promise<readonly string[]> {
  const { openExternal } = env;
  const opened: string[] = [];
  const didOpen = new EventEmitter<void>();
  const note = (uri: Uri) => {
    opened.push(uri.toString());
    didOpen.fire();
    return Promise.resolve(true);
  };
  Object.assign(env, { openExternal: note });
  try {
    await work();
    await until(didOpen.event, () => opened.length >= count);
  } finally {
    Object.assign(env, { openExternal });
    didOpen.dispose();
  }
  return opened;
}

const disposals = new Set<() => Promise<void>>();

/** Registers a function that disposes of a resource shared by the test files of this process. It runs after the last file. */
export function disposeAtEnd(dispose: () => Promise<void>): void {
  disposals.add(dispose);
}

export async function disposeShared(): Promise<void> {
  await Promise.all([...disposals].map((dispose) => dispose()));
  disposals.clear();
}

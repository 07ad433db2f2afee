/** The most that a piece of work may ask of the platform. */
export interface Budget {
  readonly work: string;
  readonly requests: number;
  /** The most that may wait for one another. */
  readonly sequential: number;
}

/** Counted in requests, because those do not depend on the machine. */
export const budgets = {
  openWorkspace: { work: 'open a workspace folder in VS Code, until idle', requests: 2, sequential: 2 },
  expandFolder: { work: 'expand a folder', requests: 1, sequential: 1 },
  openFile: { work: 'open a file in a listed folder', requests: 1, sequential: 1 },
  openUnlisted: { work: 'open a file in a folder not listed', requests: 2, sequential: 1 },
  stats100: { work: '100 concurrent stats in one folder, half of them missing', requests: 1, sequential: 1 },
  save: { work: 'save on one node, no conflict', requests: 5, sequential: 3 },
  typing: { work: 'type into an open file for a minute, beyond watching', requests: 0, sequential: 0 },
  renameFolder: { work: 'rename a folder of 1,000 files', requests: 3, sequential: 3 },
  copyFolder: { work: 'copy a folder of 1,000 files', requests: 3, sequential: 3 },
  reopen: { work: 'look again at what was just looked at', requests: 0, sequential: 0 },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof budgets;

/** The most that any of them may take, as a multiple of what its requests take that wait for one another, at 200 ms each. */
export const largestRatio = 1.15;

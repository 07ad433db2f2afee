/** What Gantry answers otherwise than VS Code's own provider for the disk, and why. Whatever is not here is the same. */
export interface Difference {
  readonly file: string;
  readonly gantry: string;
  readonly because: string;
}

export const differences: Readonly<Record<string, Difference>> = {
  'writeFile: without the right to write': {
    file: 'Unknown',
    gantry: 'NoPermissions',
    because: 'The disk’s provider loses the reason on its way; what the platform says is passed on.',
  },
  'delete recursively: missing': {
    file: 'done',
    gantry: 'FileNotFound',
    because:
      'VS Code’s documentation of a provider demands it, and a person who deletes what is gone should learn of it.',
  },
  'delete recursively: in a missing folder': {
    file: 'done',
    gantry: 'FileNotFound',
    because: 'As for what is missing.',
  },
  'delete recursively: a folder that is fixed': {
    file: 'NoPermissions',
    gantry: 'done',
    because:
      'A folder is moved aside and deleted later, since VS Code doesn’t say whether something is to replace it. If that fails, the folder is put back with a warning.',
  },
};

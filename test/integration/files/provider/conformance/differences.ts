/**
 * Where Gantry's results differ from those of VS Code's own provider for the disk, and why. Everything else is the
 * same.
 */
export interface Difference {
  readonly file: string;
  readonly gantry: string;
  readonly because: string;
}

export const differences: Readonly<Record<string, Difference>> = {
  'writeFile: without permission to write': {
    file: 'Unknown',
    gantry: 'NoPermissions',
    because: 'The disk’s provider loses the reason. Gantry passes on the platform’s reason.',
  },
  'delete recursively: missing': {
    file: 'done',
    gantry: 'FileNotFound',
    because: 'VS Code’s documentation requires it, and users should learn that the path is already gone.',
  },
  'delete recursively: in a missing folder': {
    file: 'done',
    gantry: 'FileNotFound',
    because: 'As for a missing path.',
  },
  'delete recursively: a fixed folder': {
    file: 'NoPermissions',
    gantry: 'done',
    because:
      'A folder is moved aside and deleted later, because VS Code doesn’t say whether something will replace it. If that fails, Gantry restores the folder with a warning.',
  },
};

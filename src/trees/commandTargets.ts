import { Uri } from 'vscode';
import { activeFile } from '../files/tabs';
import type { Listings } from '../containers/listings';
import { type FilePlace, isPathWithin, isSameContainer, filePlaceOf, keyOf, parentOrSelf } from '../containers/place';
import type { Call } from '../ui/commands/call';
import { command, type Handler, some, type Some } from '../ui/commands/command';
import { rowsForKey } from './rowTree';
import type { CommandTarget } from './sharedElement';

type IsOffered = (target: CommandTarget) => boolean;

interface EnvironmentRows {
  targetOf(row: object): CommandTarget | undefined;
  selection(): readonly object[];
}

/**
 * Resolves the target of a command: rows of the Environments view, files in VS Code's Explorer or, from the Command
 * Palette, the active editor.
 */
export class CommandTargets {
  constructor(
    /** Undefined until the view is loaded: it has no rows then. */
    private readonly rows: () => EnvironmentRows | undefined,
    private readonly listings: Listings,
  ) {}

  /** Leaves out what the command isn't offered for, and then what is a target twice. */
  async all(call: Call, isOffered: IsOffered = () => true): Promise<readonly CommandTarget[]> {
    const meant = await this.meant(call);
    const found = await Promise.all(meant.map((one) => this.of(one)));
    return outermost(found.filter((target) => target !== undefined).filter(isOffered));
  }

  /** A command on files and folders; it does nothing without any. */
  onAll(run: (targets: Some<CommandTarget>) => unknown, isOffered?: IsOffered): Handler<'entries'> {
    return command('entries', async (call) => some(await this.all(call, isOffered)), run);
  }

  /** A command that moves or deletes files and folders. Skips what no menu offers it for. */
  onRemovable(run: (targets: Some<CommandTarget>) => unknown): Handler<'entries'> {
    return this.onAll(run, isRemovable);
  }

  onOne(run: (target: CommandTarget) => unknown): Handler<'entry'> {
    return command('entry', (call) => this.clicked(call), run);
  }

  /** A command on a file; it does nothing on a folder. */
  onFile(run: (file: FilePlace) => unknown): Handler<'file'> {
    const fileMeant = async (call: Call) => {
      const target = await this.clicked(call);
      return target?.isFolder === false ? target.place : undefined;
    };
    return command('file', fileMeant, run);
  }

  /** A command on a folder: the one clicked, or the one that the file lies in. */
  onFolder(run: (folder: FilePlace) => unknown): Handler<'folder'> {
    const folderMeant = async (call: Call) => {
      const { place, isFolder } = (await this.clicked(call)) ?? {};
      return place && (isFolder === true ? place : parentOrSelf(place));
    };
    return command('folder', folderMeant, run);
  }

  private async clicked(call: Call): Promise<CommandTarget | undefined> {
    return (await this.all(call.alone))[0];
  }

  private async meant(call: Call): Promise<readonly object[]> {
    if (call.isOnSelection) {
      return rowsForKey(() => this.rows()?.selection() ?? []);
    }
    const active = call.isBare ? activeFile() : undefined;
    return active === undefined ? call.clicked : [active];
  }

  /** Returns the file or folder of a URI, or of a row of the Environments view. */
  async of(one: object): Promise<CommandTarget | undefined> {
    return one instanceof Uri ? this.at(one) : this.rows()?.targetOf(one);
  }

  /** Returns the file or folder at a URI, or `undefined` if there's none in a container. */
  async at(uri: Uri): Promise<CommandTarget | undefined> {
    const place = filePlaceOf(uri);
    const entry = place && (await this.listings.entry(place));
    return place && entry && { place, isFolder: entry.isDir };
  }
}

/**
 * Leaves out entries whose folder is also a target, and those that are targets already: a file may have two rows, below a
 * shortcut and below the root.
 */
export function outermost(targets: readonly CommandTarget[]): readonly CommandTarget[] {
  const each = [...new Map(targets.map((target) => [keyOf(target.place), target])).values()];
  return each.filter(({ place }) => !each.some((other) => other.isFolder && isUnder(place, other.place)));
}

/** Whether the place is anywhere below the folder. A place isn't below itself. */
export function isUnder(place: FilePlace, folder: FilePlace): boolean {
  return isSameContainer(place, folder) && place.path !== folder.path && isPathWithin(place.path, folder.path);
}

export function isRemovable({ place, isShortcut }: CommandTarget): boolean {
  return place.path !== '/' && isShortcut !== true;
}

/** A container's root has no name that its copy could get. */
export function isCopyable({ place }: CommandTarget): boolean {
  return place.path !== '/';
}

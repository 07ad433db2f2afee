import { type FilePlace, keyOf } from '../containers/place';

/** The rows of a view that show what folders hold, by folder: one folder may be shown in several places. */
export class ExpandedFolders<E extends object> {
  private readonly rows = new Map<string, Map<string, E>>();

  note(folder: FilePlace, rowId: string, row: E): void {
    const key = keyOf(folder);
    this.rows.set(key, (this.rows.get(key) ?? new Map<string, E>()).set(rowId, row));
  }

  showing(folders: readonly FilePlace[]): E[] {
    const keys = new Set(folders.map(keyOf));
    return [...keys].flatMap((key) => [...(this.rows.get(key)?.values() ?? [])]);
  }

  clear(): void {
    this.rows.clear();
  }
}

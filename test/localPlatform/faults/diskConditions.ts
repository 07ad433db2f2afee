/** What goes wrong on the disks of the nodes during one call. */
export interface DiskConditions {
  /** The disk has no room: what a write leaves of the file it was to replace. */
  readonly full?: 'untouched' | 'empty' | 'partial';
  /** Nodes that fail whatever is asked of them. */
  readonly failing: ReadonlyMap<number, { readonly result: number; readonly error: string }>;
}

/** Problems on the disks of the nodes during one call. */
export interface DiskConditions {
  /** The disk is full: what a write leaves of the replaced file. */
  readonly full?: 'untouched' | 'empty' | 'partial';
  /** Nodes on which every operation fails. */
  readonly failing: ReadonlyMap<number, { readonly result: number; readonly error: string }>;
}

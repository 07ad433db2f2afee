/** The commands of the vendor's deployment for one kind of repository. Every failure is a Refusal. */
export interface VendorSources {
  /** The folder of a checkout that says there is one. */
  readonly own: '.git' | '.svn';
  /** Removes the folder, and gets the sources. */
  checkOut(folder: string): Promise<void>;
  update(folder: string): Promise<void>;
  /** Tells an existing checkout about the project's URL and login. */
  changeUrl(folder: string, before: string): Promise<void>;
}

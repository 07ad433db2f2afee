const maxKept = 20;

export interface RecentError {
  readonly at: Date;
  readonly error: unknown;
}

/** The last errors that were shown to the user or returned to VS Code, for the diagnostics. */
export class RecentErrors {
  private readonly kept: RecentError[] = [];

  /** Keeps an error that is shown in several places only once. */
  note(error: unknown): void {
    if (this.kept.some((one) => one.error === error)) {
      return;
    }
    this.kept.push({ at: new Date(), error });
    this.kept.splice(0, this.kept.length - maxKept);
  }

  get list(): readonly RecentError[] {
    return this.kept;
  }
}

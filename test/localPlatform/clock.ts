/** The platform's time. Tests can advance it to let sessions and tokens expire. */
export class Clock {
  #ahead = 0;

  now(): number {
    return Date.now() + this.#ahead;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

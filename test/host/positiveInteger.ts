/** Throws an error with a message for the user if an option's value is given and isn't a positive integer. */
export function parsePositiveInteger(option: string, value: string): number;
export function parsePositiveInteger(option: string, value: string | undefined): number | undefined;
export function parsePositiveInteger(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${option} must be a positive integer, not "${value}".`);
  return Number(value);
}

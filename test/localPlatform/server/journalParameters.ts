const secretNames = new Set(['session', 'password', 'key']);
/** Long enough for the methods of a token. */
const longest = 2000;

/** Returns the parameters for the journal, without secrets and long texts. */
export const journalParameters = (values: ReadonlyMap<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...values].map(([name, value]) => {
      if (secretNames.has(name.toLowerCase())) return [name, '***'];
      return [name, value.length > longest ? `${value.slice(0, longest)}… (${value.length} characters)` : value];
    }),
  );

/** What one parameter of an operation takes, as the contract's tables say it. */
export interface Parameter {
  readonly type: 'string' | 'int' | 'boolean';
  readonly required: boolean;
  /** The only values that the contract allows. */
  readonly values?: readonly string[];
  /** A secret or a text of the person's: neither may appear in a log or an error. */
  readonly carries?: 'secret' | 'text';
  readonly maximumLength?: number;
  /** `utc`: a moment as `yyyy-MM-dd hh:mm:ss`, in UTC. */
  readonly form?: 'utc';
  /** An empty value means something here: replace a match with nothing. */
  readonly mayBeEmpty?: true;
}

export const text = { type: 'string', required: false } as const satisfies Parameter;
export const requiredText = { type: 'string', required: true } as const satisfies Parameter;
export const int = { type: 'int', required: false } as const satisfies Parameter;
export const requiredInt = { type: 'int', required: true } as const satisfies Parameter;
export const flag = { type: 'boolean', required: false } as const satisfies Parameter;
export const requiredFlag = { type: 'boolean', required: true } as const satisfies Parameter;

export const session = { ...requiredText, carries: 'secret' } as const satisfies Parameter;
export const password = { ...text, carries: 'secret' } as const satisfies Parameter;
export const requiredPassword = { ...requiredText, carries: 'secret' } as const satisfies Parameter;
/** The content of a file or a script. */
export const content = { ...text, carries: 'text' } as const satisfies Parameter;
/** A regular expression that narrows a listing. */
export const filter = { ...text, maximumLength: 255 } as const satisfies Parameter;
export const expiresAt = { ...text, form: 'utc' } as const satisfies Parameter;

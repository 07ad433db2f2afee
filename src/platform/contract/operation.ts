import type { AnswerReader } from '../wire/fields';

/** A parameter of an operation, as in the contract's tables. */
export interface Parameter {
  readonly type: 'string' | 'int' | 'boolean';
  readonly required: boolean;
  /** The only values in the contract. */
  readonly values?: readonly string[];
  /** A secret, the user's text, or a JSON object whose values are both. None may appear in a log or an error. */
  readonly carries?: 'secret' | 'text' | 'variables';
  readonly maximumLength?: number;
  /** `utc`: a time as `yyyy-MM-dd hh:mm:ss`, in UTC. */
  readonly form?: 'utc';
  /** An empty value is allowed, for example to replace a match with nothing. */
  readonly mayBeEmpty?: true;
}

export const text = { type: 'string', required: false } as const satisfies Parameter;
export const requiredText = { type: 'string', required: true } as const satisfies Parameter;
export const int = { type: 'int', required: false } as const satisfies Parameter;
export const requiredInt = { type: 'int', required: true } as const satisfies Parameter;
export const flag = { type: 'boolean', required: false } as const satisfies Parameter;

export const session = { ...requiredText, carries: 'secret' } as const satisfies Parameter;
export const password = { ...text, carries: 'secret' } as const satisfies Parameter;
export const content = { ...text, carries: 'text' } as const satisfies Parameter;

/** The timeout classes: signing in, a file operation, or work on a whole tree or project. */
export type Pace = 'accounts' | 'files' | 'long';

export interface Operation {
  readonly area: Area;
  /** The last part of the path. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly answer: AnswerReader<unknown>;
  /** Reads may be retried automatically, writes only if the platform refused them unread. */
  readonly effect: 'read' | 'write';
  readonly pace: Pace;
  /** `boolean`: a `result` of true (or 0) means success. Otherwise it's always the number 0. */
  readonly success?: 'boolean';
  /** From public documentation instead of the contract. */
  readonly extra?: true;
}

export type Area = 'authentication' | 'vcs' | 'file' | 'control' | 'account' | 'tracking';

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
export const requiredFlag = { type: 'boolean', required: true } as const satisfies Parameter;

export const session = { ...requiredText, carries: 'secret' } as const satisfies Parameter;
export const password = { ...text, carries: 'secret' } as const satisfies Parameter;
export const requiredPassword = { ...requiredText, carries: 'secret' } as const satisfies Parameter;
export const content = { ...text, carries: 'text' } as const satisfies Parameter;
/** Container variables as a JSON object: names and their values. */
export const variables = { ...requiredText, carries: 'variables' } as const satisfies Parameter;
export const filter = { ...text, maximumLength: 255 } as const satisfies Parameter;
export const expiresAt = { ...text, form: 'utc' } as const satisfies Parameter;

/** The timeout classes: signing in, a file operation, or work on a whole tree or project. */
export type Pace = 'accounts' | 'files' | 'long';

export interface Operation {
  readonly area: Area;
  /** The last part of the path. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly answer: AnswerReader<unknown>;
  /** Reads may be retried automatically, writes never. */
  readonly effect: 'read' | 'write';
  readonly pace: Pace;
  /** `boolean`: a `result` of true (or 0) means success. Otherwise it's always the number 0. */
  readonly success?: 'boolean';
  /** From public documentation instead of the contract. */
  readonly extra?: true;
}

export type Area = 'authentication' | 'vcs' | 'file' | 'control' | 'account' | 'tracking';

type ValueOf<P extends Parameter> = P extends { readonly values: readonly (infer V)[] }
  ? V
  : { string: string; int: number; boolean: boolean }[P['type']];

type RequiredNames<P extends Readonly<Record<string, Parameter>>> = {
  [K in keyof P]: P[K]['required'] extends true ? K : never;
}[keyof P];

export type ParametersIn<P extends Readonly<Record<string, Parameter>>> = {
  readonly [K in RequiredNames<P>]: ValueOf<P[K]>;
} & {
  readonly [K in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[K]> | undefined;
};

export type SignedInParametersIn<P extends Readonly<Record<string, Parameter>>> = ParametersIn<{
  readonly [K in Exclude<keyof P, 'session'>]: P[K];
}>;

export type AnswerIn<A extends AnswerReader<unknown>> = A extends AnswerReader<infer T> ? T : never;

import type { AnswerReader } from '../wire/answer';
import type { Parameter } from './parameters';

/** How long an operation may take: signing in, work on a file, or work on a whole tree or project. */
export type Pace = 'accounts' | 'files' | 'long';

/** One operation of the service, as data. */
export interface Operation {
  readonly area: Area;
  /** The last part of the path. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly answer: AnswerReader<unknown>;
  /** Reads may be repeated by themselves, writes never. */
  readonly effect: 'read' | 'write';
  readonly pace: Pace;
  /** `boolean`: `result` says true (or 0) for success. Everywhere else it is the number 0. */
  readonly success?: 'boolean';
  /** Known from public documentation, not from the contract. */
  readonly extra?: true;
}

export const areas = {
  authentication: '1.0/users/authentication/rest',
  vcs: '1.0/environment/vcs/rest',
  file: '1.0/environment/file/rest',
  control: '1.0/environment/control/rest',
} as const;
export type Area = keyof typeof areas;

type ValueOf<P extends Parameter> = P extends { readonly values: readonly (infer V)[] }
  ? V
  : { string: string; int: number; boolean: boolean }[P['type']];

type RequiredNames<P extends Readonly<Record<string, Parameter>>> = {
  [K in keyof P]: P[K]['required'] extends true ? K : never;
}[keyof P];

/** What a call of an operation takes, inferred from its parameters. */
export type ParametersIn<P extends Readonly<Record<string, Parameter>>> = {
  readonly [K in RequiredNames<P>]: ValueOf<P[K]>;
} & {
  readonly [K in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[K]> | undefined;
};

export type SignedInParametersIn<P extends Readonly<Record<string, Parameter>>> = ParametersIn<{
  readonly [K in Exclude<keyof P, 'session'>]: P[K];
}>;

export type AnswerIn<A extends AnswerReader<unknown>> = A extends AnswerReader<infer T> ? T : never;

import type { Call } from '../operation';
import { codes, Refusal } from '../refusal';
import { parseTime } from '../times';
import { customTemplate, knownMethod, tokenTemplates } from './templates';

const invalid = (name: string): Refusal =>
  new Refusal(codes.invalidParameter, `invalid parameter [${name}]`, {}, 'hx-core');

/** Methods of an `apiList`. The real platform has many more than this one, so unknown names are kept as they are. */
export const wantedMethods = ({ parameters }: Call): string[] | undefined => {
  const text = parameters.optionalText('apiList');
  if (text === undefined) return undefined;
  const methods = text.split(',').map((method) => method.trim());
  if (!methods.every((method) => /^\w+(\.\w+){2,}$/u.test(method))) throw invalid('apiList');
  return methods.map((method) => knownMethod(method) ?? method);
};

/** The template that is asked for by its name; 3 when there is no such template. */
export const wantedTemplate = ({ parameters }: Call): string | undefined => {
  const name = parameters.optionalText('tokenTemplate');
  const known =
    name === undefined || name === customTemplate || tokenTemplates.some((template) => template.name === name);
  if (!known) throw invalid('tokenTemplate');
  return name;
};

/** When the token shall end; `never` for an empty text. */
export const wantedExpiry = ({ parameters }: Call): number | 'never' | undefined => {
  const text = parameters.optionalText('expiresAt');
  if (text === undefined) return undefined;
  return text === '' ? 'never' : parseTime('expiresAt', text);
};

/** A Custom token without methods could do nothing. */
export const demandMethods = (template: string, methods: readonly string[] | undefined): void => {
  if (template === customTemplate && (methods === undefined || methods.length === 0)) throw invalid('apiList');
};

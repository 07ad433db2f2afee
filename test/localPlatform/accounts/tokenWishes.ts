import type { Call } from '../operation';
import { codes, Refusal } from '../refusal';
import { parseTime } from '../times';
import { customTemplate, knownMethod, tokenTemplates } from './templates';

const invalid = (name: string): Refusal =>
  new Refusal(codes.invalidParameter, `invalid parameter [${name}]`, {}, 'hx-core');

/** Parses the methods of an `apiList`. Real platforms have many more methods, so unknown names are kept. */
export const wantedMethods = ({ parameters }: Call): string[] | undefined => {
  const text = parameters.optionalText('apiList');
  if (text === undefined) return undefined;
  const methods = text.split(',').map((method) => method.trim());
  if (!methods.every((method) => /^\w+(\.\w+){2,}$/u.test(method))) throw invalid('apiList');
  return methods.map((method) => knownMethod(method) ?? method);
};

/** Returns the template with this name. Fails with 3 if there is none. */
export const wantedTemplate = ({ parameters }: Call): string | undefined => {
  const name = parameters.optionalText('tokenTemplate');
  const known =
    name === undefined || name === customTemplate || tokenTemplates.some((template) => template.name === name);
  if (!known) throw invalid('tokenTemplate');
  return name;
};

/** Returns when the token expires, or `never` for an empty text. */
export const wantedExpiry = ({ parameters }: Call): number | 'never' | undefined => {
  const text = parameters.optionalText('expiresAt');
  if (text === undefined) return undefined;
  return text === '' ? 'never' : parseTime('expiresAt', text);
};

/** Fails for a Custom token without methods, because it couldn't do anything. */
export const demandMethods = (template: string, methods: readonly string[] | undefined): void => {
  if (template === customTemplate && (methods === undefined || methods.length === 0)) throw invalid('apiList');
};

import type { Operation } from './operation';
import { requiredText, session } from './parameters';
import { environment, environments } from '../wire/environments';

const common = { area: 'control', effect: 'read', pace: 'accounts', extra: true } as const;

/** What environments an account has. Not in the contract, publicly documented; a token may well not permit it. */
export const discovery = {
  GetEnvs: { ...common, path: 'getenvs', parameters: { session }, answer: environments },
  GetEnvInfo: { ...common, path: 'getenvinfo', parameters: { envName: requiredText, session }, answer: environment },
} as const satisfies Record<string, Operation>;

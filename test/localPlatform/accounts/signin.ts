import type { Behaviour } from '../behaviour';
import type { Answer, Handler } from '../operation';
import { codes, Refusal } from '../refusal';
import { newSessionValue } from './secrets';
import { enumerated } from '../enumerated';

const secondFactorAnswer = (behaviour: Behaviour, common: Answer): Answer => {
  const asked = {
    authType: enumerated(behaviour.enums, 'TFA', 1),
    requiredAuthCheck: { type: enumerated(behaviour.enums, 'TOTP', 0) },
  };
  switch (behaviour.secondFactor) {
    case 'noSession':
      return { ...common, ...asked };
    case 'uselessSession':
      return { ...common, ...asked, session: newSessionValue() };
    case 'refused':
      throw new Refusal(codes.badCredentials, 'authentication failed', { ...asked, attemptsLeft: 4 }, 'hx-core');
  }
};

/** Opens a session unless the account needs a second factor, which a password sign-in can't provide. */
export const signin: Handler = async ({ parameters, platform, client }) => {
  const { accounts, behaviour } = platform;
  const account = await accounts.demandPassword(accounts.find(parameters.text('login')), parameters.text('password'));
  const common = { uid: account.uid, email: account.email, data: { lang: 'en' } };
  if (account.authType === 'TFA') return secondFactorAnswer(behaviour, common);
  return {
    ...common,
    session: accounts.openSession(account, client),
    accessType: enumerated(behaviour.enums, 'FULL_ACCESS', 0),
    status: enumerated(behaviour.enums, account.status, account.status === 'ENABLED' ? 0 : 1),
    authConfig: { type: 'PASSWORD' },
  };
};

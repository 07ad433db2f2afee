import type { Handler } from '../operation';
import { enumerated } from '../enumerated';

/** Opens a session, unless the account wants a second factor, which a password sign-in cannot give. */
export const signin: Handler = async ({ parameters, platform, client }) => {
  const { accounts, behaviour } = platform;
  const account = await accounts.demandPassword(accounts.find(parameters.text('login')), parameters.text('password'));
  const common = { uid: account.uid, email: account.email, data: { lang: 'en' } };
  if (account.authType === 'TFA') return { ...common, authType: 'TFA' };
  return {
    ...common,
    session: accounts.openSession(account, client),
    accessType: enumerated(behaviour.enums, 'FULL_ACCESS', 0),
    status: enumerated(behaviour.enums, account.status, account.status === 'ENABLED' ? 0 : 1),
    authConfig: { type: 'PASSWORD' },
  };
};

import type { Call, Handler } from '../operation';
import type { Token } from './account';
import { methodsOf } from './accounts';
import { accountTime } from './accountTime';
import { customTemplate } from './templates';
import { listedTokens, ownToken } from './tokenIds';
import { demandMethods, wantedExpiry, wantedMethods, wantedTemplate } from './tokenWishes';

const rowOf = ({ platform }: Call, token: Token): Readonly<Record<string, unknown>> => {
  const { accountTimes } = platform.behaviour;
  return {
    lastUsed: accountTime(accountTimes, token.lastUsed),
    description: token.description,
    id: token.id,
    createdOn: accountTime(accountTimes, token.createdOn),
    expiresAt: accountTime(accountTimes, token.expiresAt),
    apiList: methodsOf(token),
  };
};

/** Returns the fields that are shown once, with the secret. */
const keyRowOf = (call: Call, token: Token, key: string): Readonly<Record<string, unknown>> => ({
  tokenTemplate: token.tokenTemplate,
  description: token.description,
  id: token.id,
  createdOn: accountTime(call.platform.behaviour.accountTimes, token.createdOn),
  key,
  apiList: methodsOf(token),
});

/** Some operations don't require the password, but a wrong one always fails. */
const checkPassword = async ({ platform, account, parameters }: Call): Promise<void> => {
  const password = parameters.optionalText('password');
  if (password !== undefined) await platform.accounts.demandPassword(account, password);
};

export const createToken: Handler = async (call) => {
  await checkPassword(call);
  const tokenTemplate = wantedTemplate(call) ?? customTemplate;
  const apiList = wantedMethods(call);
  const expiresAt = wantedExpiry(call);
  demandMethods(tokenTemplate, apiList);
  const { token, key } = await call.platform.accounts.addToken(call.account.uid, {
    description: call.parameters.text('description'),
    tokenTemplate,
    ...(apiList === undefined ? {} : { apiList }),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
  });
  return { token: keyRowOf(call, token, key) };
};

/** Fields that aren't sent stay unchanged. */
export const editToken: Handler = async (call) => {
  await checkPassword(call);
  const token = ownToken(call, call.parameters.integer('id'));
  const template = wantedTemplate(call) ?? token.tokenTemplate;
  const methods = wantedMethods(call);
  const expiresAt = wantedExpiry(call);
  demandMethods(template, methods ?? token.apiList);
  token.tokenTemplate = template;
  token.apiList = methods ?? token.apiList;
  token.description = call.parameters.optionalText('description') ?? token.description;
  if (expiresAt === 'never') delete token.expiresAt;
  else if (expiresAt !== undefined) token.expiresAt = expiresAt;
  await call.platform.accounts.save();
  return { token: rowOf(call, token) };
};

export const regenerateToken: Handler = async (call) => {
  await checkPassword(call);
  const token = ownToken(call, call.parameters.integer('id'));
  return { token: keyRowOf(call, token, await call.platform.accounts.renewToken(token)) };
};

export const deleteTokens: Handler = async (call) => {
  await checkPassword(call);
  const tokens = listedTokens(call, call.parameters.text('ids'));
  await call.platform.accounts.removeTokens(new Set(tokens.map(({ id }) => id)));
  return { result: call.platform.behaviour.deleteTokens === 'boolean' ? true : 0 };
};

export const getTokens: Handler = (call) => {
  const tokens = listedTokens(call, call.parameters.optionalText('ids') ?? '*').map((token) => rowOf(call, token));
  if (call.platform.behaviour.tokenLists === 'tokens') return Promise.resolve({ tokens });
  const apiTokens = tokens.map(({ apiList, ...row }) => ({
    ...row,
    apiListItems: Array.isArray(apiList) ? apiList.map((method: unknown) => ({ method })) : [],
  }));
  return Promise.resolve({ apiTokens });
};

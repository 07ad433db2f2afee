import { flag, type Operation, type Parameter, password, requiredInt, requiredText, session, text } from './operation';
import { policyMethods, sessions, signedIn, signedOut, tokensDeleted } from '../wire/accounts';
import { apiList, changedToken, secretToken, tokens, tokenTemplates } from '../wire/tokens';

const requiredPassword = { ...requiredText, carries: 'secret' } as const satisfies Parameter;
const expiresAt = { ...text, form: 'utc' } as const satisfies Parameter;
const tokenSettings = { tokenTemplate: text, apiList: text, expiresAt } as const;
const common = { area: 'authentication', pace: 'accounts' } as const;

export const authentication = {
  CreateToken: {
    ...common,
    path: 'createtoken',
    effect: 'write',
    parameters: { session, password, description: requiredText, ...tokenSettings },
    answer: secretToken,
  },
  DeleteTokens: {
    ...common,
    path: 'deletetokens',
    effect: 'write',
    success: 'boolean',
    parameters: { session, ids: requiredText, password },
    answer: tokensDeleted,
  },
  EditToken: {
    ...common,
    path: 'edittoken',
    effect: 'write',
    parameters: { session, id: requiredInt, password: requiredPassword, description: text, ...tokenSettings },
    answer: changedToken,
  },
  GetPolicyMethods: {
    ...common,
    path: 'getpolicymethods',
    effect: 'read',
    parameters: { appid: requiredText, session, uniqueName: text },
    answer: policyMethods,
  },
  GetSessions: {
    ...common,
    path: 'getsessions',
    effect: 'read',
    parameters: { appid: text, session },
    answer: sessions,
  },
  GetTokenApiList: {
    ...common,
    path: 'gettokenapilist',
    effect: 'read',
    parameters: { session, showPrivate: flag, sortParam: text },
    answer: apiList,
  },
  GetTokenTemplates: {
    ...common,
    path: 'gettokentemplates',
    effect: 'read',
    parameters: { session },
    answer: tokenTemplates,
  },
  GetTokens: { ...common, path: 'gettokens', effect: 'read', parameters: { session, ids: text }, answer: tokens },
  RegenerateToken: {
    ...common,
    path: 'regeneratetoken',
    effect: 'write',
    parameters: { session, id: requiredInt, password: requiredPassword },
    answer: secretToken,
  },
  Signin: {
    ...common,
    path: 'signin',
    effect: 'write',
    parameters: {
      session: { ...session, required: false },
      appid: text,
      login: requiredText,
      password: requiredPassword,
    },
    answer: signedIn,
  },
  Signout: { ...common, path: 'signout', effect: 'write', parameters: { appid: text, session }, answer: signedOut },
  SignoutSessions: {
    ...common,
    path: 'signoutsessions',
    effect: 'write',
    parameters: { appid: text, session, ids: requiredText },
    answer: signedOut,
  },
} as const satisfies Record<string, Operation>;

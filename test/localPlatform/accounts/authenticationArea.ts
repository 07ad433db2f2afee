import type { Area } from '../operation';
import { getPolicyMethods, getTokenApiList, getTokenTemplates } from './methodOperations';
import { getSessions, signout, signoutSessions } from './sessionOperations';
import { signin } from './signin';
import { createToken, deleteTokens, editToken, getTokens, regenerateToken } from './tokenOperations';

/** The twelve operations on sessions and tokens. */
export const openAuthenticationArea: Area = () =>
  Promise.resolve({
    CreateToken: createToken,
    DeleteTokens: deleteTokens,
    EditToken: editToken,
    GetPolicyMethods: getPolicyMethods,
    GetSessions: getSessions,
    GetTokenApiList: getTokenApiList,
    GetTokenTemplates: getTokenTemplates,
    GetTokens: getTokens,
    RegenerateToken: regenerateToken,
    Signin: signin,
    Signout: signout,
    SignoutSessions: signoutSessions,
  });

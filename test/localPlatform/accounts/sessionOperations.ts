import type { Handler } from '../operation';
import { accountTime } from './accountTime';
import { listedTokens } from './tokenIds';

export const getSessions: Handler = ({ account, sessionId, platform }) => {
  const { accountTimes } = platform.behaviour;
  const sessions = platform.accounts.sessionsOf(account.uid).map((session) => ({
    id: session.id,
    uid: session.uid,
    current: session.id === sessionId,
    host: session.host,
    userAgent: session.userAgent,
    lastAccess: accountTime(accountTimes, session.lastAccess),
    createdOn: accountTime(accountTimes, session.createdOn),
  }));
  return Promise.resolve({ sessions });
};

export const signout: Handler = async ({ sessionId, platform }) => {
  await platform.accounts.endSessions(({ id }) => id === sessionId);
  return {};
};

/** Ends the sessions of tokens. The tokens stay valid, and their next call opens a new session. */
export const signoutSessions: Handler = async (call) => {
  const ids = new Set(listedTokens(call, call.parameters.text('ids')).map(({ id }) => id));
  await call.platform.accounts.endSessions(({ tokenId }) => tokenId !== undefined && ids.has(tokenId));
  return {};
};

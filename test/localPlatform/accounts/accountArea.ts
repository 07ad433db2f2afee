import type { Area, Handler } from '../operation';

const getUserInfo: Handler = ({ account: { uid, email, status } }) => Promise.resolve({ uid, email, status });

/** What an account says about its user. Publicly documented, outside the contract. */
export const openAccountArea: Area = () => Promise.resolve({ GetUserInfo: getUserInfo });

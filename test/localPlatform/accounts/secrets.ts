import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';

export interface HashedPassword {
  readonly salt: string;
  readonly hash: string;
}

/**
 * A sixteenth of Node's default, which would take most of the platform's startup time. Tests start hundreds of
 * platforms, and their passwords aren't real.
 */
const cost = 1024;

const derive = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N: cost }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

export const hashPassword = async (password: string): Promise<HashedPassword> => {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: (await derive(password, salt)).toString('hex') };
};

export const isPassword = async (password: string, { salt, hash }: HashedPassword): Promise<boolean> =>
  timingSafeEqual(await derive(password, salt), Buffer.from(hash, 'hex'));

/** Sessions and tokens are long and random, so a plain digest is enough to keep them secret in the state file. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const newSessionValue = (): string => randomUUID();
export const newTokenKey = (): string => randomBytes(20).toString('hex');

/** Masks a session for an error message. */
export const masked = (secret: string): string => `${secret.slice(0, 2)}***${secret.slice(-2)}`;

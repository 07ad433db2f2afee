import type { PlatformErrorKind } from './errors';

/** Codes that say more than their kind. */
export const resultCodes = {
  /** A parameter is missing or ill-formed; a mistyped token gets it too. */
  invalidParameter: 3,
  /** A login or password that is not accepted. */
  badCredentials: 701,
  /** A session that is invalid or expired, and an environment that is not shared with the account. */
  badSession: 702,
  /** The token doesn't permit the method. */
  lacksMethod: 8202,
  /** A password that isn't accepted where the login is known. */
  badPassword: 801,
  /** The environment's state doesn't permit the call. The platform's words name the state. */
  wrongState: 2212,
} as const;

/** The meaning of the platform's codes. The full list isn't public, so an unknown code is `platform`. */
const kinds = {
  3: 'invalid',
  5: 'notFound',
  8: 'forbidden',
  11: 'notFound',
  17: 'timeout',
  99: 'platform',
  124: 'deployFailed',
  701: 'unauthenticated',
  702: 'unauthenticated',
  801: 'unauthenticated',
  901: 'notFound',
  2002: 'notFound',
  2007: 'invalid',
  2050: 'notFound',
  2333: 'invalid',
  2500: 'notFound',
  4000: 'deployFailed',
  4001: 'platform',
  4006: 'notFound',
  4017: 'platform',
  4033: 'invalid',
  4035: 'notFound',
  4036: 'exists',
  4037: 'forbidden',
  4041: 'exists',
  4042: 'notFound',
  4046: 'notFound',
  4047: 'exists',
  4050: 'invalid',
  4052: 'notFound',
  4053: 'invalid',
  4075: 'diskFull',
  4076: 'diskFull',
  4060: 'deployFailed',
  4079: 'invalid',
  4102: 'invalid',
  4110: 'notRunning',
  4125: 'deployFailed',
  4126: 'deployFailed',
  4127: 'deployFailed',
  4128: 'deployFailed',
  4129: 'deployFailed',
  4130: 'deployFailed',
  4175: 'invalid',
  8202: 'tokenLacksMethod',
} as const satisfies Readonly<Record<number, PlatformErrorKind>>;

const kindByCode = new Map<number, PlatformErrorKind>(
  Object.entries(kinds).map(([code, kind]) => [Number(code), kind]),
);

export function kindOfResult(result: number): PlatformErrorKind {
  return kindByCode.get(result) ?? 'platform';
}

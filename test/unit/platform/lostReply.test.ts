import assert from 'node:assert/strict';
import { explainLostReply } from '../../../src/platform/lostReply';

/** An error as Node reports it, with the system call that failed. */
function systemError(code: string, syscall?: string): Error {
  return Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) });
}

describe('a response that never arrived', () => {
  const afterSending: readonly Error[] = [
    systemError('EHOSTUNREACH', 'read'),
    systemError('ENETUNREACH', 'read'),
    systemError('ENETDOWN', 'write'),
    systemError('ETIMEDOUT', 'read'),
    systemError('EHOSTUNREACH'),
    systemError('EPROTO', 'write'),
    systemError('ERR_SSL_WRONG_VERSION_NUMBER'),
    systemError('ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC'),
    systemError('ERR_TLS_RENEGOTIATION_DISABLED'),
    new TypeError('fetch failed', { cause: systemError('EHOSTUNREACH', 'read') }),
  ];
  for (const error of afterSending) {
    it(`may have been sent after ${nameOf(error)}`, () => {
      assert.equal(explainLostReply(error).isUnconnected, false);
      assert.equal(explainLostReply(error).obstacle, undefined);
    });
  }

  const beforeSending: readonly Error[] = [
    systemError('EHOSTUNREACH', 'connect'),
    systemError('ENETUNREACH', 'connect'),
    systemError('ETIMEDOUT', 'connect'),
    systemError('ECONNRESET', 'connect'),
    systemError('ECONNREFUSED', 'connect'),
    systemError('ENOTFOUND', 'getaddrinfo'),
    systemError('SELF_SIGNED_CERT_IN_CHAIN'),
    systemError('ERR_TLS_CERT_ALTNAME_INVALID'),
    new TypeError('fetch failed', { cause: new AggregateError([systemError('EHOSTUNREACH', 'connect')]) }),
  ];
  for (const error of beforeSending) {
    it(`was never sent after ${nameOf(error)}`, () => {
      assert.equal(explainLostReply(error).isUnconnected, true);
    });
  }
});

function nameOf(error: Error): string {
  const syscall = 'syscall' in error ? ` in ${String(error.syscall)}` : '';
  const cause = error.cause instanceof Error ? `: ${nameOf(error.cause)}` : '';
  return `${error.message}${syscall}${cause}`;
}

import assert from 'node:assert/strict';
import type { AnswerOf, OperationName, ParametersOf } from '../../../src/platform/contract';
import type { FileEntry } from '../../../src/platform/wire/fileEntry';
import type { PlatformClient } from '../../../src/platform/client';

type Equal<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false;

/** Whether an object literal with these fields is accepted: all required ones exist, and no others. */
type Takes<N extends OperationName, P> =
  P extends ParametersOf<N> ? ([Exclude<keyof P, keyof ParametersOf<N>>] extends [never] ? true : false) : false;

interface InLayer {
  envName: string;
  session: string;
  path: string;
}

/** The compiler checks each line. A wrong one doesn't compile. */
const claims: [
  Equal<Takes<'Read', InLayer>, true>,
  Equal<Takes<'Read', InLayer & { nodeid: number }>, true>,
  // The contract has `nodeid` in some places and `nodeId` in others.
  Equal<Takes<'Read', InLayer & { nodeId: number }>, false>,
  Equal<Takes<'GetMountPoints', Omit<InLayer, 'path'> & { nodeId: number }>, true>,
  Equal<Takes<'GetMountPoints', Omit<InLayer, 'path'> & { nodeid: number }>, false>,
  Equal<Takes<'Create', InLayer & { isdir: boolean }>, true>,
  Equal<Takes<'Create', InLayer & { isDir: boolean }>, false>,
  Equal<Takes<'Read', Omit<InLayer, 'path'>>, false>,
  Equal<Takes<'GetList', Omit<InLayer, 'path'>>, true>,
  Equal<Takes<'Read', Omit<InLayer, 'session'>>, false>,
  Equal<Takes<'Read', InLayer & { nodeid: string }>, false>,
  Equal<Takes<'Write', InLayer & { isAppendMode: 'false' }>, false>,
  Equal<Takes<'Signin', { login: string; password: string }>, true>,
  Equal<Takes<'Signin', { login: string }>, false>,
  Equal<ParametersOf<'CreateProject'>['type'], 'GIT' | 'SVN'>,
  Equal<
    ParametersOf<'AddMountPointById'>['protocol'],
    'NFS' | 'NFS3' | 'NFS4' | 'LOCAL' | 'WEBDAV' | 'GLUSTER' | undefined
  >,
  Equal<AnswerOf<'Read'>['body'], string>,
  Equal<AnswerOf<'GetList'>['entries'], readonly FileEntry[]>,
  Equal<AnswerOf<'GetProject'>['type'], 'GIT' | 'SVN' | undefined>,
  Equal<AnswerOf<'CreateToken'>['token']['key'], string>,
  Equal<AnswerOf<'GetTokens'>['tokens'][number]['expiresAt'], Date | undefined>,
  Equal<Parameters<PlatformClient['call']>[0], OperationName>,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true, //
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];

describe('the types of a call', () => {
  it('are inferred from the contract, including required and misspelled parameters', () => {
    assert.equal(claims.length, 22);
  });
});

import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { type ProbeDeps, type Probed, clockFact, Recorder } from './observation';
import type { CheckResult } from './checkSchema';
import { inScratchFolder, type ScratchDeps } from './scratchFolder';
import { probeByWriting } from './writeProbes';
import type { FilePlace } from '../containers/place';
import { addressOf } from '../containers/containers';
import { kindOfResult, resultCodes } from '../platform/resultCodes';
import { longestUrl, type Transport } from '../platform/sending/request';
import { fieldOf, readText } from '../platform/wire/scalars';
import { type Facts, knownFacts, factNames, levelOf } from './facts';
import {
  enumFact,
  filesIn,
  lengthFact,
  listingFacts,
  methodListFacts,
  sessionFacts,
  tokenListFacts,
} from './replyFacts';

/**
 * The part of a check that changes nothing.
 * @param node the root folder of one node
 */
export async function checkByReading(deps: ProbeDeps, node: FilePlace): Promise<CheckResult> {
  return toResult(await probeByReading(deps, node));
}

/** A check with the part that writes, and the folders that it couldn't remove. */
export interface WrittenCheck {
  readonly result: CheckResult;
  readonly left: readonly FilePlace[];
  /** Why the part that writes ended early. */
  readonly error?: unknown;
}

/** Adds the part that writes, in a new folder below `parents`, one for each node. */
export async function checkByWriting(
  deps: ProbeDeps & Pick<ScratchDeps, 'parents' | 'pauses' | 'record'>,
  before: CheckResult,
  name: string,
): Promise<WrittenCheck> {
  const scratch = await inScratchFolder(deps, name, (folders) => probeByWriting(deps, folders));
  const probed = 'value' in scratch ? scratch.value : { facts: {}, observations: [] };
  const result = {
    ...before,
    facts: { ...before.facts, ...probed.facts },
    observations: [...before.observations, ...probed.observations],
    hasWritten: true,
    isIncomplete: 'error' in scratch,
    leftFolders: scratch.left.length,
  };
  return { result, left: scratch.left, ...('error' in scratch ? { error: scratch.error } : {}) };
}

function toResult({ facts, observations }: Probed): CheckResult {
  return {
    checkedAt: Date.now(),
    facts,
    observations: [...observations],
    hasWritten: false,
    isIncomplete: false,
    leftFolders: 0,
  };
}

/** Files that every Linux container has and anyone may read, to compare a text with its listed length. */
const harmlessFiles: readonly string[] = ['/etc/hostname', '/etc/hosts', '/etc/os-release', '/etc/nginx/nginx.conf'];
/** A path that no container has. */
const missing = '/gantry-check/does-not-exist';

/** Looks at everything that Gantry relies on, with requests that change nothing. */
async function probeByReading(deps: ProbeDeps, node: FilePlace): Promise<Probed> {
  const recorder = new Recorder();
  const facts: Facts = {
    ...(await transportFacts(deps, recorder)),
    ...(await uploaderFact(deps, recorder)),
    ...(await accountFacts(deps, recorder)),
    ...(await environmentFacts(deps, recorder, node.environment)),
    ...(await containerFacts(deps, recorder, node)),
  };
  return { facts: knownFacts(facts), observations: recorder.observations };
}

/** Only a made-up session is sent in another way than usual: a token in a URL could be logged on the way. */
async function transportFacts({ account, signal }: ProbeDeps, recorder: Recorder): Promise<Facts> {
  const invented = randomBytes(18).toString('hex');
  const takes = async (transport: Transport): Promise<boolean | undefined> => {
    const ask = (session: string | undefined) =>
      recorder.look(`GetTokenTemplates, ${session === undefined ? 'no' : 'made-up'} session as ${transport}`, () =>
        account.inspectWithoutToken('GetTokenTemplates', session, { transport, signal }),
      );
    const [withSession, without] = [await ask(invented), await ask(undefined)];
    if (withSession === undefined || without === undefined) {
      return undefined;
    }
    return withSession.code !== undefined && (withSession.code !== without.code || withSession.words !== without.words);
  };
  const [form, query] = [await takes('form'), await takes('query')];
  const used = account.transport;
  const transport = form === true && query === true ? 'both' : query === true && used === 'query' ? 'query' : 'form';
  const spelled = await recorder.look('GetTokenTemplates, parameter in upper case', () =>
    account.inspect('GetTokenTemplates', {}, { signal, spell: (name) => name.toUpperCase() }),
  );
  return {
    ...(form === undefined && query === undefined ? {} : { transport }),
    ...(query === true ? await urlFact({ account, signal }, recorder) : {}),
    ...(spelled?.code === undefined
      ? {}
      : { spelling: spelled.code === resultCodes.invalidParameter ? 'strict' : 'lenient' }),
  };
}

async function urlFact({ account, signal }: Pick<ProbeDeps, 'account' | 'signal'>, recorder: Recorder) {
  const long = 'f'.repeat(longestUrl - 200);
  const seen = await recorder.look('GetTokenTemplates, long URL', () =>
    account.inspectWithoutToken('GetTokenTemplates', long, { transport: 'query', signal }),
  );
  return seen === undefined ? {} : ({ urlLength: seen.code === undefined ? 'shorter' : 'documented' } as const);
}

async function uploaderFact({ account, signal }: ProbeDeps, recorder: Recorder): Promise<Facts> {
  const invented = randomBytes(18).toString('hex');
  await recorder.attempt('Uploader, made-up session', () => account.uploadWithoutToken(invented, { signal }));
  const seen = recorder.observations.at(-1);
  if (seen?.code !== undefined) {
    return { uploader: 'present' };
  }
  return seen?.status === 404 || seen?.failure === 'protocol' ? { uploader: 'absent' } : {};
}

async function accountFacts({ account, signal }: ProbeDeps, recorder: Recorder): Promise<Facts> {
  const options = { signal };
  const tokens = await recorder.look('GetTokens', () => account.inspect('GetTokens', {}, options));
  const sessions = await recorder.look('GetSessions', () => account.inspect('GetSessions', {}, options));
  const methods = await recorder.look('GetTokenApiList', () => account.inspect('GetTokenApiList', {}, options));
  const policies = await recorder.look('GetPolicyMethods', () =>
    account.inspect('GetPolicyMethods', { appid: publicAppid }, options),
  );
  await recorder.look('GetTokenTemplates', () => account.inspect('GetTokenTemplates', {}, options));
  return {
    ...(tokens?.code === 0 && tokens.body !== undefined ? tokenListFacts(tokens.body) : {}),
    ...(sessions?.code === 0 && sessions.body !== undefined ? sessionFacts(sessions.body) : {}),
    ...(methods?.code === 0 && methods.body !== undefined ? methodListFacts(methods.body) : {}),
    ...(policies?.code === 0 && policies.body !== undefined ? enumFact(fieldOf(policies.body, 'behavior')) : {}),
    ...(policies?.date === undefined ? {} : { clock: clockFact(new Date(policies.date), Date.now()) }),
  };
}

/** The platform's own, documented application ID. */
const publicAppid = '1dd8d191d38fff45e62564fcf67fdcd6';

async function environmentFacts({ account, signal }: ProbeDeps, recorder: Recorder, envName: string): Promise<Facts> {
  const all = await recorder.look('GetEnvs', () => account.inspect('GetEnvs', {}, { signal }));
  const one = await recorder.look('GetEnvInfo', () => account.inspect('GetEnvInfo', { envName }, { signal }));
  const codes = [all, one].flatMap((seen) => (seen === undefined ? [] : [seen.code]));
  if (codes.length === 0 || codes.includes(resultCodes.lacksMethod)) {
    return {};
  }
  return { environmentList: codes.every((code) => code === 0) ? 'present' : 'absent' };
}

async function containerFacts({ account, signal }: ProbeDeps, recorder: Recorder, node: FilePlace): Promise<Facts> {
  const { nodeGroup, nodeId } = node.target;
  const at = addressOf(node);
  const { envName } = at;
  const ofNode = nodeId === undefined ? { envName, nodeGroup } : { envName, nodeId };
  const list = (step: string, path: string | undefined, filter?: string) =>
    recorder.look(`GetList, ${step}`, () => account.inspect('GetList', { ...at, path, filter }, { signal }));
  await recorder.look('GetFavorites', () => account.inspect('GetFavorites', { envName }, { signal }));
  await recorder.look('GetMountPoints', () => account.inspect('GetMountPoints', ofNode, { signal }));
  await recorder.look('GetProject', () => account.inspect('GetProject', { envName, nodeGroup }, { signal }));
  await list('no path', undefined);
  const root = await list('root folder', '/');
  const etc = await list('/etc', '/etc');
  const [folder, listing] = etc?.code === 0 ? ['/etc', etc.body] : ['/', root?.body];
  await list('a file', '/etc/hostname');
  const listed = await list('a missing folder', missing);
  const read = await recorder.look('Read, a missing file', () =>
    account.inspect('Read', { ...at, path: missing }, { signal }),
  );
  const file = filesIn(etc?.body).find(({ path, length }) => harmlessFiles.includes(path) && length > 0);
  return {
    ...listingFacts(listing, folder),
    ...(await filterFact(filesIn(listing), (filter) => list(`${folder}, filtered`, folder, filter))),
    ...missingFact([listed?.code, read?.code]),
    ...(file === undefined ? {} : await readFact({ account, signal }, recorder, { at, file })),
  };
}

/** Filters by a part of a file name from the listing. Only files tell, because a platform may list each folder anyway. */
async function filterFact(
  files: ReturnType<typeof filesIn>,
  ask: (filter: string) => ReturnType<Recorder['look']>,
): Promise<Facts> {
  const names = files.map(({ path }) => posix.basename(path));
  const name = names.find((one) => /^[A-Za-z]{2,}$/.test(one));
  const part = name?.slice(0, -1);
  if (name === undefined || part === undefined) {
    return {};
  }
  const seen = await ask(part);
  if (seen?.code !== 0) {
    return {};
  }
  const found = filesIn(seen.body).map(({ path }) => posix.basename(path));
  if (names.every((one) => found.includes(one)) && names.some((one) => !one.includes(part))) {
    return { filter: 'ignored' };
  }
  return { filter: found.includes(name) ? 'finds' : 'matches' };
}

function missingFact(codes: readonly (number | undefined)[]): Facts {
  const given = codes.filter((code) => code !== undefined);
  if (given.length === 0) {
    return {};
  }
  return { missingPath: given.every((code) => kindOfResult(code) === 'notFound') ? 'known' : 'other' };
}

async function readFact(
  { account, signal }: Pick<ProbeDeps, 'account' | 'signal'>,
  recorder: Recorder,
  { at, file }: { readonly at: ReturnType<typeof addressOf>; readonly file: ReturnType<typeof filesIn>[number] },
): Promise<Facts> {
  const seen = await recorder.look('Read, a small file', () =>
    account.inspect('Read', { ...at, path: file.path }, { signal }),
  );
  const text = seen?.body === undefined ? undefined : readText(fieldOf(seen.body, 'body'));
  return seen?.code !== 0 || text === undefined ? {} : { lengths: lengthFact(text, file.length) };
}

/**
 * A report for an issue, in English: the facts by their fixed words, then each request with its code and the shape of
 * its response. Nothing in it comes from a value, a name or an address.
 */
export function redactedReport({ facts, observations, ...check }: CheckResult, version: string): string {
  const found = factNames.map((name) => {
    const word = facts[name];
    const level = word === undefined ? '' : levelOf(name, word);
    return `${name}: ${word ?? 'not found out'}${level === '' || level === 'works' ? '' : ` (${level})`}`;
  });
  const steps = observations.map(({ step, code, status, shape, failure }) => {
    const outcome = code === undefined ? (failure ?? 'no code') : `code ${code}`;
    const http = status === undefined || status === 200 ? '' : `, HTTP ${status}`;
    return `${step}: ${outcome}${http}${shape === undefined ? '' : `, ${shape}`}`;
  });
  return [
    `# Platform compatibility, Gantry ${version}`,
    '',
    check.hasWritten ? 'Checked by reading and writing.' : 'Checked by reading only.',
    ...(check.isIncomplete ? ['The write check ended early.'] : []),
    ...(check.leftFolders > 0 ? [`Scratch folders not removed: ${check.leftFolders}.`] : []),
    '',
    '## Facts',
    '',
    ...found.map((line) => `- ${line}`),
    '',
    '## Requests',
    '',
    ...steps.map((line) => `- ${line}`),
    '',
  ].join('\n');
}

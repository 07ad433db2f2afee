import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { CheckResult } from '../../compatibility/compatibilityStore';
import type { StepResults } from '../../compatibility/fact';
import { factsIn } from '../../compatibility/facts';
import { addressOf } from '../../containers/containers';
import type { FilePlace } from '../../containers/place';
import type { OperationName, SignedInParametersOf } from '../../platform/contract';
import { longestUrl, type Transport } from '../../platform/sending/request';
import { fieldOf, isJsonObject, type JsonObject, readFlag, readInteger, readText } from '../../platform/wire/scalars';
import { type ProbeDeps, Recorder } from './report';

/** Files that every Linux container has and anyone may read, to compare a text with its listed length. */
const harmlessFiles: readonly string[] = ['/etc/hostname', '/etc/hosts', '/etc/os-release', '/etc/nginx/nginx.conf'];
/** A path that no container has. */
const missing = '/gantry-check/does-not-exist';
/** The platform's own, documented application ID. */
const publicAppid = '1dd8d191d38fff45e62564fcf67fdcd6';

/**
 * The part of a check that changes nothing.
 * @param node the root folder of one node
 */
export async function checkByReading(deps: ProbeDeps, node: FilePlace): Promise<CheckResult> {
  const recorder = new Recorder();
  const facts = factsIn(await lookAtEverything(deps, recorder, node));
  return {
    checkedAt: Date.now(),
    facts,
    observations: recorder.observations,
    hasWritten: false,
    isIncomplete: false,
    leftFolders: 0,
  };
}

/** Looks at all that Gantry relies on, with requests that change nothing. */
async function lookAtEverything(deps: ProbeDeps, recorder: Recorder, node: FilePlace): Promise<StepResults> {
  return {
    ...(await sendWithoutToken(deps, recorder)),
    ...(await lookAtAccount(deps, recorder, node.environment)),
    ...(await lookAtContainer(deps, recorder, node)),
  };
}

/** Only a made-up session is sent in another way than usual: a token in a URL could be logged on the way. */
async function sendWithoutToken({ account, signal }: ProbeDeps, recorder: Recorder): Promise<StepResults> {
  const invented = () => randomBytes(18).toString('hex');
  const look = (special: string, session: string | undefined, transport: Transport) =>
    recorder.look(`GetTokenTemplates, ${special}`, () =>
      account.inspectWithoutToken('GetTokenTemplates', session, { transport, signal }),
    );
  const session = invented();
  const takes = async (transport: Transport): Promise<boolean | undefined> => {
    const withSession = await look(`made-up session as ${transport}`, session, transport);
    const without = await look(`no session as ${transport}`, undefined, transport);
    if (withSession === undefined || without === undefined) {
      return undefined;
    }
    return withSession.code !== undefined && (withSession.code !== without.code || withSession.words !== without.words);
  };
  const [takesForm, takesQuery] = [await takes('form'), await takes('query')];
  const upperCase = await recorder.look('GetTokenTemplates, parameter in upper case', () =>
    account.inspect('GetTokenTemplates', {}, { signal, spell: (name) => name.toUpperCase() }),
  );
  const longUrl = takesQuery === true ? await look('long URL', 'f'.repeat(longestUrl - 200), 'query') : undefined;
  await recorder.attempt('Uploader, made-up session', () => account.uploadWithoutToken(invented(), { signal }));
  const uploader = recorder.observations.at(-1);
  return { transport: account.transport, takesForm, takesQuery, upperCase, longUrl, uploader };
}

/** Sends a request that changes nothing, as usual. `special` says what it's for. */
function lookWith({ account, signal }: ProbeDeps, recorder: Recorder) {
  return <N extends OperationName>(operation: N, values: SignedInParametersOf<N>, special?: string) =>
    recorder.look(special === undefined ? operation : `${operation}, ${special}`, () =>
      account.inspect(operation, values, { signal }),
    );
}

async function lookAtAccount(deps: ProbeDeps, recorder: Recorder, envName: string): Promise<StepResults> {
  const look = lookWith(deps, recorder);
  const tokens = await look('GetTokens', {});
  const sessions = await look('GetSessions', {});
  const methods = await look('GetTokenApiList', {});
  const policies = await look('GetPolicyMethods', { appid: publicAppid });
  await look('GetTokenTemplates', {});
  const environments = [await look('GetEnvs', {}), await look('GetEnvInfo', { envName })];
  return { tokens, sessions, methods, policies, environments };
}

async function lookAtContainer(deps: ProbeDeps, recorder: Recorder, node: FilePlace): Promise<StepResults> {
  const look = lookWith(deps, recorder);
  const { nodeGroup, nodeId } = node.target;
  const at = addressOf(node);
  const { envName } = at;
  const list = (special: string, path: string | undefined, filter?: string) =>
    look('GetList', { ...at, path, filter }, special);
  await look('GetFavorites', { envName });
  await look('GetMountPoints', nodeId === undefined ? { envName, nodeGroup } : { envName, nodeId });
  await look('GetProject', { envName, nodeGroup });
  await list('no path', undefined);
  const root = await list('root folder', '/');
  const etc = await list('/etc', '/etc');
  const [folder, keywords] = etc?.code === 0 ? ['/etc', keywordsOf(etc.body)] : ['/', keywordsOf(root?.body)];
  await list('a file', '/etc/hostname');
  const missed = [
    await list('a missing folder', missing),
    await look('Read', { ...at, path: missing }, 'a missing file'),
  ];
  const filtered = await filter(filesIn(keywords), (part) => list(`${folder}, filtered`, folder, part));
  const smallFile = await readSmallFile(filesIn(keywordsOf(etc?.body)), (path) =>
    look('Read', { ...at, path }, 'a small file'),
  );
  return {
    listing: keywords === undefined ? undefined : { folder, keywords, rows: rowsIn(keywords) },
    filtered,
    missing: missed,
    smallFile,
  };
}

async function readSmallFile(
  files: ReturnType<typeof filesIn>,
  read: (path: string) => ReturnType<Recorder['look']>,
): Promise<StepResults['smallFile']> {
  const file = files.find(({ path, length }) => harmlessFiles.includes(path) && length > 0);
  const reply = file && (await read(file.path));
  const text = reply?.code === 0 && reply.body !== undefined ? readText(fieldOf(reply.body, 'body')) : undefined;
  return file === undefined || text === undefined ? undefined : { text, length: file.length };
}

/** Filters by a part of a file name from the listing. Only files tell, because a platform may list each folder anyway. */
async function filter(
  files: ReturnType<typeof filesIn>,
  ask: (part: string) => ReturnType<Recorder['look']>,
): Promise<StepResults['filtered']> {
  const all = namesOf(files);
  const name = all.find((one) => /^[A-Za-z]{2,}$/.test(one));
  if (name === undefined) {
    return undefined;
  }
  const part = name.slice(0, -1);
  const reply = await ask(part);
  return reply?.code === 0 ? { name, part, all, found: namesOf(filesIn(keywordsOf(reply.body))) } : undefined;
}

function namesOf(files: ReturnType<typeof filesIn>): readonly string[] {
  return files.map(({ path }) => posix.basename(path));
}

function keywordsOf(listing: JsonObject | undefined): unknown {
  return listing && fieldOf(listing, 'keywords');
}

function rowsIn(keywords: unknown): readonly JsonObject[] {
  const groups = isJsonObject(keywords) ? Object.values(keywords) : [keywords];
  return groups.flat().filter(isJsonObject);
}

function filesIn(keywords: unknown) {
  return rowsIn(keywords).flatMap((row) => {
    const path = readText(fieldOf(row, 'absolutePath'));
    const length = readInteger(fieldOf(row, 'length'));
    const isFile = readFlag(fieldOf(row, 'isDir')) === false;
    return path === undefined || length === undefined || !isFile ? [] : [{ path, length }];
  });
}

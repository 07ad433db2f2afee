import type { DiskConditions } from '../faults/diskConditions';
import type { OperationRow } from '../contractTable';
import { findEnvironment, findNodes } from '../environments/targets';
import type { Behaviour } from '../behaviour';
import type { Account } from '../accounts/account';
import type { Client } from '../accounts/accounts';
import type { Answer, Call, Handler } from '../operation';
import type { Parameters } from '../parameters';
import type { Platform } from '../platform';
import { codes, Refusal } from '../refusal';
import { checkParameters } from './checkParameters';

/** A request to an operation before any check. */
export interface Attempt {
  readonly row: OperationRow;
  readonly handler: Handler;
  readonly values: ReadonlyMap<string, string>;
  readonly client: Client;
  readonly disk: DiskConditions;
  /** The operation doesn't end earlier. */
  readonly end: Promise<unknown> | undefined;
}

const refusalAnswer = ({ result, message, source, details }: Refusal): Answer => ({
  result,
  error: message,
  source,
  ...details,
});

const demandSession = (platform: Platform, attempt: Attempt): { account: Account; sessionId: number } => {
  const secret = attempt.values.get('session');
  if (secret === undefined || secret === '') throw new Refusal(codes.invalidParameter, 'invalid parameter [session]');
  const { account, session } = platform.accounts.recognise(secret, attempt.row.method, attempt.client);
  return { account, sessionId: session.id };
};

/** The account for Signin, which has none yet. */
const nobody: Account = {
  uid: 0,
  email: '',
  password: { salt: '', hash: '' },
  authType: 'PASSWORD',
  status: 'ENABLED',
  environments: [],
};

/** Operations other than those on files always work on the node that they name. */
const conductOf = (
  { behaviour }: Platform,
  { area, name }: OperationRow,
): Pick<Behaviour, 'masterOnly' | 'nodeIds'> => {
  const isRead = /^(Get|Read$|Check)/.test(name);
  const isHonored = area !== 'file' || (isRead && ['onlyReads', 'mainChanges'].includes(behaviour.nodeIds));
  return isHonored ? { ...behaviour, nodeIds: 'honored' } : behaviour;
};

const callOf = (
  platform: Platform,
  attempt: Attempt,
  caller: { account: Account; sessionId: number },
  parameters: Parameters,
): Call => {
  const environment = () => findEnvironment(platform.environments, caller.account, parameters);
  return {
    ...caller,
    operation: attempt.row.name,
    parameters,
    client: attempt.client,
    platform,
    disk: attempt.disk,
    signal: platform.periodic.signal,
    environment,
    nodes: () => findNodes(environment(), parameters, conductOf(platform, attempt.row)),
  };
};

/** Checks the session, the token, and the parameters, and runs the operation. Every failure becomes an answer. */
export const perform = async (platform: Platform, attempt: Attempt): Promise<Answer> => {
  const { row, handler, values } = attempt;
  const started = performance.now();
  const answer = async (): Promise<Answer> => {
    try {
      const caller = row.name === 'Signin' ? { account: nobody, sessionId: 0 } : demandSession(platform, attempt);
      const parameters = checkParameters(row, values, platform.behaviour.requests);
      const call = callOf(platform, attempt, caller, parameters);
      return await platform.actions.during(row.name, values.get('envName'), async () => {
        await attempt.end;
        return { result: 0, ...(await handler(call)) };
      });
    } catch (error) {
      if (error instanceof Refusal) return refusalAnswer(error);
      // A bug in this platform: the test gets an unknown error, and the terminal shows the stack.
      console.error(`${row.name} failed:`, error);
      return { result: codes.unknown, error: `unknown error in ${row.name}`, source: 'JEL' };
    }
  };
  const given = await answer();
  if (row.area !== 'authentication') return given;
  const time = Math.round(performance.now() - started);
  return { ...given, debug: { cpu: { usage: 1.0, time }, time } };
};

import { setTimeout as pause } from 'node:timers/promises';
import { answerWithRows, type NodeOutcome } from '../files/eachNode';
import type { Answer, Call, Handler } from '../operation';
import { codes, Refusal } from '../refusal';
import { applyVariables } from './containerVariables';
import type { Node } from './environment';
import { logOfNginx, nginxProblem, usesNginx } from './nginx';

/**
 * Restarts the main service of each node: all at once, or one after another with a delay in between. A service whose
 * configuration is broken doesn't start, and says why. It is stopped then, because the old one has ended.
 */
export const restartServices: Handler = (call) => call.platform.periodic.awaited(restartAll(call));

const restartAll = async (call: Call): Promise<Answer> => {
  const { parameters, platform } = call;
  const nodes = call.nodes();
  const outcomes = parameters.flag('isSequential')
    ? await inTurn(call, nodes)
    : await Promise.all(nodes.map((node) => restart(call, node)));
  await platform.environments.save();
  return answerWithRows(outcomes, platform.behaviour.nodeFailures);
};

const inTurn = async (call: Call, nodes: readonly Node[]): Promise<readonly NodeOutcome[]> => {
  const outcomes: NodeOutcome[] = [];
  for (const node of nodes) {
    if (outcomes.length > 0) await wait(call, call.parameters.optionalInteger('delay') ?? 0);
    outcomes.push(await restart(call, node));
  }
  return outcomes;
};

const restart = async (call: Call, node: Node): Promise<NodeOutcome> => {
  const { platform, disk } = call;
  const { behaviour } = platform;
  const folder = platform.environments.folder(node.id);
  const log = async (line: string): Promise<void> => {
    if (usesNginx(node)) await logOfNginx(folder, platform.clock.now(), line);
  };
  const wasRunning = node.service === 'running';
  node.service = 'stopped';
  if (wasRunning) await log('[notice] 1#1: signal 15 (SIGTERM) received, exiting');
  await wait(call, behaviour.restartSeconds);
  const failure = disk.failing.get(node.id);
  const problem = failure?.error ?? (usesNginx(node) ? await nginxProblem(folder) : undefined);
  if (problem !== undefined) {
    await log(`[emerg] 1#1: ${problem}`);
    node.status = behaviour.stoppedServices === 'stopNode' ? down : running;
    const result = failure?.result ?? codes.unknown;
    const inOutput = behaviour.restartWords === 'errOut';
    const refusal = inOutput
      ? new Refusal(result, 'Failed to start ', { errOut: `${node.nodeType}: ${problem}\n` })
      : new Refusal(result, `Failed to start: ${problem}`);
    return { node, kind: 'refused', refusal };
  }
  applyVariables(node);
  await log('[notice] 1#1: start worker processes');
  Object.assign(node, { service: 'running', status: running } satisfies Partial<Node>);
  return { node, kind: 'done', fields: { out: `Restarting ${node.nodeType}: done.\n` } };
};

const running = 1;
const down = 2;

/** Ends early if the platform is disposed. */
const wait = async ({ signal }: Call, seconds: number): Promise<void> => {
  if (seconds > 0) await pause(seconds * 1000, undefined, { signal }).catch(() => undefined);
};

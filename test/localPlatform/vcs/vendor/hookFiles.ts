import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codes, Refusal } from '../../refusal';
import { bareEnvironment } from '../bareEnvironment';
import { commandFor, hookFolder } from '../hooks';
import { placeInNode } from '../placeInNode';
import { runProgram } from '../runProgram';
import type { Workplace } from '../sourceControl';
import type { NodeLogs } from './nodeLogs';

/** The results if a hook fails, of vcs.module and maven.module in the vendor's code (facts J). */
const results = {
  preUpdate: 4127,
  preDeploy: 4125,
  postUpdate: 4128,
  postDeploy: 4126,
  preBuild: 4129,
  postBuild: 4130,
} as const;
export type HookFile = keyof typeof results;

/** A failed hook, whose message reaches the client. */
export class HookRefusal extends Refusal {}

/** `preDeploy` is `Pre-deploy`. */
const shownName = (hook: HookFile): string =>
  hook.replace(/[A-Z]/u, (letter) => `-${letter.toLowerCase()}`).replace(/^p/u, 'P');

/**
 * Runs the file of a hook that is on the node, whoever wrote it, as applyHook of the vendor's hooks.lib does (facts J).
 * What the hook prints is in `hooks.log` at once, and nowhere else.
 */
export const runHookFile = async (
  hook: HookFile,
  {
    nodeFolder,
    context,
    folder,
    logs,
    workplace,
  }: { nodeFolder: string; context: string; folder: string; logs: NodeLogs; workplace: Workplace },
): Promise<void> => {
  const file = await placeInNode(nodeFolder, `${hookFolder}/${hook}_${context}.sh`);
  const script = await readFile(file, 'utf8').catch(() => undefined);
  if (script === undefined) return;
  const name = shownName(hook);
  logs.add('hooks', `[INFO] ${logs.date} Applying ${name} hook for ${context} \n\n`);
  await chmod(file, 0o755);
  const home = await mkdtemp(join(workplace.home, 'hook-'));
  const { seconds, signal } = workplace;
  try {
    const { ending } = await runProgram({
      ...commandFor(script, file),
      cwd: folder,
      environment: bareEnvironment(home),
      seconds,
      signal,
      onOutput: (text) => logs.add('hooks', text),
    });
    if (ending.kind === 'exit' && ending.code === 0) {
      logs.add('hooks', `[INFO] ${logs.date} ${name} hook applied successfully\n\n\n`);
      return;
    }
    if (ending.kind === 'deadline' || (ending.kind === 'exit' && ending.code === codes.hookTimedOut)) {
      logs.add('hooks', `[ERROR] ${logs.date} ${name} hook execution timed out. Exit code 124\n\n\n`);
      // The vendor's code ends here without an answer. What the platform makes of that isn't public.
      throw new HookRefusal(codes.hookTimedOut, `${name} hook execution timed out`);
    }
    const code = ending.kind === 'exit' ? ending.code : 1;
    logs.add('hooks', `[ERROR] ${logs.date} ${name} hook execution failed. Exit code ${code}\n\n\n`);
    throw new HookRefusal(results[hook], `${name} hook execution failed. See hooks log for details: ${logs.hooksPath}`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
};

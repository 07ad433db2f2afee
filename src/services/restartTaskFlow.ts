import { l10n } from 'vscode';
import { type ContainerWords, containerNamed } from '../containers/namedContainer';
import { confirmInProduction } from '../containers/protectedPrompt';
import { failureText } from '../ui/failureMessages';
import type { TaskRun } from '../ui/taskTerminal';
import { ensureRestartOffered, type RestartDeps, restartQuestion } from './restartCommands';
import { delayBetweenNodes } from './restartDelay';
import { restartEach, restartText } from './restartFlow';
import { stepsFor } from './restartStep';
import { noteOutcome } from './restoreAndRestartFlow';

/** Restarts for a build. Returns whether every service was restarted. Stopping it ends it after the current node. */
export function restartAsTask(deps: RestartDeps) {
  return async (task: ContainerWords & { readonly delay?: number | undefined }, run: TaskRun): Promise<boolean> => {
    const container = await containerNamed(task, deps);
    const { environment, layer } = container;
    const account = deps.accounts.find(environment.account);
    const at = { account: environment.account, environment: environment.name };
    const steps = stepsFor(container);
    ensureRestartOffered(container, deps);
    const [first] = steps;
    const { say } = run;
    if (
      account === undefined ||
      first === undefined ||
      !(await confirmInProduction([at], deps.environments, restartQuestion(container, steps, task.delay)))
    ) {
      say(l10n.t('Restart canceled.'));
      return false;
    }
    say(l10n.t('Restarting {0}…', steps.length === 1 ? first.name : layer.name));
    const result = await restartEach(
      steps,
      {
        account,
        environment: environment.name,
        lastLogLine: deps.lastLogLine,
        delay: task.delay ?? delayBetweenNodes(),
      },
      { signal: new AbortController().signal, stopping: run.signal, say },
    );
    noteOutcome(container, steps, { result, deps });
    const { done, failure } = result;
    say(failure === undefined ? restartText(container, steps, result) : failureText(failure.error));
    return done.length === steps.length;
  };
}

import { l10n } from 'vscode';
import type { Container } from '../containers/environmentPart';
import { ExpectedError } from '../ui/expectedError';
import { failureText } from '../ui/failureMessages';
import { type RestartDeps, restartQuestion, withCurrentNodes } from './restartCommands';
import { countText, RestartFailure, restartText, UnconfirmedRestart } from './restartFlow';
import { stepsFor } from './restartStep';
import { restartNodes } from './restoreAndRestartFlow';

/** What the tools for language models do with services. */
export function restartsForTools(deps: RestartDeps) {
  return {
    async question(named: Container) {
      const container = await withCurrentNodes(named, deps);
      const steps = container === undefined ? [] : stepsFor(container);
      if (container === undefined || steps.length === 0) {
        throw new ExpectedError(l10n.t('{0} no longer exists.', named.layer.name));
      }
      return { container, question: restartQuestion(container, steps) };
    },
    async run(container: Container, stopping: AbortSignal) {
      const steps = stepsFor(container);
      const result = await restartNodes(container, steps, deps, stopping);
      const { done, failure } = result;
      const error = failure?.error;
      const hasFailed = error instanceof RestartFailure && !(error instanceof UnconfirmedRestart);
      return {
        outcome: hasFailed ? 'failed' : done.length === steps.length ? 'restarted' : 'unknown',
        text:
          failure === undefined
            ? restartText(container, steps, result)
            : `${countText(done.length, steps.length)} ${failureText(error)}`,
      };
    },
  };
}

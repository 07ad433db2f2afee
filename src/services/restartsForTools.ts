import { l10n } from 'vscode';
import type { Container } from '../containers/environmentPart';
import { isPlatformError } from '../platform/errors';
import { ExpectedError } from '../ui/expectedError';
import { failureText } from '../ui/failureMessages';
import { ensureRestartOffered, type RestartDeps, restartQuestion, withCurrentNodes } from './restartCommands';
import { countText, RestartFailure, type RestartResult, restartText, UnconfirmedRestart } from './restartFlow';
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
      ensureRestartOffered(container, deps);
      return { container, question: restartQuestion(container, steps) };
    },
    async run(container: Container, stopping: AbortSignal) {
      const steps = stepsFor(container);
      const result = await restartNodes(container, steps, deps, stopping);
      const { done, failure } = result;
      const error = failure?.error;
      return {
        outcome: outcomeOf(result),
        text:
          failure === undefined
            ? restartText(container, steps, result)
            : `${countText(done.length, steps.length)} ${failureText(error)}`,
      };
    },
  };
}

/** It's `unknown` only if a node may have been restarted whose response was lost or not waited for. */
function outcomeOf({ failure, canceled }: RestartResult): string {
  if (failure !== undefined) {
    const { error } = failure;
    const isCertain = isPlatformError(error)
      ? !error.isOutcomeUnknown
      : error instanceof RestartFailure && !(error instanceof UnconfirmedRestart);
    return isCertain ? 'failed' : 'unknown';
  }
  if (canceled !== undefined) {
    return canceled.isOutcomeUnknown ? 'unknown' : 'canceled';
  }
  return 'restarted';
}

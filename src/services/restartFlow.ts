import { l10n } from 'vscode';
import type { Account } from '../accounts/accounts';
import { nodeLabel, type Node } from '../containers/environment';
import type { Container } from '../containers/environmentPart';
import { isCanceled, isPlatformError } from '../platform/errors';
import { ExpectedError } from '../ui/expectedError';
import { reasonText } from '../ui/failureMessages';
import { withProgress } from '../ui/progress';

/** One request: for a node, or for a layer whose nodes aren't all known. */
export interface RestartStep {
  readonly name: string;
  readonly at: { readonly nodeId: number } | { readonly nodeGroup: string; readonly isSequential: true };
}

/** The node didn't start its service, and said why. */
export class RestartFailure extends ExpectedError {
  override readonly name = 'RestartFailure';
}

export interface RestartResult {
  readonly done: readonly RestartStep[];
  /** Missing if everything was restarted, or the person canceled. */
  readonly failure?: { readonly error: unknown };
}

export function stepsFor({ environment, layer, node }: Container): readonly RestartStep[] {
  // The user may have left out a node. The platform knows all of them.
  const isListed = node !== undefined || layer.isComplete;
  return isListed
    ? nodeSteps(environment, node === undefined ? layer.nodes : [node])
    : [{ name: layer.name, at: { nodeGroup: layer.id, isSequential: true } }];
}

export function nodeSteps(environment: Container['environment'], nodes: readonly Node[]): readonly RestartStep[] {
  return nodes.map((each) => ({ name: nodeLabel(each, environment, environment), at: { nodeId: each.id } }));
}

/** Restarts one after the other, and stops at the first that fails. */
export async function runSteps(
  steps: readonly RestartStep[],
  { account, environment, title }: { readonly account: Account; readonly environment: string; readonly title: string },
): Promise<RestartResult> {
  const done: RestartStep[] = [];
  try {
    await withProgress(title, async ({ signal, say }) => {
      for (const step of steps) {
        if (signal.aborted) {
          return;
        }
        if (steps.length > 1) {
          say(l10n.t('{0}, {1} of {2}', step.name, done.length + 1, steps.length), done.length / steps.length);
        }
        await account
          .call('RestartServices', { envName: environment, ...step.at }, { signal })
          .catch((error: unknown) => rejectWithNode(error, step));
        done.push(step);
      }
    });
    return { done };
  } catch (error) {
    if (isCanceled(error)) {
      throw error;
    }
    return { done, failure: { error } };
  }
}

/** A restart whose response was lost may have happened, or still happen. It's never sent again. */
function rejectWithNode(error: unknown, { name }: RestartStep): never {
  if (isPlatformError(error) && error.isOutcomeUnknown) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't confirm that the service on {0} has restarted: {1}. Check whether it responds before you try again.",
        name,
        reasonText(error),
      ),
    );
  }
  if (isPlatformError(error) && error.kind === 'platform') {
    // The node's own words.
    throw new RestartFailure(
      l10n.t(
        "Couldn't restart the service on {0}: {1}. The service might not be running. Fix the cause, then try again.",
        name,
        reasonText(error),
      ),
    );
  }
  throw error;
}

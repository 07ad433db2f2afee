import { Disposable, lm } from 'vscode';
import { toolNames } from '../../manifest';
import type { Lazy } from '../../lazy';
import type { wireAgentTools } from '../wireAgentTools';
import type { OptionalHostFeature } from '../../services';

/** Registers the tools for language models. Their code is loaded on the first call. A host may have no such tools. */
export function registerTools(
  feature: Lazy<ReturnType<typeof wireAgentTools>>,
  hostLacks: Set<OptionalHostFeature>,
): Disposable {
  try {
    const registered = toolNames.map((name) =>
      lm.registerTool<unknown>(name, {
        prepareInvocation: ({ input }, token) => feature.use(({ prepare }) => prepare(name, input, token)),
        invoke: ({ input }, token) => feature.use(({ invoke }) => invoke(name, input, token)),
      }),
    );
    return Disposable.from(...registered);
  } catch {
    hostLacks.add('languageModelTools');
    return new Disposable(() => undefined);
  }
}

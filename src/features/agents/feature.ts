import { Disposable, lm } from 'vscode';
import type { Gantry } from '../../gantry';
import { toolNames } from '../../manifest';

export function registerAgents(gantry: Gantry) {
  const agents = gantry.add({
    id: 'agents',
    needs: 'tree',
    storesForAccounts: true,
    load: async () => (await import('./agents')).createAgents,
  });
  gantry.register(() => {
    try {
      const registered = toolNames.map((name) =>
        lm.registerTool<unknown>(name, {
          prepareInvocation: ({ input }, token) => agents.use(({ prepare }) => prepare(name, input, token)),
          invoke: ({ input, toolInvocationToken }, token) =>
            agents.use(({ invoke }) => invoke(name, input, token, isInChat(toolInvocationToken))),
        }),
      );
      return Disposable.from(...registered);
    } catch {
      // A host may have no such tools.
      gantry.host.hostLacks.add('languageModelTools');
      return new Disposable(() => undefined);
    }
  });
  return agents;
}

/** VS Code's types don't say that a call from outside of chat has none. */
function isInChat(token: unknown): boolean {
  return token !== undefined;
}

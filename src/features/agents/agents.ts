import * as v from 'valibot';
import {
  CancellationError,
  type CancellationToken,
  l10n,
  LanguageModelTextPart,
  LanguageModelToolResult,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import type { Own } from '../../gantry';
import type { ToolName } from '../../manifest';
import { isCanceled } from '../../platform/errors';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import { isExpected } from '../../ui/failureMessages';
import type { AgentTool } from './agentTool';
import { AgentAccess } from './agentAccess';
import { editFileTool, redeployTool, restartTool } from './changingTools';
import { listEnvironmentsTool, listFolderTool, readFileTool, readLogTool, searchFilesTool } from './readingTools';
import { ToolPlaces } from './toolPlaces';
import { failureLine, nameText } from './toolText';

/** The tools for language models. */
export function createAgents(services: Services, own: Own) {
  const access = new AgentAccess(services, own);
  const tools = agentTools(access, services);
  const { connections, log, recent } = services;
  /** What leaves Gantry holds no secret of ours. */
  const run = async <T>(
    name: ToolName,
    token: CancellationToken,
    work: (tool: AgentTool, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const stopping = new AbortController();
    const listening = token.onCancellationRequested(() => stopping.abort());
    try {
      access.demand(tools[name].access);
      return await work(tools[name], stopping.signal);
    } catch (error) {
      if (isCanceled(error)) {
        throw new CancellationError();
      }
      if (!isExpected(error)) {
        recent.note(error);
      }
      throw new ExpectedError(connections.withoutSecrets(failureLine(error)), { cause: error });
    } finally {
      listening.dispose();
    }
  };
  return {
    prepare: (name: ToolName, input: unknown, token: CancellationToken) =>
      run(name, token, async (tool, signal): Promise<PreparedToolInvocation> => {
        log.info(l10n.t('An agent prepares {0}: {1}', name, connections.withoutSecrets(targetOf(input))));
        const prepared = await tool.prepare(input, signal);
        if (typeof prepared === 'object') {
          return { confirmationMessages: { ...prepared, message: new MarkdownString(prepared.message) } };
        }
        return prepared === undefined ? {} : { invocationMessage: prepared };
      }),
    /** @param isInChat whether VS Code's chat calls it, and not another extension */
    invoke: (name: ToolName, input: unknown, token: CancellationToken, isInChat = false) =>
      run(name, token, async (tool, signal) => {
        const target = connections.withoutSecrets(targetOf(input));
        log.info(
          isInChat
            ? l10n.t('An agent in chat called {0}: {1}', name, target)
            : l10n.t('An extension called {0}: {1}', name, target),
        );
        const text = connections.withoutSecrets(await tool.invoke(input, signal));
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      }),
    forgetAccount: (slug: string) => access.forgetAccount(slug),
  };
}

/** What a call is about, for the log: not the texts of an edit. */
function targetOf(input: unknown): string {
  const { place, account, environment, layer, project } = v.parse(targetEntries, input);
  return nameText([place ?? [], account ?? [], environment ?? [], layer ?? [], project ?? []].flat().join(' '));
}
const word = v.fallback(v.optional(v.string()), undefined);
const targetEntries = v.fallback(
  v.object({ place: word, account: word, environment: word, layer: word, project: word }),
  {},
);

/** The tools by the names that package.json declares. */
function agentTools(access: AgentAccess, services: Services): Readonly<Record<ToolName, AgentTool>> {
  const places = new ToolPlaces(services, access);
  return {
    gantry_list_environments: listEnvironmentsTool(places, access, services),
    gantry_list_folder: listFolderTool(places, access, services),
    gantry_read_file: readFileTool(places, access, services),
    gantry_search_files: searchFilesTool(places, access, services),
    gantry_edit_file: editFileTool(places, access, services),
    gantry_redeploy: redeployTool(places, access, services),
    gantry_restart_service: restartTool(places, access, services),
    gantry_read_log: readLogTool(places, access, services),
  };
}

import {
  CancellationError,
  type CancellationToken,
  LanguageModelTextPart,
  LanguageModelToolResult,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import type { ToolName } from '../../manifest';
import { isCanceled } from '../../platform/errors';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import { isExpected } from '../../ui/failureMessages';
import type { AgentTool } from './agentTool';
import { editFileTool, redeployTool, restartTool } from './changingTools';
import {
  compareNodesTool,
  deployedCommitTool,
  findInFolderTool,
  listFolderTool,
  readFileTool,
  readLogTool,
} from './readingTools';
import { ToolPlaces } from './toolPlaces';
import { failureLine } from './toolText';

/** The tools for language models. */
export function createAgents(services: Services) {
  const tools = agentTools(services);
  const { connections, recent } = services;
  /** What leaves Gantry holds no secret of ours. */
  const run = async <T>(token: CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const stopping = new AbortController();
    const listening = token.onCancellationRequested(() => stopping.abort());
    try {
      return await work(stopping.signal);
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
      run(token, async (signal): Promise<PreparedToolInvocation> => {
        const asked = await tools[name].prepare?.(input, signal);
        return asked === undefined
          ? {}
          : { confirmationMessages: { title: asked.title, message: new MarkdownString(asked.message) } };
      }),
    invoke: (name: ToolName, input: unknown, token: CancellationToken) =>
      run(token, async (signal) => {
        const text = connections.withoutSecrets(await tools[name].invoke(input, signal));
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      }),
  };
}

/** The tools by the names that package.json declares. */
function agentTools(services: Services): Readonly<Record<ToolName, AgentTool>> {
  const places = new ToolPlaces(services);
  return {
    gantry_listFolder: listFolderTool(places, services),
    gantry_readFile: readFileTool(places, services),
    gantry_findInFolder: findInFolderTool(places, services),
    gantry_compareNodes: compareNodesTool(places, services),
    gantry_editFile: editFileTool(places, services),
    gantry_deployedCommit: deployedCommitTool(services),
    gantry_redeploy: redeployTool(services),
    gantry_readLog: readLogTool(places, services),
    gantry_restart: restartTool(places, services),
  };
}

// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import {
  CancellationError,
  type CancellationToken,
  LanguageModelTextPart,
  LanguageModelToolResult,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import { agentTools } from '../agentTools/agentTools';
import { ToolPlaces } from '../agentTools/toolPlaces';
import { failureLine, mostCharacters } from '../agentTools/toolText';
import type { ToolName } from '../manifest';
import { isCanceled } from '../platform/errors';
import { ExpectedError } from '../ui/expectedError';
import { isExpected } from '../ui/failureMessages';
import type { RecentErrors } from '../ui/recentErrors';
import type { FeatureHandles } from '../services';
import type { Lazy } from '../lazy';
import type { wireDeployments } from './wireDeployments';
import type { FileParts } from './wireFiles';
import type { wireSearch } from './wireSearch';

interface AgentToolsWiringDeps extends Pick<
  FileParts,
  'accounts' | 'environments' | 'containers' | 'listings' | 'turns' | 'writeOver'
> {
  readonly search: Lazy<ReturnType<typeof wireSearch>>;
  readonly restart: FeatureHandles['restart'];
  readonly deployments: Lazy<ReturnType<typeof wireDeployments>>;
  readonly logs: FeatureHandles['logs'];
  readonly recent: RecentErrors;
  /** Removes our own secrets from a text. */
  readonly withoutSecrets: (text: string) => string;
}

/** The tools for language models. */
export function wireAgentTools(deps: AgentToolsWiringDeps) {
  const { environments, containers, listings, search, restart, deployments, logs } = deps;
  const tools = agentTools({
    ...{ environments, containers, listings, queue: deps.turns, writeOver: deps.writeOver },
    places: new ToolPlaces(deps),
    findInFolder: (folder, query, signal) => search.use((loaded) => loaded.findInFolder(folder, query, signal)),
    restarts: {
      question: (container) => restart.use(({ forTools }) => forTools.question(container)),
      run: (container, stopping) => restart.use(({ forTools }) => forTools.run(container, stopping)),
    },
    projects: {
      list: (names) => deployments.use(({ forTools }) => forTools.list(names)),
      describe: (names) => deployments.use(({ forTools }) => forTools.describe(names)),
      outlook: (names) => deployments.use(({ forTools }) => forTools.outlook(names)),
      redeploy: (names, options) => deployments.use(({ forTools }) => forTools.redeploy(names, options)),
    },
    readLog: (log, lines, signal) =>
      logs.use(({ endOfLog }) => endOfLog(log, { lines, characters: mostCharacters }, signal)),
  });
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
        deps.recent.note(error);
      }
      throw new ExpectedError(deps.withoutSecrets(failureLine(error)), { cause: error });
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
        const text = deps.withoutSecrets(await tools[name].invoke(input, signal));
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      }),
    disposables: [],
  };
}

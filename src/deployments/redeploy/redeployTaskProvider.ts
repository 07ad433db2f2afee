import {
  CustomExecution,
  EventEmitter,
  l10n,
  type Pseudoterminal,
  Task,
  type TaskDefinition,
  type TaskProvider,
  TaskScope,
  workspace,
} from 'vscode';
import * as v from 'valibot';
import type { ProjectFinder } from '../projectFinder';
import { terminalText } from '../../ui/terminalText';
import { failureText } from '../../ui/failureMessages';

const taskType = 'gantry';

const definition = v.object({
  environment: v.string(),
  context: v.optional(v.string(), 'ROOT'),
  layer: v.optional(v.string()),
  account: v.optional(v.string()),
  node: v.optional(v.number()),
  delay: v.optional(v.number()),
  /** What to do if the redeploy would miss or discard something. */
  onDataLoss: v.optional(v.picklist(['ask', 'stop', 'continue']), 'ask'),
});
export type RedeployTask = v.InferOutput<typeof definition>;

/** Redeploys as the task says. Returns the result for the exit code of the task's process. */
export type RunTask = (task: RedeployTask, say: (line: string) => void) => Promise<'deployed' | 'notDeployed'>;

/** Provides redeploy tasks, so that a build can end with one. */
export function redeployTaskProvider(finder: ProjectFinder, run: RunTask): TaskProvider {
  return {
    provideTasks: () => {
      const projects = finder.named({});
      return projects.map((project) => {
        const { account, environment, layer, context } = project;
        // Other people who share the task may have different account names.
        const isElsewhereToo = projects.some((one) => one.environment === environment && one.account !== account);
        const name = isElsewhereToo
          ? l10n.t('redeploy {0} on {1} ({2})', context, environment, account)
          : l10n.t('redeploy {0} on {1}', context, environment);
        const definition = { type: taskType, environment, layer, context, ...(isElsewhereToo ? { account } : {}) };
        // A window without a folder has no workspace scope.
        const scope = workspace.workspaceFolders === undefined ? TaskScope.Global : TaskScope.Workspace;
        return taskOf(definition, name, run, scope);
      });
    },
    resolveTask: (task) => taskOf(task.definition, task.name, run, task.scope),
  };
}

function taskOf(wanted: TaskDefinition, name: string, run: RunTask, scope: Task['scope'] = TaskScope.Workspace): Task {
  const execution = new CustomExecution((resolved) => Promise.resolve(new RedeployTerminal(resolved, run)));
  // Pass an empty list, or VS Code asks at each run which problem matcher to use.
  const task = new Task(wanted, scope, name, 'Gantry', execution, []);
  task.presentationOptions = { clear: true };
  return task;
}

/** Runs a redeploy as a terminal process. Exits with success only if the project was deployed. */
export class RedeployTerminal implements Pseudoterminal {
  private readonly written = new EventEmitter<string>();
  private readonly closed = new EventEmitter<number>();
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;

  constructor(
    private readonly wanted: unknown,
    private readonly run: RunTask,
  ) {}

  open(): void {
    void this.work();
  }

  close(): void {
    // An Update can't be stopped. It continues, and the history records its result.
  }

  private async work(): Promise<void> {
    const say = (text: string) => this.written.fire(`${terminalText(text)}\r\n`);
    try {
      const task = v.parse(definition, this.wanted);
      this.closed.fire((await this.run(task, say)) === 'deployed' ? 0 : 1);
    } catch (error) {
      say(
        v.isValiError(error)
          ? l10n.t("The task doesn't specify what to redeploy: {0}", error.message)
          : failureText(error),
      );
      this.closed.fire(1);
    }
  }
}

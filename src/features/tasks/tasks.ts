import { CustomExecution, l10n, Task, type TaskDefinition, type TaskProvider, TaskScope, workspace } from 'vscode';
import * as v from 'valibot';
import type { Services } from '../../services';
import { escapeIcons } from '../../ui/escapeMarkup';
import { ExpectedError } from '../../ui/expectedError';
import { type TaskRun, TaskTerminal } from '../../ui/taskTerminal';

/** The tasks that builds run. Each loads the feature that performs it. */
export function createTasks({ features: { deployments, restart, logs, search } }: Services) {
  const actions: TaskActions = {
    redeploy: async (task, run) => {
      const ending = await deployments.use(({ redeployTask }) => redeployTask(task, run));
      return ending === 'deployed' ? 0 : 1;
    },
    restart: async (task, run) => ((await restart.use(({ restartTask }) => restartTask(task, run))) ? 0 : 1),
    followLog: async (task, run) => ((await logs.use(({ followTask }) => followTask(task, run))) ? 0 : 1),
    find: (task, run) => search.use(({ findTask }) => findTask(task, run)),
  };
  const provider = taskProvider(() => deployments.use(({ knownProjects }) => knownProjects()), actions);
  return { provider, actions };
}

const taskType = 'gantry';

const place = {
  environment: v.string(),
  layer: v.optional(v.string()),
  node: v.optional(v.number()),
  account: v.optional(v.string()),
};
/** Between nodes, in seconds. A timer can't wait for as long as a number can say, and would end at once. */
const delayUpTo = (most: number) => v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(most)));
const no = v.optional(v.boolean(), false);
const definition = v.variant('action', [
  v.object({
    action: v.literal('redeploy'),
    ...place,
    context: v.optional(v.string(), 'ROOT'),
    // The most that Redeploy with Options takes.
    delay: delayUpTo(99_999),
    /** What to do if the redeploy would miss or discard something. */
    onDataLoss: v.optional(v.picklist(['ask', 'stop', 'continue']), 'ask'),
  }),
  // The most that the setting for restarts can be.
  v.object({ action: v.literal('restart'), ...place, delay: delayUpTo(3_600) }),
  v.object({ action: v.literal('followLog'), ...place, path: v.string(), until: v.optional(v.string()) }),
  v.object({
    action: v.literal('find'),
    ...place,
    path: v.string(),
    text: v.string(),
    include: v.optional(v.string(), ''),
    exclude: v.optional(v.string(), ''),
    isRegex: no,
    matchCase: no,
    wholeWord: no,
  }),
]);
type Definition = v.InferOutput<typeof definition>;
type Action = Definition['action'];

/** What the features do for each action. Returns the exit code of the task's process. */
type TaskActions = {
  readonly [A in Action]: (task: Extract<Definition, { action: A }>, run: TaskRun) => Promise<number>;
};

interface TaskProject {
  readonly account: string;
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** Provides a task for each known project and its layer, and runs any that is written in tasks.json. */
export function taskProvider(projects: () => Promise<readonly TaskProject[]>, actions: TaskActions): TaskProvider {
  return {
    provideTasks: async () => tasksFor(await projects()).map((one) => taskOf(one, actions)),
    resolveTask: (task) => taskOf(task, actions),
  };
}

type Described = Pick<Task, 'definition' | 'name'> & { readonly scope?: Task['scope'] };

function tasksFor(projects: readonly TaskProject[]): readonly Described[] {
  // A window without a folder has no workspace scope.
  const scope = workspace.workspaceFolders === undefined ? TaskScope.Global : TaskScope.Workspace;
  const tasks = projects.flatMap(({ account, environment, layer, context }) => {
    // Other people who share the task may have different account names.
    const isElsewhereToo = projects.some((one) => one.environment === environment && one.account !== account);
    const at = { type: taskType, environment, layer, ...(isElsewhereToo ? { account } : {}) };
    const where = isElsewhereToo ? l10n.t('{0} ({1})', environment, account) : environment;
    return [
      { definition: { ...at, context }, name: l10n.t('redeploy {0} on {1}', context, where), scope },
      { definition: { ...at, action: 'restart' }, name: l10n.t('restart {0} on {1}', layer, where), scope },
    ];
  });
  // A layer may have several projects.
  return [...new Map(tasks.map((task) => [JSON.stringify(task.definition), task])).values()];
}

function taskOf({ definition: wanted, name, scope = TaskScope.Workspace }: Described, actions: TaskActions): Task {
  const execution = new CustomExecution((resolved) => Promise.resolve(terminalOf(resolved, actions)));
  // Pass an empty list, or VS Code asks at each run which problem matcher to use.
  const task = new Task(wanted, scope, escapeIcons(name), 'Gantry', execution, []);
  task.presentationOptions = { clear: true };
  return task;
}

/** Returns the terminal that runs a task. As for `grep`, 1 means that nothing was found, so a failed search is 2. */
export function terminalOf(wanted: TaskDefinition, actions: TaskActions): TaskTerminal {
  return new TaskTerminal((run) => perform(parsed(wanted), actions, run), wanted['action'] === 'find' ? 2 : 1);
}

function parsed(wanted: TaskDefinition): Definition {
  const result = v.safeParse(definition, { action: 'redeploy', ...wanted });
  if (!result.success) {
    const [issue] = result.issues;
    const property = v.getDotPath(issue) ?? '';
    throw new ExpectedError(
      l10n.t("Couldn't run the task: check {0} in its definition. {1}", property, `${issue.message}.`),
    );
  }
  return result.output;
}

function perform(task: Definition, actions: TaskActions, run: TaskRun): Promise<number> {
  switch (task.action) {
    case 'redeploy':
      return actions.redeploy(task, run);
    case 'restart':
      return actions.restart(task, run);
    case 'followLog':
      return actions.followLog(task, run);
    case 'find':
      return actions.find(task, run);
  }
}

import { CancellationTokenSource, type Task, type TaskDefinition, tasks } from 'vscode';
import { terminalOf } from '../../../src/features/tasks/tasks';
import type { TaskRun, TaskTerminal } from '../../../src/ui/taskTerminal';
import { gantry } from './gantry';
import { closeTerminals } from './terminals';

export interface TaskOutput {
  readonly output: string;
  readonly exitCode: number;
}

/** Runs a task's work to its end. VS Code's API can't read what a terminal shows. */
export async function outputOf(terminal: TaskTerminal): Promise<TaskOutput> {
  let output = '';
  terminal.onDidWrite((text) => (output += text.replaceAll('\r\n', '\n')));
  const ended = new Promise<number>((resolve) => terminal.onDidClose(resolve));
  terminal.open();
  return { exitCode: await ended, output };
}

/** Returns the terminal that the extension runs a task in. */
export async function terminalFor(definition: Omit<TaskDefinition, 'type'>): Promise<TaskTerminal> {
  return terminalOf({ type: 'gantry', ...definition }, (await gantry()).taskActions);
}

/** What a task that nobody stops gets from its terminal. */
export function unstopped(say: TaskRun['say'] = () => undefined): TaskRun {
  return { say, signal: new AbortController().signal };
}

/** Returns what VS Code lists. Its API lists nothing in a window without a folder. */
export async function providedTasks(): Promise<readonly Task[]> {
  return (await (await gantry()).taskProvider.provideTasks(new CancellationTokenSource().token)) ?? [];
}

/** Runs a task in VS Code, and returns the exit code of its process. */
export async function executed(task: Task): Promise<number | undefined> {
  const ended = new Promise<number | undefined>((resolve) => {
    const listening = tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name === task.name) {
        listening.dispose();
        resolve(exitCode);
      }
    });
  });
  await tasks.executeTask(task);
  const exitCode = await ended;
  // VS Code keeps the terminal of a task that has ended.
  await closeTerminals();
  return exitCode;
}

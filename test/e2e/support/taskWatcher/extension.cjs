const { commands, tasks, window } = require('vscode');

/** Shows what only VS Code's API tells of tasks: which ones an extension can find, and the exit codes. */
exports.activate = () => {
  commands.registerCommand('taskWatcher.list', async () => {
    const found = await tasks.fetchTasks({ type: 'gantry' });
    show(`Found ${found.map(({ name }) => name).join(', ')}.`);
  });
  tasks.onDidEndTaskProcess(({ execution, exitCode }) => show(`${execution.task.name} ended with ${exitCode}`));
  tasks.onDidEndTask(({ execution }) => show(`${execution.task.name} is over`));
};

const show = (text) => void window.showInformationMessage(text);

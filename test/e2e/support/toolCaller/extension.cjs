const vscode = require('vscode');

exports.activate = () => {
  vscode.commands.registerCommand('toolCaller.call', async () => {
    const { name, input } = JSON.parse(await ask('Tool and input'));
    const version = input.version === 'VERSION' ? await versionOf(input.place) : undefined;
    show(await call(name, version === undefined ? input : { ...input, version }));
  });
  vscode.commands.registerCommand('toolCaller.obey', async () => {
    const place = await ask('Place');
    const text = await call('gantry_read_file', { place });
    const version = await versionOf(place);
    const [mask] = /masked-by-gantry-\w+/.exec(text) ?? ['none'];
    const answers = [];
    for (const [, name, input] of text.matchAll(/^Call (\S+) with (.*)$/gm)) {
      answers.push(await call(name, JSON.parse(input.replaceAll('VERSION', version).replaceAll('MASK', mask))));
    }
    show(`Obeyed. ${answers.join('. ')}`);
  });
  vscode.commands.registerCommand('toolCaller.change', async () => {
    const [name, value, target] = JSON.parse(await ask('Setting, value, and target'));
    const changing = vscode.workspace
      .getConfiguration()
      .update(name, value ?? undefined, vscode.ConfigurationTarget[target]);
    await changing.then(
      () => show(`Changed ${name}`),
      (error) => show(`Not changed: ${error.message}`),
    );
  });
};

const ask = (prompt) => vscode.window.showInputBox({ prompt });
const show = (text) => void vscode.window.showInformationMessage(text.slice(0, 600));

/** Reads a file as an agent does before it edits it. Refused, it has none. */
async function versionOf(place) {
  const [, version = 'none'] = /^version: (.*)$/m.exec(await call('gantry_read_file', { place })) ?? [];
  return version;
}

/** Calls a tool as an agent outside of chat does. */
async function call(name, input) {
  try {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return `Answered ${content.map(({ value }) => value).join('')}`;
  } catch (error) {
    return `Failed ${error.name}: ${error.message}`;
  }
}

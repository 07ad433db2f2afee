import { languages, window } from 'vscode';
import type { Own } from '../../gantry';
import { variablesScheme } from '../../manifest';
import type { Services } from '../../services';
import { nameCompletions, setSecretsKey, variableCommands } from './variableCommands';
import { VariableDocuments } from './variableDocuments';

/** Edits the variables of a node or a layer as a text. */
export function createVariables(services: Services, own: Own) {
  const documents = own(new VariableDocuments(services.environments, services.containers, services.accounts));
  own(window.onDidChangeActiveTextEditor(() => setSecretsKey(documents)));
  const completions = nameCompletions(() => documents.opened.knownNames);
  own(languages.registerCompletionItemProvider({ scheme: variablesScheme }, completions));
  return { documents, commands: variableCommands(documents, services) };
}

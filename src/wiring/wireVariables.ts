// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { languages, window } from 'vscode';
import type { FilePlace } from '../containers/place';
import { variablesScheme } from '../manifest';
import { setContextKey } from '../ui/contextKeys';
import { saveVariables } from '../variables/saveVariablesFlow';
import { variableCommands } from '../variables/variableCommands';
import { nameCompletions } from '../variables/variableCompletions';
import { VariableDocuments, type VariablesToSave } from '../variables/variableDocuments';
import { VariableOperations } from '../variables/variableOperations';
import type { FileParts } from './wireFiles';
import type { WiringDeps } from './wiringDeps';

interface VariablesWiringDeps
  extends Pick<WiringDeps, 'texts'>, Pick<FileParts, 'accounts' | 'environments' | 'containers'> {}

/** Container variables as documents. */
export function wireVariables({ accounts, environments, containers, texts }: VariablesWiringDeps) {
  const operations = new VariableOperations(containers);
  const read = (place: FilePlace) => operations.read(place);
  const save = (variables: VariablesToSave) => saveVariables(variables, { environments, operations });
  const isReadOnly = ({ account }: FilePlace) => accounts.find(account)?.lacks('AddContainerEnvVars') === true;
  const documents = new VariableDocuments({
    ...{ environments, read, save, isReadOnly, rightsChanged: accounts.onDidChangeRights },
  });
  const secretsChanged = () => {
    const uri = window.activeTextEditor?.document.uri;
    void setContextKey('gantry.secretValues', (uri && documents.opened.find(uri)?.secrets) ?? 'masked');
  };
  return {
    commands: variableCommands({ accounts, environments, documents, operations, texts, secretsChanged }),
    documents,
    disposables: [
      documents,
      window.onDidChangeActiveTextEditor(secretsChanged),
      languages.registerCompletionItemProvider(
        { scheme: variablesScheme },
        nameCompletions(() => documents.opened.knownNames),
      ),
    ],
  };
}

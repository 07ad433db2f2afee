import {
  commands as vscodeCommands,
  CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  l10n,
  languages,
  type Position,
  Range,
  type TextDocument,
  type Uri,
  window,
} from 'vscode';
import { mayChange } from '../../containers/environmentIndex';
import type { Container } from '../../containers/environmentPart';
import { locationText } from '../../containers/locationText';
import { type FilePlace, placeOnLayer } from '../../containers/place';
import { replaceText } from '../../files/documents';
import { reportMerge } from '../../files/saving/conflictCommands';
import { ownSide } from '../../files/saving/outcomeTexts';
import type { Own } from '../../gantry';
import { variablesScheme } from '../../manifest';
import type { Services } from '../../services';
import { command } from '../../ui/commands/command';
import { commandOnContainer } from '../../ui/commands/targets';
import { setContextKey } from '../../ui/contextKeys';
import { ExpectedError } from '../../ui/expectedError';
import { lackText } from '../../ui/lackText';
import { showWarningMessage } from '../../ui/notifications';
import { withCancelableRead } from '../../ui/progress';
import { documentOf, type OpenVariables, textIn } from './openVariables';
import { readVariables } from './saveVariablesFlow';
import { headingOf, textOf, VariableDocuments, variablesPlaceOf, variablesUri } from './variableDocuments';
import { allNames, changesBetween, commonVariables, isEditableName, type VariablesState } from './variablesState';
import { mergeVariables, type Secrets } from './variablesText';

/** Edits the variables of a node or a layer as a text. */
export function createVariables(services: Services, own: Own) {
  const documents = own(new VariableDocuments(services.environments, services.containers, services.accounts));
  own(window.onDidChangeActiveTextEditor(() => setSecretsKey(documents)));
  const completions = nameCompletions(() => documents.opened.knownNames);
  own(languages.registerCompletionItemProvider({ scheme: variablesScheme }, completions));
  return { documents, commands: variableCommands(documents, services) };
}

/** Sets whether the active document shows secret values, for menus. */
function setSecretsKey(documents: VariableDocuments): void {
  const uri = window.activeTextEditor?.document.uri;
  void setContextKey('gantry.secretValues', (uri && documents.opened.find(uri)?.secrets) ?? 'masked');
}

function variableCommands(documents: VariableDocuments, services: Services) {
  const { containers } = services;
  /** On the document of a title or a link, or the active one. */
  const onOpen = (run: (open: OpenDocument) => unknown) =>
    command('editor', ({ linked }) => openDocument(linked, documents), run);
  const setSecrets = async ({ document }: OpenDocument, secrets: Secrets) => {
    const text = documents.setSecrets(document, secrets);
    setSecretsKey(documents);
    if (text !== undefined) {
      await replaceText(document, text);
    }
  };
  return {
    'gantry.variables.edit': commandOnContainer(
      services,
      { placeHolder: l10n.t('Select the layer or node'), may: isEditable },
      (container) => edit(container, documents, services),
    ),
    'gantry.variables.showSecrets': onOpen((open) => setSecrets(open, 'shown')),
    'gantry.variables.hideSecrets': onOpen((open) => setSecrets(open, 'masked')),
    'gantry.variables.compare': onOpen(async (open) =>
      compare(open, await readVariables(open.place, containers), ownSide(), services),
    ),
    'gantry.variables.merge': onOpen((open) => merge(open, documents, services)),
    'gantry.variables.overwrite': onOpen(async ({ document, place }) => {
      const now = await readVariables(place, containers);
      const goBack = documents.opened.rebase(document.uri, { state: now, latest: now });
      // The question before the save names everything that this would change.
      if (!(await document.save())) {
        goBack();
      }
    }),
  };
}

async function edit(
  container: Container,
  documents: VariableDocuments,
  { accounts, environments }: Services,
): Promise<void> {
  const { environment, layer, node } = container;
  const object = { layer: layer.name, environment: environment.title, nodeId: node?.id };
  const account = accounts.find(environment.account);
  account?.ensureOffered('GetContainerEnvVars', object);
  if (!isEditable(container)) {
    throw new ExpectedError(
      l10n.t("Gantry doesn't know all the nodes in {0}. Edit the variables of a node.", layer.name),
    );
  }
  const place = placeOnLayer(environment, layer.id, node?.id);
  const uri = variablesUri(place);
  await withCancelableRead(l10n.t('Reading the variables of {0}', locationText(place, environments)), () =>
    documents.refresh(uri, place),
  );
  await window.showTextDocument(uri, { preview: false });
  const lacks = (['AddContainerEnvVars', 'RemoveContainerEnvVars'] as const).map((one) => lackText(account, one));
  const [text] = lacks.filter((one) => one !== undefined);
  if (text !== undefined) {
    void showWarningMessage(text);
  }
}

/** A change of a layer is checked on each node, so all of them must be known. */
function isEditable({ layer, node }: Container): boolean {
  return node !== undefined || mayChange(layer);
}

interface OpenDocument {
  readonly document: TextDocument;
  readonly place: FilePlace;
  readonly opened: OpenVariables;
}

/** Returns the document that a command was called on by its title or by a link, or the active one. */
function openDocument(named: Uri | undefined, documents: VariableDocuments): OpenDocument {
  const uri = named ?? window.activeTextEditor?.document.uri;
  const [document, place] = uri === undefined ? [] : [documentOf(uri), variablesPlaceOf(uri)];
  const opened = uri && documents.opened.find(uri);
  if (document === undefined || place === undefined || opened === undefined) {
    throw new ExpectedError(l10n.t('Open the variables of a node or layer first.'));
  }
  return { document, place, opened };
}

/** Shows the platform's variables beside the document. */
async function compare(
  { document: { uri }, place, opened }: OpenDocument,
  now: VariablesState,
  edited: string,
  { environments, texts }: Services,
): Promise<void> {
  const since = allNames(changesBetween(opened.state, { ...now, nodes: opened.state.nodes })).join(', ');
  // The text doesn't show a change of what is masked.
  const comment = since === '' ? '' : `# ${l10n.t('Changed since you opened them: {0}', since)}\n`;
  const left = texts.add(uri.path, comment + textOf({ ...opened, place, state: now }, environments));
  const title = l10n.t('{0}: {1} ↔ {2}', nameAt(uri), l10n.t('Server'), edited);
  await vscodeCommands.executeCommand('vscode.diff', left, uri, title);
}

/** Applies others' changes to the text of the document, and shows it beside the platform's variables. */
async function merge(open: OpenDocument, documents: VariableDocuments, services: Services): Promise<void> {
  const { document, place, opened } = open;
  const { environments, containers } = services;
  if (!document.isDirty) {
    await documents.refresh(document.uri, place);
    return;
  }
  const now = await readVariables(place, containers);
  const [text, heading] = [textIn(document), headingOf(place, opened.state, environments)];
  const isHeaded = text.startsWith(heading);
  const lines = mergeVariables(isHeaded ? text.slice(heading.length) : text, {
    base: commonVariables(opened.state),
    theirs: commonVariables(now),
    secrets: opened.secrets,
    names: { yours: ownSide(), theirs: l10n.t('Server') },
  });
  const merged = (isHeaded ? headingOf(place, now, environments) : '') + lines.text;
  await replaceText(document, merged);
  documents.opened.rebaseMerged(document.uri, { text, merged, state: now });
  await compare(open, now, l10n.t('Merged'), services);
  reportMerge(nameAt(document.uri), lines.conflicts);
}

function nameAt({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Suggests the names of the variables in open documents that the text doesn't have yet. */
function nameCompletions(knownNames: () => readonly string[]): CompletionItemProvider {
  return {
    provideCompletionItems(document: TextDocument, position: Position) {
      const { text } = document.lineAt(position.line);
      const start = text.search(/\S|$/);
      const typed = text.slice(start, position.character);
      if (!/^\w*$/.test(typed)) {
        return [];
      }
      const written = new Set([...document.getText().matchAll(/^[ \t]*(\w+)[ \t]*=/gm)].map(([, name]) => name));
      const isNamed = text.includes('=');
      const range = new Range(position.line, start, position.line, position.character);
      return knownNames()
        .filter((name) => isEditableName(name) && !written.has(name))
        .map((name) => {
          const item = new CompletionItem(name, CompletionItemKind.Variable);
          return Object.assign(item, { range, insertText: isNamed ? name : `${name}=` });
        });
    },
  };
}

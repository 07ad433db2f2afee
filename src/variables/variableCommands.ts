import { commands, l10n, type TextDocument, Uri, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { containerMeant } from '../containers/containerPrompt';
import { mayChange } from '../containers/environmentIndex';
import type { Container } from '../containers/environmentPart';
import type { Environments } from '../containers/environments';
import { locationText } from '../containers/locationText';
import { type FilePlace, placeOnLayer } from '../containers/place';
import { replaceText, reportMerge } from '../files/saving/conflictCommands';
import { ownSide } from '../files/saving/saveErrors';
import { ExpectedError } from '../ui/expectedError';
import { lackText } from '../ui/lackText';
import { showWarningMessage } from '../ui/notifications';
import { withCancelableRead } from '../ui/progress';
import type { ShownTexts } from '../ui/shownTexts';
import type { OpenVariables } from './openVariables';
import type { VariableDocuments } from './variableDocuments';
import type { VariableOperations } from './variableOperations';
import { allNames, changesBetween, commonVariables, type VariablesState } from './variablesState';
import { headingOf, textOf } from './variablesHeading';
import { mergeVariables, type Secrets } from './variablesText';
import { documentOf, textIn, variablesPlaceOf, variablesUri } from './variablesUri';

export interface VariableCommandsDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly documents: VariableDocuments;
  readonly operations: Pick<VariableOperations, 'read'>;
  readonly texts: ShownTexts;
  /** Called when a document shows its secrets, or masks them. */
  readonly secretsChanged: () => void;
}

/** Edits the variables of a node or a layer as a text. */
export function variableCommands(deps: VariableCommandsDeps) {
  const setSecrets = async (received: unknown, secrets: Secrets) => {
    const { document } = openDocument(received, deps);
    const text = deps.documents.setSecrets(document, secrets);
    deps.secretsChanged();
    if (text !== undefined) {
      await replaceText(document, text);
    }
  };
  return {
    async 'gantry.variables.edit'(received: unknown) {
      const container = await containerMeant(received, deps, {
        placeHolder: l10n.t('Select the layer or node'),
        may: isEditable,
      });
      if (container !== undefined) {
        await edit(container, deps);
      }
    },
    'gantry.variables.showSecrets': (received: unknown) => setSecrets(received, 'shown'),
    'gantry.variables.hideSecrets': (received: unknown) => setSecrets(received, 'masked'),
    'gantry.variables.compare': async (received: unknown) => {
      const open = openDocument(received, deps);
      await compare(open, await deps.operations.read(open.place), ownSide(), deps);
    },
    'gantry.variables.merge': (received: unknown) => merge(openDocument(received, deps), deps),
    async 'gantry.variables.overwrite'(received: unknown) {
      const { document, place } = openDocument(received, deps);
      const now = await deps.operations.read(place);
      const goBack = deps.documents.opened.rebase(document.uri, { state: now, latest: now });
      // The question before the save names everything that this would change.
      if (!(await document.save())) {
        goBack();
      }
    },
  };
}

async function edit(container: Container, { accounts, documents, environments }: VariableCommandsDeps): Promise<void> {
  const { environment, layer, node } = container;
  const object = { layer: layer.id, environment: environment.title, nodeId: node?.id };
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
function openDocument(received: unknown, { documents }: VariableCommandsDeps): OpenDocument {
  const named = typeof received === 'string' ? Uri.parse(received) : received;
  const uri = named instanceof Uri ? named : window.activeTextEditor?.document.uri;
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
  { environments, texts }: VariableCommandsDeps,
): Promise<void> {
  const since = allNames(changesBetween(opened.state, { ...now, nodes: opened.state.nodes })).join(', ');
  // The text doesn't show a change of what is masked.
  const comment = since === '' ? '' : `# ${l10n.t('Changed since you opened them: {0}', since)}\n`;
  const left = texts.add(uri.path, comment + textOf({ ...opened, place, state: now }, environments));
  const title = l10n.t('{0}: {1} ↔ {2}', nameAt(uri), l10n.t('Server'), edited);
  await commands.executeCommand('vscode.diff', left, uri, title);
}

/** Applies others' changes to the text of the document, and shows it beside the platform's variables. */
async function merge(open: OpenDocument, deps: VariableCommandsDeps): Promise<void> {
  const { document, place, opened } = open;
  const { documents, environments } = deps;
  if (!document.isDirty) {
    await documents.refresh(document.uri, place);
    return;
  }
  const now = await deps.operations.read(place);
  const [text, heading] = [textIn(document), headingOf(place, opened.state, environments)];
  const isHeaded = text.startsWith(heading);
  const lines = mergeVariables(isHeaded ? text.slice(heading.length) : text, {
    ...{ base: commonVariables(opened.state), theirs: commonVariables(now), secrets: opened.secrets },
    names: { yours: ownSide(), theirs: l10n.t('Server') },
  });
  const merged = (isHeaded ? headingOf(place, now, environments) : '') + lines.text;
  await replaceText(document, merged);
  documents.opened.rebaseMerged(document.uri, { text, merged, state: now });
  await compare(open, now, l10n.t('Merged'), deps);
  reportMerge(nameAt(document.uri), lines.conflicts);
}

function nameAt({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

import { l10n } from 'vscode';
import { type ContainerNames, locationText } from '../containers/locationText';
import type { FilePlace } from '../containers/place';
import { commonVariables, differingNames, uneditableNames, type VariablesState } from './variablesState';
import { formatVariables, type Secrets } from './variablesText';

interface DocumentContent {
  readonly place: FilePlace;
  readonly state: VariablesState;
  readonly secrets: Secrets;
}

/** Returns the text of a document with these variables. */
export function textOf({ place, state, secrets }: DocumentContent, names: ContainerNames): string {
  return `${headingOf(place, state, names)}\n${formatVariables(commonVariables(state), secrets)}`;
}

/** Explains the document, and names what it doesn't show. */
export function headingOf(place: FilePlace, state: VariablesState, names: ContainerNames): string {
  const [differing, uneditable] = [differingNames(state), uneditableNames(state)];
  const lines = [
    l10n.t('Variables of {0}', locationText(place, names)),
    l10n.t('When you save, Gantry shows the changes and asks before it sends them.'),
    l10n.t('Use quotation marks and JSON escapes for line breaks, and spaces at either end: {0}', 'NAME="a\\nb "'),
    ...(differing.length === 0
      ? []
      : [
          l10n.t('These differ between nodes, and stay as they are unless you add a line: {0}', differing.join(', ')),
          l10n.t('To remove one of them, edit the variables of a node.'),
        ]),
    ...(uneditable.length === 0
      ? []
      : [
          l10n.t(
            "These can't be edited here because of their names: {0}",
            uneditable.map((one) => JSON.stringify(one)).join(', '),
          ),
        ]),
  ];
  // Names come from the platform, and must not start a line of their own.
  return lines.map((line) => `# ${line.replace(/\p{Cc}/gu, ' ')}\n`).join('');
}

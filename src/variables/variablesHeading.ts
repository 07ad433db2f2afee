import { l10n } from 'vscode';
import { type ContainerNames, locationText } from '../containers/locationText';
import type { FilePlace } from '../containers/place';
import type { OpenVariables } from './openVariables';
import { commonVariables, differingNames, uneditableNames, type VariablesState } from './variablesState';
import { formatVariables, replaceValues } from './variablesText';

interface DocumentContent extends Pick<OpenVariables, 'state' | 'secrets' | 'saved'> {
  readonly place: FilePlace;
}

/** Returns the text of a document with these variables, and with the comments that were last saved in it. */
export function textOf({ place, state, secrets, saved }: DocumentContent, names: ContainerNames): string {
  const [heading, values] = [headingOf(place, state, names), commonVariables(state)];
  if (saved === undefined) {
    return `${heading}\n${formatVariables(values, secrets)}`;
  }
  const isHeaded = saved.text.startsWith(saved.heading);
  const text = isHeaded ? heading + saved.text.slice(saved.heading.length) : saved.text;
  return replaceValues(text, values, secrets);
}

/** Explains the document, and names what it doesn't show. */
export function headingOf(place: FilePlace, state: VariablesState, names: ContainerNames): string {
  const [differing, uneditable] = [differingNames(state), uneditableNames(state)];
  const lines = [
    l10n.t('Variables of {0}', locationText(place, names)),
    l10n.t('When you save, Gantry shows the changes and asks before it sends them.'),
    l10n.t('Your comments stay until you close this document.'),
    l10n.t('Write line breaks and spaces at either end as in JSON: {0}', 'NAME="a\\nb "'),
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

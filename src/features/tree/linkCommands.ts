import { env, l10n, type Range, Uri, window } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { type LinkOptions, linkToPlace, writeLink } from '../../containers/containerLink';
import { type FilePlace, type Place, placeOf, placeOnLayer } from '../../containers/place';
import { logScheme, scheme } from '../../manifest';
import { clickedRows } from '../../trees/rowTree';
import type { SharedElement } from '../../trees/sharedElement';
import type { EnvironmentsView } from './environmentsView';
import { showStatusMessage } from '../../ui/statusBar';

interface CopyLinkDeps {
  readonly accounts: Accounts;
  /** The extension's ID in VS Code. */
  readonly extensionId: string;
}

export interface LinkCommandsDeps extends CopyLinkDeps {
  readonly view: Pick<EnvironmentsView, 'find'>;
  readonly linked: LinkedFeatures;
}

/** What links need of other features, whose code may not be loaded yet. */
export interface LinkedFeatures {
  /** Returns what a row of the Search Results view stands for. */
  readonly foundTarget: (received: unknown) => LinkTarget | undefined;
  /** Opens a log at its end. */
  readonly openLog: (log: Uri) => Promise<void>;
  /** Asks whether to search the folder for what the link says. */
  readonly find: (folder: FilePlace, options: LinkOptions) => Promise<void>;
}

/** What a link leads to. */
export interface LinkTarget {
  readonly place: Place;
  readonly options?: LinkOptions;
}

export function linkCommands({ view, linked, ...deps }: LinkCommandsDeps) {
  const targetOf = (received: unknown, isInEditor: boolean): LinkTarget | undefined => {
    const element = view.find(received);
    const place = element && placeOfElement(element);
    return element === undefined
      ? (linked.foundTarget(received) ?? openTarget(received, isInEditor))
      : place && { place };
  };
  return {
    async 'gantry.link.copy'(...received: readonly unknown[]) {
      // In menus of tabs and the Explorer, VS Code passes more than the URI.
      const isInEditor = received.length < 2;
      await copyLinks(
        clickedRows(received).flatMap((row) => targetOf(row, isInEditor) ?? []),
        deps,
      );
    },
  };
}

/** Copies a link to each, without those of accounts that are signed out. */
export async function copyLinks(
  targets: readonly LinkTarget[],
  { accounts, extensionId }: CopyLinkDeps,
): Promise<void> {
  const links = targets.flatMap(({ place, options }) => {
    const account = accounts.find(place.account);
    return place.kind === 'account' || account === undefined
      ? []
      : `${env.uriScheme}://${extensionId}/open?${writeLink(linkToPlace(place, account.host, options))}`;
  });
  if (links.length > 0) {
    await env.clipboard.writeText(links.join('\n'));
    showStatusMessage('link', l10n.t('Link copied'), 3000);
  }
}

/**
 * Returns a file from VS Code's Explorer or, from the Command Palette and in an editor, the active one's selected lines.
 * A log leads to its end.
 */
function openTarget(received: unknown, isInEditor: boolean): LinkTarget | undefined {
  const editor = window.activeTextEditor;
  const uri = received ?? editor?.document.uri;
  if (!(uri instanceof Uri)) {
    return undefined;
  }
  const isLog = uri.scheme === logScheme;
  const place = placeOf(isLog ? uri.with({ scheme }) : uri);
  const isActive = isInEditor && editor?.document.uri.toString() === uri.toString();
  return place && { place, options: isLog ? { show: 'log' } : isActive ? { line: linesText(editor.selection) } : {} };
}

/** Like `12` or `12-20`. A selection that ends at the start of a line doesn't include that line. */
function linesText({ start, end }: Range): string {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return last === start.line ? `${last + 1}` : `${start.line + 1}-${last + 1}`;
}

function placeOfElement(element: SharedElement): Place | undefined {
  switch (element.kind) {
    case 'environment': {
      const { account, name } = element.environment;
      return { kind: 'environment', account, environment: name };
    }
    case 'layer':
      return placeOnLayer(element.environment, element.layer.id, undefined);
    case 'node':
    case 'entry':
      return element.place;
    default:
      return undefined;
  }
}

import { type Range, Uri, window } from 'vscode';
import { type Place, placeOf, placeOnLayer } from '../../containers/place';
import { logScheme, scheme } from '../../manifest';
import type { Services } from '../../services';
import { command } from '../../ui/commands/command';
import { copyLinks, type LinkTarget } from '../../trees/links';
import type { SharedElement } from '../../trees/sharedElement';

export function linkCommands(services: Pick<Services, 'accounts' | 'extensionId' | 'features'>) {
  const { tree, search } = services.features;
  const targetOf = (named: object | undefined, isInEditor: boolean): LinkTarget | undefined => {
    const element = tree.loaded?.find(named);
    const place = element && placeOfElement(element);
    return element === undefined
      ? (search.loaded?.linkTarget(named) ?? openTarget(named, isInEditor))
      : place && { place };
  };
  return {
    'gantry.link.copy': command(
      'raw',
      (call) => {
        // In menus of tabs and the Explorer, VS Code passes more than the URI.
        const isInEditor = call.count < 2;
        const named = call.isBare ? [undefined] : call.clicked;
        return named.flatMap((one) => targetOf(one, isInEditor) ?? []);
      },
      (targets) => copyLinks(targets, services),
    ),
  };
}

/**
 * Returns a file from VS Code's Explorer or, from the Command Palette and in an editor, the active one's selected lines.
 * A log leads to its end.
 */
function openTarget(named: object | undefined, isInEditor: boolean): LinkTarget | undefined {
  const editor = window.activeTextEditor;
  const uri = named ?? editor?.document.uri;
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

import { l10n } from 'vscode';
import * as v from 'valibot';
import { shownText } from '../../containers/secretFiles';
import { compareTexts, ensureComparable } from '../../files/comparableNodes';
import { isCanceled, isPlatformError } from '../../platform/errors';
import { type AgentTool, parsed, placeEntry } from './agentTool';
import type { Services } from '../../services';
import type { ToolPlaces } from './toolPlaces';
import { type ReadText, readNodeText } from './fileTools';
import { diffText } from './textEdits';
import { flawSentence } from '../../files/provider/textFlawText';
import { enclosed, failureLine, resultText, shortened } from './toolText';

/** Of all nodes together. */
const maxOfDiffs = 40_000;

type NodeText = { readonly node: string } & (
  | ({ readonly kind: 'text' } & ReadText)
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly error: unknown }
);

/** Compares a file on all nodes of its layer with the one on the first node. */
export function compareNodesTool(places: ToolPlaces, services: Services): AgentTool {
  return {
    async invoke(input, signal) {
      const { place, container } = await places.container(parsed(v.object(placeEntry), input).place);
      await ensureComparable(place, services.containers);
      const { id, nodes } = container.layer;
      const files = nodes.map((node) => ({ ...place, target: { nodeGroup: id, nodeId: node.id } }));
      const read = await Promise.all(
        files.map(async (file): Promise<NodeText> => {
          const node = places.textOf(file);
          return readNodeText(file, services, signal).then(
            (text) => ({ kind: 'text', node, ...text }),
            (error: unknown) => {
              if (isCanceled(error)) {
                throw error;
              }
              return isPlatformError(error) && error.kind === 'notFound'
                ? { kind: 'missing', node }
                : { kind: 'unreadable', node, error };
            },
          );
        }),
      );
      const first = read.find((one) => one.kind === 'text');
      const diffs = read.flatMap((one) => {
        if (one.kind !== 'text' || first === undefined || compareTexts(one, first).kind !== 'different') {
          return [];
        }
        const diff = diffText(first, one, 1 / (nodes.length - 1));
        return shortened(
          diff ?? l10n.t('The versions have too little in common to compare.'),
          maxOfDiffs / nodes.length,
        );
      });
      return resultText(
        Object.fromEntries(read.map((one) => [one.node, stateOf(one, first)])),
        nodes.length < 2 ? l10n.t("There's no other node to compare with.") : '',
        diffs.length === 0 ? '' : enclosed(shownText(place, diffs.join('\n'))),
      );
    },
  };
}

function stateOf(one: NodeText, first: ReadText | undefined): string {
  switch (one.kind) {
    case 'missing':
      return 'missing';
    case 'unreadable':
      return `unreadable: ${failureLine(one.error)}`;
    case 'text': {
      const compared = compareTexts(one, first ?? one);
      const state = compared.kind === 'alike' ? `unproven: ${flawSentence(compared.flaw)}` : compared.kind;
      return `${state} (digest ${one.digest ?? '-'})`;
    }
  }
}

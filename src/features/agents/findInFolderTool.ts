import { l10n } from 'vscode';
import * as v from 'valibot';
import type { FeatureApis } from '../../featureApis';
import type { Services } from '../../services';
import { type AgentTool, pageEntries, parsed, placeEntry } from './agentTool';
import type { ToolPlaces } from './toolPlaces';
import { enclosed, failureLine, nameText, pageOf, resultText } from './toolText';

type FoundInFolder = Awaited<ReturnType<FeatureApis['search']['findInFolder']>>;

const usualMatches = 100;

export function findInFolderTool(places: ToolPlaces, { features: { search } }: Services): AgentTool {
  const flag = v.optional(v.boolean(), false);
  const pattern = v.optional(v.string(), '');
  const schema = v.object({
    ...{ ...placeEntry, ...pageEntries, text: v.pipe(v.string(), v.minLength(1)) },
    ...{ isRegex: flag, matchCase: flag, wholeWord: flag, include: pattern, exclude: pattern },
  });
  return {
    async invoke(input, signal) {
      const { place: address, offset, limit = usualMatches, ...query } = parsed(schema, input);
      const { place } = await places.container(address);
      const { files, skipped, state } = await search.use((loaded) => loaded.findInFolder(place, query, signal));
      const lines = files.flatMap(({ file, lines: found }) =>
        found.map(({ line, preview }) => `${nameText(places.textOf(file))}:${line + 1}: ${preview}`),
      );
      const page = pageOf(lines, { offset, limit }, 'matchingLines');
      return resultText(
        { place: places.textOf(place), files: files.length, ...page.facts, notSearched: countsOf(skipped) },
        endText(state),
        enclosed(page.shown.join('\n')),
      );
    },
  };
}

/** How many files and folders were left out, by reason. */
function countsOf(skipped: FoundInFolder['skipped']): string | undefined {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts.size === 0 ? undefined : [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ');
}

function endText({ kind, error }: FoundInFolder['state']): string {
  if (kind === 'done') {
    return '';
  }
  const rest = l10n.t("The search didn't finish, so there may be more matches. Search a smaller folder.");
  return error === undefined ? rest : `${failureLine(error)} ${rest}`;
}

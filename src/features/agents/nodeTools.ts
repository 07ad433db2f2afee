import { l10n } from 'vscode';
import * as v from 'valibot';
import { placeOnLayer } from '../../containers/place';
import { confirmInProduction } from '../../containers/protectedPrompt';
import {
  type AgentTool,
  confirmationOf,
  declined,
  ensureChangesAllowed,
  notShown,
  pageEntries,
  parsed,
  placeEntry,
  ShownChanges,
} from './agentTool';
import type { ToolPlaces } from './toolPlaces';
import { enclosed, maxCharacters, pageOf, resultText } from './toolText';
import type { Services } from '../../services';

export function restartTool(places: ToolPlaces, { environments, features: { restart } }: Services): AgentTool {
  const schema = v.object(placeEntry);
  const shown = new ShownChanges();
  const meant = async (named: string) => {
    const { container: found } = await places.container(named);
    const { container, question } = await restart.use(({ forTools }) => forTools.question(found));
    const place = placeOnLayer(container.environment, container.layer.id, container.node?.id);
    const address = places.textOf(place);
    return { container, question, place, address, what: JSON.stringify([address, question.question]) };
  };
  return {
    async prepare(input) {
      ensureChangesAllowed();
      const { place: named } = parsed(schema, input);
      shown.forget(named);
      const { question, what } = await meant(named);
      shown.add(named, what);
      return confirmationOf(question);
    },
    async invoke(input, signal) {
      ensureChangesAllowed();
      const { place: named } = parsed(schema, input);
      const { container, question, place, address, what } = await meant(named);
      if (!shown.take(named, what)) {
        throw notShown();
      }
      if (!(await confirmInProduction([place], environments, question))) {
        throw declined();
      }
      const { outcome, text } = await restart.use(({ forTools }) => forTools.run(container, signal));
      return resultText({ outcome, place: address }, enclosed(text));
    },
  };
}

const usualLines = 100;
const maxLines = 1000;

export function readLogTool(places: ToolPlaces, { features: { logs } }: Services): AgentTool {
  const schema = v.object({ ...placeEntry, lines: pageEntries.limit });
  return {
    async invoke(input, signal) {
      const { place: address, lines: wanted = usualLines } = parsed(schema, input);
      const { place } = await places.container(address);
      const most = Math.min(wanted, maxLines);
      const { text, isWhole } = await logs.use((loaded) =>
        loaded.endOfLog(place, { lines: most, characters: maxCharacters }, signal),
      );
      const all = text.replace(/\n$/, '').split(/\r?\n/);
      // The newest lines count, so a result that is too long loses the earliest.
      const { shown, note } = pageOf(all.slice(-most).reverse(), {}, 'lines');
      return resultText(
        { place: places.textOf(place), lines: shown.length },
        isWhole && shown.length === all.length
          ? l10n.t('This is the whole log.')
          : l10n.t('Earlier lines were left out.'),
        note,
        enclosed([...shown].reverse().join('\n')),
      );
    },
  };
}

import { l10n } from 'vscode';
import * as v from 'valibot';
import { placeOnLayer } from '../../containers/place';
import { confirmInProduction } from '../../containers/protectedPrompt';
import type { ProjectNames, RedeployOutlook } from '../../featureApis';
import type { Services } from '../../services';
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

const name = v.optional(v.string());
const namesEntries = { account: name, environment: name, layer: name, context: name };

export function deployedCommitTool({ features: { deployments } }: Services): AgentTool {
  const schema = v.object(namesEntries);
  return {
    async invoke(input) {
      const names = parsed(schema, input);
      const found = await deployments.use(({ forTools }) => forTools.list(names));
      const [only, ...others] = found;
      const isOne = only !== undefined && others.length === 0;
      const lines = isOne
        ? await deployments.use(({ forTools }) => forTools.describe(only))
        : found.map((one) => JSON.stringify(one));
      const page = pageOf(lines, {}, isOne ? 'lines' : 'projects');
      // It has no pages: with more names, there are fewer.
      return resultText({ ...page.facts, nextOffset: undefined }, enclosed(page.shown.join('\n')));
    },
  };
}

export function redeployTool({ features: { deployments } }: Services): AgentTool {
  const schema = v.object({ ...namesEntries, discardEdits: v.optional(v.boolean(), false) });
  const shown = new ShownChanges();
  const keyOf = (names: ProjectNames) => JSON.stringify(names);
  return {
    async prepare(input) {
      ensureChangesAllowed();
      const names = parsed(schema, input);
      shown.forget(keyOf(names));
      const outlook = await deployments.use(({ forTools }) => forTools.outlook(names));
      shown.add(keyOf(names), JSON.stringify(outlook));
      return confirmationOf(outlook);
    },
    async invoke(input, signal) {
      ensureChangesAllowed();
      const names = parsed(schema, input);
      const isAsShown = (outlook: RedeployOutlook) => shown.take(keyOf(names), JSON.stringify(outlook));
      const { discardEdits } = names;
      const result = await deployments.use(({ forTools }) =>
        forTools.redeploy(names, { discardEdits, isAsShown, signal }),
      );
      return resultText({ outcome: result.outcome }, enclosed(result.lines.join('\n')));
    },
  };
}

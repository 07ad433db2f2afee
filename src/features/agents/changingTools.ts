import { l10n } from 'vscode';
import * as v from 'valibot';
import { locationText } from '../../containers/locationText';
import { type FilePlace, keyOf, nameOf, placeOnLayer } from '../../containers/place';
import { productionSentence } from '../../containers/protectedEnvironments';
import { confirmInProduction } from '../../containers/protectedPrompt';
import { shownText } from '../../containers/secretFiles';
import { outcomeText } from '../../files/saving/outcomeTexts';
import type { SaveOutcome } from '../../files/saving/saveFile';
import type { TextChange } from '../../files/saving/writeIfUnchanged';
import { mayHaveHappened } from '../../platform/changeOnce';
import type { Services } from '../../services';
import { digestOf } from '../../storage/jsonFolder';
import { ExpectedError } from '../../ui/expectedError';
import {
  type AgentTool,
  confirmationOf,
  countEntry,
  declined,
  ensureChangesAllowed,
  namesEntries,
  notShown,
  parsed,
  placeEntry,
  ShownChanges,
} from './agentTool';
import { isUnsaved, readNodeText } from './readingTools';
import { diffBlock, diffText, type TextEdit, withEdits } from './textEdits';
import { listOf, type ToolPlaces } from './toolPlaces';
import { enclosed, failureLine, nameText, resultText } from './toolText';
import { plainMarkdown } from '../../ui/plainText';
import type { ProjectNames, RedeployOutlook } from '../../featureApis';

const editSchema = v.object({
  ...placeEntry,
  digest: v.string(),
  edits: v.pipe(
    v.array(v.object({ oldText: v.pipe(v.string(), v.minLength(1)), newText: v.string(), count: countEntry })),
    v.minLength(1),
  ),
});

/** How much a question may show, in characters: the one of VS Code, and a dialog. */
const maxShown = { usual: 8_000, inProduction: 2_000 };

/** Replaces texts in a file that still has the version that the model has read. */
export function editFileTool(places: ToolPlaces, services: Services): AgentTool {
  const { environments, queue, writeIfUnchanged } = services;
  const shown = new ShownChanges();
  const planned = async ({ place: address, digest, edits }: v.InferOutput<typeof editSchema>) => {
    const { place, container } = await places.container(address);
    if (container.node === undefined && container.layer.nodes.length > 1) {
      const nodes = container.layer.nodes.map(({ id }) =>
        places.textOf(placeOnLayer(container.environment, container.layer.id, id, place.path)),
      );
      throw new ExpectedError(l10n.t('Edit the file on each node: {0}', listOf(nodes)));
    }
    /** Returns `undefined` if the file has another version. */
    const change = async (signal: AbortSignal): Promise<TextChange | undefined> => {
      const before = isUnsaved(place) ? undefined : await readNodeText(place, services, signal);
      return before?.digest === digest ? { before: before.text, text: withEdits(before.text, edits) } : undefined;
    };
    const question = async (changed: TextChange) => {
      const isInProduction = (await productionSentence([place], environments)) !== undefined;
      const text = changesText(diffOf(place, changed), edits, isInProduction ? maxShown.inProduction : maxShown.usual);
      return {
        title: l10n.t('Save changes to {0} on {1}?', nameOf(place), locationText(place, environments)),
        // The lines around an edit of a log may have a login.
        text: shownText(place, text),
      };
    };
    return { place, change, question, what: digestOf(JSON.stringify([keyOf(place), digest, edits])) };
  };
  return {
    async prepare(input, signal) {
      ensureChangesAllowed();
      const wanted = parsed(editSchema, input);
      shown.forget(wanted.place);
      const { place, change, question, what } = await planned(wanted);
      const changed = await change(signal);
      if (changed === undefined) {
        return undefined;
      }
      const { title, text } = await question(changed);
      shown.add(wanted.place, what);
      return { title, message: `${plainMarkdown(nameText(place.path))}\n\n${diffBlock(text)}` };
    },
    async invoke(input, signal) {
      ensureChangesAllowed();
      const wanted = parsed(editSchema, input);
      const { place, change, question, what } = await planned(wanted);
      const isShown = shown.take(wanted.place, what);
      const agreed = await change(signal);
      if (agreed === undefined) {
        return conflict(place, places.textOf(place));
      }
      if (!isShown) {
        throw notShown();
      }
      const { title, text } = await question(agreed);
      // People can have VS Code confirm tools by itself, but not for production.
      const asked = { question: title, paragraphs: [text], button: l10n.t('Save') };
      if (!(await confirmInProduction([place], environments, asked))) {
        throw declined();
      }
      return queue.take([place], async () => {
        const changed = await change(signal);
        return changed === undefined
          ? conflict(place, places.textOf(place))
          : savedText(await writeIfUnchanged(place, changed), changed, { file: place, place: places.textOf(place) });
      });
    },
  };
}

function diffOf({ path }: FilePlace, { before, text }: TextChange): string | undefined {
  return diffText({ node: `a${path}`, text: before }, { node: `b${path}`, text });
}

/** Returns all that an edit changes: as a diff of the file, or of only the texts that are replaced if its lines are long. */
function changesText(diff: string | undefined, edits: readonly TextEdit[], most: number): string {
  if (diff !== undefined && diff.length <= most) {
    return diff;
  }
  const replaced = edits.map(({ oldText, newText, count }, index) => {
    const name = count === 1 ? l10n.t('edit {0}', index + 1) : l10n.t('edit {0}, {1} times', index + 1, count);
    return diffText({ node: `a/${name}`, text: oldText }, { node: `b/${name}`, text: newText }, 1 / edits.length);
  });
  const text = replaced.join('\n');
  if (replaced.includes(undefined) || text.length > most) {
    throw new ExpectedError(
      l10n.t('Nothing was changed: the edit is too long to show it to the user completely. Make smaller edits.'),
    );
  }
  return text;
}

function conflict(file: FilePlace, place: string): string {
  return resultText(
    { outcome: 'conflict', place },
    isUnsaved(file)
      ? l10n.t('Nothing was written: an editor has unsaved changes to this file. Ask the user to save or revert them.')
      : l10n.t('Nothing was written: the file no longer matches this digest. Read it again.'),
  );
}

function savedText(
  outcome: SaveOutcome,
  { text }: TextChange,
  { file, place }: { readonly file: FilePlace; readonly place: string },
): string {
  switch (outcome.kind) {
    case 'saved':
      return resultText(
        { outcome: 'saved', place, digest: digestOf(text) },
        l10n.t('Gantry read the file again, and it has exactly the new text.'),
      );
    case 'conflict':
      return conflict(file, place);
    default:
      return outcome.kind === 'failed' && !mayHaveHappened(outcome.cause)
        ? resultText(
            { outcome: 'failed', place },
            outcome.cause === undefined ? outcomeText(outcome, nameOf(file), 'saved') : failureLine(outcome.cause),
          )
        : resultText(
            { outcome: 'unknown', place },
            outcome.cause === undefined ? '' : failureLine(outcome.cause),
            l10n.t('The text may have been written, completely or in part. Read the file again.'),
          );
  }
}

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

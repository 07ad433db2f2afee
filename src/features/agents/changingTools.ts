import { l10n } from 'vscode';
import * as v from 'valibot';
import { locationText } from '../../containers/locationText';
import { type FilePlace, keyOf, nameOf, placeOnLayer } from '../../containers/place';
import { productionSentence } from '../../containers/protectedEnvironments';
import { confirmInProduction } from '../../ui/commands/protectedPrompt';
import { gainsMasks } from '../../files/text';
import { outcomeText } from '../../files/saving/outcomeTexts';
import type { SaveOutcome } from '../../files/saving/saveFile';
import type { TextChange } from '../../files/saving/writeIfUnchanged';
import { mayHaveHappened } from '../../platform/lostReply';
import type { Services } from '../../services';
import { digestOf } from '../../storage/stores';
import { ExpectedError } from '../../ui/expectedError';
import type { AgentAccess } from './agentAccess';
import {
  type AgentTool,
  confirmationOf,
  countEntry,
  declined,
  namesEntries,
  notShown,
  parsed,
  placeEntry,
  ShownChanges,
} from './agentTool';
import { isUnsaved, readNodeText } from './readingTools';
import { diffBlock, diffText, replacementsIn, type TextEdit, withReplacements } from './textEdits';
import { listOf, type ToolPlaces } from './toolPlaces';
import { inOriginal, type MaskedText, maskSecrets, staysMasked, versionTag } from './secretMasks';
import { enclosed, failureLine, nameText, pageOf, resultText } from './toolText';
import { plainMarkdown } from '../../ui/plainText';
import type { ProjectName, RedeployOutlook } from '../../featureApis';

const editSchema = v.object({
  ...placeEntry,
  version: v.string(),
  edits: v.pipe(
    v.array(v.object({ oldText: v.pipe(v.string(), v.minLength(1)), newText: v.string(), count: countEntry })),
    v.minLength(1),
  ),
});

/** How much a question may show, in characters: the one of VS Code, and a dialog. */
const maxShown = { usual: 8_000, inProduction: 2_000 };

/** Replaces texts in a file that still has the version that the model has read. */
export function editFileTool(places: ToolPlaces, access: AgentAccess, services: Services): AgentTool {
  const { environments, queue, writeIfUnchanged } = services;
  const shown = new ShownChanges();
  const planned = async ({ place: address, version, edits }: v.InferOutput<typeof editSchema>) => {
    const { place, container } = await places.container(address);
    if (container.node === undefined && container.layer.nodes.length > 1) {
      const nodes = container.layer.nodes.map(({ id }) =>
        places.textOf(placeOnLayer(container.environment, container.layer.id, id, place.path)),
      );
      throw new ExpectedError(l10n.t('Edit the file on each node: {0}', listOf(nodes)));
    }
    /** Returns `undefined` if the file has another version. */
    const change = async (signal: AbortSignal): Promise<TextChange | undefined> => {
      const before = isUnsaved(place) ? undefined : await readNodeText(place, { ...services, access }, signal);
      if (before?.version !== version) {
        return undefined;
      }
      return { before: before.text, text: withMaskedEdits(place, before.text, edits, access) };
    };
    const question = async (changed: TextChange) => {
      const isInProduction = (await productionSentence([place], environments)) !== undefined;
      const { text: before } = access.masked(place, changed.before);
      // What the model writes is shown as it is, or a command could hide in what looks like a secret.
      const diff = diffOf(place, before, withReplacements(before, replacementsIn(before, edits)));
      return {
        title: l10n.t('Save changes to {0} on {1}?', nameOf(place), locationText(place, environments)),
        text: changesText(diff, edits, isInProduction ? maxShown.inProduction : maxShown.usual),
      };
    };
    /** Says that nothing was written, with the text that is there now. */
    const conflict = async (signal: AbortSignal): Promise<string> => {
      const address = places.textOf(place);
      if (isUnsaved(place)) {
        return resultText(
          { outcome: 'conflict', place: address },
          l10n.t(
            'Nothing was written: an editor has unsaved changes to this file. Ask the user to save or revert them.',
          ),
        );
      }
      const { text, version: now } = await readNodeText(place, { ...services, access }, signal);
      const { shown, facts, note } = pageOf(access.masked(place, text).text.split(/\r\n|\n/), {}, 'lines');
      return resultText(
        { outcome: 'conflict', place: address, version: now, ...facts },
        l10n.t('Nothing was written: the file has another version now. This is its text. Make the edit for it.'),
        note,
        enclosed(shown.join('\n')),
      );
    };
    return { place, change, conflict, question, what: digestOf(JSON.stringify([keyOf(place), version, edits])) };
  };
  return {
    access: 'write',
    async prepare(input, signal) {
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
      const wanted = parsed(editSchema, input);
      const { place, change, conflict, question, what } = await planned(wanted);
      const { edits } = wanted;
      const isShown = shown.take(wanted.place, what);
      const agreed = await change(signal);
      if (agreed === undefined) {
        return conflict(signal);
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
      // The person may have turned it off meanwhile.
      access.demand('write');
      // The only refusal that depends on a secret is the last one. So the user sees each edit that tries what one is.
      demandMasked(place, agreed, edits, access);
      return queue.take([place], async () => {
        const changed = await change(signal);
        if (changed === undefined) {
          return conflict(signal);
        }
        const outcome = await writeIfUnchanged(place, changed);
        const [before, after] = [changed.before, changed.text].map((text) => access.masked(place, text).text);
        const written = { place, address: places.textOf(place), diff: diffOf(place, before ?? '', after ?? '') };
        return outcome.kind === 'conflict' ? conflict(signal) : savedText(outcome, { ...written, ...changed });
      });
    },
  };
}

/** What services and scripts say may contain secrets. */
function maskedLog(text: string): string {
  return maskSecrets('/var/log/service.log', text).text;
}

function diffOf({ path }: FilePlace, before: string, after: string): string | undefined {
  return diffText({ node: `a${path}`, text: before }, { node: `b${path}`, text: after });
}

/**
 * Applies edits of what a model saw to a text with secrets. Rejects an edit that touches or writes a mask. What a model
 * guesses of a secret isn't in what it edits, so it doesn't learn whether it's right.
 */
function withMaskedEdits(file: FilePlace, before: string, edits: readonly TextEdit[], access: AgentAccess): string {
  return withReplacements(before, replacementsInOriginal(access.masked(file, before), edits));
}

function replacementsInOriginal(shown: MaskedText, edits: readonly TextEdit[]) {
  const inShown = replacementsIn(shown.text, edits);
  const replacements = inOriginal(shown, inShown);
  if (replacements === undefined || gainsMasks(withReplacements(shown.text, inShown), shown.text)) {
    throw new ExpectedError(
      l10n.t('Nothing was changed: the edit contains a mask instead of a secret. Leave masks out of it.'),
    );
  }
  return replacements;
}

/** Rejects an edit after which a secret would be seen, or that completes a mask. */
function demandMasked(
  file: FilePlace,
  { before, text }: TextChange,
  edits: readonly TextEdit[],
  access: AgentAccess,
): void {
  const shown = access.masked(file, before);
  const replacements = replacementsInOriginal(shown, edits);
  if (!staysMasked(shown, access.masked(file, text), replacements) || gainsMasks(text, before)) {
    throw new ExpectedError(
      l10n.t('Nothing was changed: the edit would uncover a masked secret. Keep its key and what surrounds it.'),
    );
  }
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

interface Written extends TextChange {
  readonly place: FilePlace;
  readonly address: string;
  /** What a model may see of it; `undefined` if the texts have too little in common. */
  readonly diff: string | undefined;
}

function savedText(
  outcome: Exclude<SaveOutcome, { readonly kind: 'conflict' }>,
  { place, address, text, diff }: Written,
): string {
  if (outcome.kind === 'saved') {
    const { shown, facts, note } = pageOf(diff?.split('\n') ?? [], {}, 'linesOfDifference');
    return resultText(
      { outcome: 'saved', place: address, version: versionTag(text), linesOfDifference: facts['linesOfDifference'] },
      l10n.t('Gantry read the file again, and it has exactly the new text. A service may need a restart to use it.'),
      note,
      diff === undefined ? '' : enclosed(shown.join('\n')),
    );
  }
  return outcome.kind === 'failed' && !mayHaveHappened(outcome.cause)
    ? resultText(
        { outcome: 'failed', place: address },
        outcome.cause === undefined ? outcomeText(outcome, nameOf(place), 'saved') : failureLine(outcome.cause),
      )
    : resultText(
        { outcome: 'unknown', place: address },
        outcome.cause === undefined ? '' : failureLine(outcome.cause),
        l10n.t('The text may have been written, completely or in part. Read the file again.'),
      );
}

export function restartTool(
  places: ToolPlaces,
  access: AgentAccess,
  { environments, features: { restart } }: Services,
): AgentTool {
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
    access: 'write',
    async prepare(input) {
      const { place: named } = parsed(schema, input);
      shown.forget(named);
      const { question, what } = await meant(named);
      shown.add(named, what);
      return confirmationOf(question);
    },
    async invoke(input, signal) {
      const { place: named } = parsed(schema, input);
      const { container, question, place, address, what } = await meant(named);
      if (!shown.take(named, what)) {
        throw notShown();
      }
      if (!(await confirmInProduction([place], environments, question))) {
        throw declined();
      }
      access.demand('write');
      const { outcome, text } = await restart.use(({ forTools }) => forTools.run(container, signal));
      return resultText({ outcome, place: address }, enclosed(maskedLog(text)));
    },
  };
}

export function redeployTool(
  places: ToolPlaces,
  access: AgentAccess,
  { features: { deployments } }: Services,
): AgentTool {
  const schema = v.object(namesEntries);
  const shown = new ShownChanges();
  /** Returns the project's own names. Asks whether tools may read what a redeploy says of it. */
  const named = async (input: unknown): Promise<ProjectName> => {
    const { project, ...words } = parsed(schema, input);
    const accounts = (await places.readable(words.account)).map(({ slug }) => slug);
    const names = { ...words, context: project, accounts };
    const found = await deployments.use(({ forTools }) => forTools.find(names));
    await access.demandEnvironment(found);
    return found;
  };
  return {
    access: 'write',
    async prepare(input) {
      const project = await named(input);
      const key = JSON.stringify(project);
      shown.forget(key);
      const outlook = await deployments.use(({ forTools }) => forTools.outlook(project));
      shown.add(key, JSON.stringify(outlook));
      return confirmationOf(outlook);
    },
    async invoke(input, signal) {
      const project = await named(input);
      const isAsShown = (outlook: RedeployOutlook) => shown.take(JSON.stringify(project), JSON.stringify(outlook));
      const demand = () => access.demand('write');
      const result = await deployments.use(({ forTools }) => forTools.redeploy(project, { isAsShown, demand, signal }));
      const page = pageOf(maskedLog(result.lines.join('\n')).split('\n'), {}, 'lines');
      const { account, environment, layer, context } = project;
      return resultText(
        { outcome: result.outcome, account, environment, layer, project: context, lines: page.facts['lines'] },
        page.note,
        enclosed(page.shown.join('\n')),
      );
    },
  };
}

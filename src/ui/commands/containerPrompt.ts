import { l10n } from 'vscode';
import type { Entered, Question } from '../prompts';
import type { Environment } from '../../containers/environment';
import { startIn } from '../../containers/environmentPart';
import { listContainers, partAt, partChoices, type PartListDeps } from './environmentPartPrompts';
import type { Listings } from '../../containers/listings';
import { type PathRules, pathQuestion } from './pathPrompt';
import type { FilePlace } from '../../containers/place';

/** Questions for a layer or node, and then for a path in it; `place` returns the answer. */
export async function containerPathQuestions(
  within: Environment | undefined,
  {
    accounts,
    environments,
    listings,
    prompt,
    wanted,
  }: PartListDeps & Pick<PathRules, 'wanted'> & { readonly listings: Listings; readonly prompt: string },
): Promise<{
  readonly questions: (entered: Entered) => readonly Question[];
  readonly place: (entered: Entered) => FilePlace | undefined;
}> {
  const { question, place } = await containerQuestion(within, { accounts, environments });
  const questions = (entered: Entered) => {
    const start = place(entered);
    return start === undefined
      ? [question]
      : [question, pathQuestion({ key: 'path', prompt, start, listings, wanted })];
  };
  return {
    questions,
    place: (entered) => {
      const start = place(entered);
      return start && { ...start, path: entered['path'] ?? start.path };
    },
  };
}

/** Asks for a layer or node; `place` returns its root. */
export async function containerQuestion(
  within: Environment | undefined,
  deps: PartListDeps,
): Promise<{ readonly question: Question; readonly place: (entered: Entered) => FilePlace | undefined }> {
  const containers = await listContainers(deps, within);
  const choices = partChoices(containers, ({ node, layer }) => node === undefined || layer.nodes.length > 1);
  const prompt = l10n.t('Select the layer or node');
  return {
    question: { kind: 'choice', key: 'where', prompt, choices },
    place: (entered) => {
      const container = partAt(containers, entered['where']);
      return container && startIn(container);
    },
  };
}

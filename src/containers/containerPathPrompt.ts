import { l10n } from 'vscode';
import type { Entered, Question } from '../ui/prompts';
import type { Environment } from './environment';
import { startIn } from './environmentPart';
import { listContainers, partAt, partChoices, type PartListDeps } from './environmentPartPrompts';
import type { Listings } from './listings';
import { type PathRules, pathQuestion } from './pathPrompt';

import type { FilePlace } from './place';

export interface ContainerPathDeps extends PartListDeps, Pick<PathRules, 'wanted'> {
  readonly listings: Listings;
  readonly prompt: string;
}

/** Questions for a layer or node, and then for a path in it; `place` returns the answer. */
export async function containerPathQuestions(
  within: Environment | undefined,
  { accounts, environments, listings, prompt, wanted }: ContainerPathDeps,
): Promise<{
  readonly questions: (entered: Entered) => readonly Question[];
  readonly place: (entered: Entered) => FilePlace | undefined;
}> {
  const containers = await listContainers({ accounts, environments }, within);
  const choices = partChoices(containers, ({ node, layer }) => node === undefined || layer.nodes.length > 1);
  const where: Question = { kind: 'choice', key: 'where', prompt: l10n.t('Select the layer or node'), choices };
  const place = (entered: Entered) => {
    const container = partAt(containers, entered['where']);
    return container && { ...startIn(container), path: entered['path'] ?? '/' };
  };
  const questions = (entered: Entered) => {
    const start = place({ ...entered, path: '/' });
    return start === undefined ? [where] : [where, pathQuestion({ key: 'path', prompt, start, listings, wanted })];
  };
  return { questions, place };
}

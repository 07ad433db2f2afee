import { confirm, type OtherButtons } from '../ui/notifications';
import type { EnvironmentPlace } from './place';
import { productionSentence, type TitlesOfEnvironments } from './protectedEnvironments';

/** A change on the platform: what it is asked by, and its consequence. */
export interface ChangeQuestion {
  readonly question: string;
  readonly paragraphs: readonly (string | undefined)[];
  readonly button: string;
  readonly others?: OtherButtons;
}

/** Asks before a change. If it's in production, the question says so. */
export async function confirmChange(
  places: readonly EnvironmentPlace[],
  titles: TitlesOfEnvironments,
  change: ChangeQuestion,
): Promise<boolean> {
  return ask(await productionSentence(places, titles), change);
}

/** Asks before a change that needs no question elsewhere, if it's in production. Returns whether to go on. */
export async function confirmInProduction(
  places: readonly EnvironmentPlace[],
  titles: TitlesOfEnvironments,
  change: ChangeQuestion,
): Promise<boolean> {
  const sentence = await productionSentence(places, titles);
  return sentence === undefined || ask(sentence, change);
}

function ask(sentence: string | undefined, { question, paragraphs, button, others }: ChangeQuestion): Promise<boolean> {
  return confirm(question, [sentence, ...paragraphs], button, others);
}

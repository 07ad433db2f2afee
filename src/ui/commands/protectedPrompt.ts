import { confirm, type OtherButtons } from '../notifications';
import type { EnvironmentPlace } from '../../containers/place';
import { productionSentence, type TitlesOfEnvironments } from '../../containers/protectedEnvironments';

/** The question before a change, with its consequences and buttons. */
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

/** Asks before a change only if it's in production. Returns whether to continue. */
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

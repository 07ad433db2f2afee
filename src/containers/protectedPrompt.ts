import { l10n } from 'vscode';
import { confirm } from '../ui/notifications';
import type { Environments } from './environments';
import type { EnvironmentPlace } from './place';
import { isProtected } from './protectedEnvironments';

/** A change on the platform: what it is asked by, and its consequence. */
export interface ChangeQuestion {
  readonly question: string;
  readonly paragraphs: readonly (string | undefined)[];
  readonly button: string;
}

type Titles = Pick<Environments, 'titleOf'>;

/** Asks before a change. If it's in production, the question says so. */
export function confirmChange(
  places: readonly EnvironmentPlace[],
  titles: Titles,
  { question, paragraphs, button }: ChangeQuestion,
): Promise<boolean> {
  return confirm(question, [productionSentence(places, titles), ...paragraphs], button);
}

/** Asks before a change that needs no question elsewhere, if it's in production. Returns whether to go on. */
export async function confirmInProduction(
  places: readonly EnvironmentPlace[],
  titles: Titles,
  change: ChangeQuestion,
): Promise<boolean> {
  return productionSentence(places, titles) === undefined || (await confirmChange(places, titles, change));
}

/** Names the protected environments among the places, for a question before a change there. */
export function productionSentence(places: readonly EnvironmentPlace[], titles: Titles): string | undefined {
  const names = new Map(
    places.map((place) => [
      `${place.account}/${place.environment}`,
      { name: place.environment, title: titles.titleOf(place) },
    ]),
  );
  const named = [...names.values()]
    .filter(isProtected)
    .map(({ name, title }) => (name === title ? name : `${title} (${name})`));
  if (named.length === 0) {
    return undefined;
  }
  return named.length === 1
    ? l10n.t('{0} is a production environment.', named.join())
    : l10n.t('These are production environments: {0}.', named.join(', '));
}

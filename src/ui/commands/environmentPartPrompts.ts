import { l10n, QuickPickItemKind } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import type { OperationName } from '../../platform/contract';
import { failureText } from '../failureMessages';
import { askChoice, type Choice } from '../quickPick';
import type { Environment } from '../../containers/environment';
import { allEnvironments } from '../../containers/environmentIndex';
import type { Environments } from '../../containers/environments';
import { type Container, containersIn, type EnvironmentPart, partOfRow } from '../../containers/environmentPart';

// Every question for an environment, a layer or a node shows these rows.

/** Environments, layers or nodes to choose from. */
export interface PartList<P extends EnvironmentPart = Container> {
  readonly all: readonly P[];
  /** Listing errors, shown as rows that can't be selected. */
  readonly problems: readonly string[];
}

export interface PartListDeps {
  readonly accounts: Pick<Accounts, 'list' | 'find'>;
  readonly environments: Pick<Environments, 'of'>;
}

/**
 * Returns the accounts, or that of one environment, without those that are known to lack all of these operations. Fails
 * if none is left, before the user is asked anything.
 */
export function accountsOffering(
  accounts: PartListDeps['accounts'],
  operations: readonly [OperationName, ...OperationName[]],
  within?: Environment,
): PartListDeps['accounts'] {
  const candidates = accounts.list.filter(({ slug }) => within === undefined || slug === within.account);
  const list = candidates.filter((account) => !operations.every((operation) => account.lacks(operation)));
  if (list.length === 0) {
    candidates.forEach((account) => account.ensureOffered(operations[0], { environment: within?.title }));
  }
  return { list, find: (slug) => list.find((account) => account.slug === slug) };
}

/** Returns the parts of the environments of all accounts, or of one environment. */
export async function listParts<P extends EnvironmentPart>(
  { accounts, environments }: PartListDeps,
  partsIn: (environment: Environment) => readonly P[],
  only?: Environment,
): Promise<PartList<P>> {
  if (only !== undefined) {
    return { all: partsIn(only), problems: [] };
  }
  const { environments: all, failures } = await allEnvironments(accounts, environments);
  const problems = failures.map(({ account, error }) => `${account.label}: ${failureText(error)}`);
  return { all: all.flatMap(partsIn), problems };
}

export function listContainers(deps: PartListDeps, only?: Environment): Promise<PartList> {
  return listParts(deps, containersIn, only);
}

/** Returns the rows grouped by environment. A row's value is its index in `all`. */
export function partChoices<P extends EnvironmentPart>(
  { all, problems }: PartList<P>,
  may: (part: P) => boolean = () => true,
): Choice[] {
  const rows: Choice[] = [];
  // Rows also name their environment if there are several, so that it can be typed.
  const isAmong = new Set(all.map(({ environment }) => environment)).size > 1;
  let heading: Environment | undefined;
  for (const [index, part] of all.entries()) {
    if (may(part)) {
      const { environment, layer } = part;
      if (layer !== undefined && environment !== heading) {
        heading = environment;
        rows.push({ label: isAmong ? '' : environment.title, kind: QuickPickItemKind.Separator, value: '' });
      }
      const { label, icon, facts } = rowOf(part);
      const whose = layer !== undefined && isAmong ? [environment.title, otherName(environment)] : [];
      const description = [...facts, ...whose].filter(Boolean).join(' · ');
      rows.push({ label, icon, description, value: String(index) });
    }
  }
  return [...rows, ...problems.map((problem) => ({ label: problem, icon: 'warning', value: '', alwaysShow: true }))];
}

/** Returns the selected part, or `undefined` for a row that isn't one. */
export function partAt<P extends EnvironmentPart>({ all }: PartList<P>, value: string | undefined): P | undefined {
  return value === undefined || value === '' ? undefined : all[Number(value)];
}

export async function askForPart<P extends EnvironmentPart>(
  list: PartList<P>,
  placeHolder: string,
  may?: (part: P) => boolean,
): Promise<P | undefined> {
  return partAt(list, await askChoice<string>(partChoices(list, may), { placeHolder }));
}

/** Returns the environment of the row that a command was called on, or asks for one unless there's only one. */
export async function environmentMeant(
  row: object | undefined,
  deps: PartListDeps,
  { placeHolder, may = () => true }: { readonly placeHolder: string; readonly may?: (one: Environment) => boolean },
): Promise<Environment | undefined> {
  const part = await partOfRow(row, deps);
  if (part !== undefined) {
    return part.environment;
  }
  const list = await listParts(deps, (environment) =>
    may(environment) ? [{ environment, layer: undefined, node: undefined }] : [],
  );
  const [only, ...others] = list.all;
  if (only !== undefined && others.length === 0 && list.problems.length === 0) {
    return only.environment;
  }
  return (await askForPart(list, placeHolder))?.environment;
}

function rowOf({ environment, layer, node }: EnvironmentPart): {
  readonly label: string;
  readonly icon: string;
  readonly facts: readonly (string | undefined)[];
} {
  if (layer === undefined) {
    const { title, domain } = environment;
    return { label: title, icon: 'server-environment', facts: [domain ?? otherName(environment)] };
  }
  if (node !== undefined) {
    return { label: node.name, icon: 'vm', facts: [String(node.id), layer.name] };
  }
  const nodes = layer.nodes.length === 1 ? l10n.t('1 node') : l10n.t('{0} nodes', layer.nodes.length);
  return { label: layer.name, icon: 'layers', facts: [layer.nodes.length === 0 ? undefined : nodes] };
}

function otherName({ name, title }: Environment): string | undefined {
  return name === title ? undefined : name;
}

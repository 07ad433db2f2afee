/** The variables of a node, or of all nodes in a layer. */
export interface VariablesState {
  readonly nodes: readonly number[];
  /** By name, the value on each node; `undefined` if a node doesn't have it. */
  readonly values: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** Names to add, to change, and to remove. */
export interface VariableChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

interface NodeVariables {
  readonly node: number;
  readonly variables: ReadonlyMap<string, string>;
}

export function stateOf(nodes: readonly NodeVariables[]): VariablesState {
  const names = new Set(nodes.flatMap(({ variables }) => [...variables.keys()]));
  return {
    nodes: nodes.map(({ node }) => node),
    values: new Map([...names].map((name) => [name, nodes.map(({ variables }) => variables.get(name))])),
  };
}

/** Returns the variables that all nodes have with the same value, which a document shows. */
export function commonVariables({ values }: VariablesState): ReadonlyMap<string, string> {
  return new Map(
    [...values].flatMap(([name, [first, ...others]]) =>
      first !== undefined && others.every((other) => other === first) && isEditableName(name) ? [[name, first]] : [],
    ),
  );
}

/** Returns the names that a document doesn't show, because their values differ between nodes. */
export function differingNames(state: VariablesState): readonly string[] {
  const common = commonVariables(state);
  return [...state.values.keys()].filter((name) => isEditableName(name) && !common.has(name)).sort();
}

/** Returns the names that a document doesn't show, because they can't be written in a line. */
export function uneditableNames({ values }: VariablesState): readonly string[] {
  return [...values.keys()].filter((name) => !isEditableName(name)).sort();
}

/** Returns the state that a document asks for: what it shows gets its values, and what it doesn't show stays. */
export function wantedState(base: VariablesState, entered: ReadonlyMap<string, string>): VariablesState {
  const shown = commonVariables(base);
  const { nodes } = base;
  const kept = [...base.values].filter(([name]) => !shown.has(name));
  return {
    nodes,
    values: new Map([...kept, ...[...entered].map(([name, value]) => [name, nodes.map(() => value)] as const)]),
  };
}

/** Returns what to change on at least one node to get from one state to the other. */
export function changesBetween(from: VariablesState, to: VariablesState): VariableChanges {
  const names = [...new Set([...from.values.keys(), ...to.values.keys()])].sort();
  const different = names.filter((name) => !areSame(valuesIn(from, name), valuesIn(to, name)));
  const isIn = (state: VariablesState) => (name: string) => valuesIn(state, name).some((one) => one !== undefined);
  return {
    added: different.filter((name) => !isIn(from)(name)),
    changed: different.filter((name) => isIn(from)(name) && isIn(to)(name)),
    removed: different.filter((name) => !isIn(to)(name)),
  };
}

export function allNames({ added, changed, removed }: VariableChanges): readonly string[] {
  return [...added, ...changed, ...removed];
}

/**
 * Whether someone else has changed the variables since `base`. A node that has what one of the person's saves wanted
 * doesn't count, because it may have arrived although its response was lost.
 */
export function isChangedByOthers(
  base: VariablesState,
  now: VariablesState,
  wanted: readonly VariablesState[],
): boolean {
  if (!areSame(base.nodes, now.nodes)) {
    return true;
  }
  const names = new Set([...base.values.keys(), ...now.values.keys()]);
  return [...names].some((name) => {
    const known = [base, ...wanted].map((state) => valuesIn(state, name));
    return valuesIn(now, name).some((value, node) => !known.some((values) => values[node] === value));
  });
}

function valuesIn({ nodes, values }: VariablesState, name: string): readonly (string | undefined)[] {
  return values.get(name) ?? nodes.map(() => undefined);
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

/** Names that the platform accepts. Others can exist, but Gantry leaves them alone. */
export function isEditableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

const ofThePlatform =
  /_VERSION$|^(DOCKER_EXPOSED_PORT|MASTER_(HOST|ID|IP)|PATH|STACK_(NAME|PATH|USER)|ON_ENV_INSTALL|JELASTIC_PORTS)$/;

/** Whether the platform sets the variable itself, or reads it only when a container is created. */
export function isOfThePlatform(name: string): boolean {
  return ofThePlatform.test(name);
}

/** A variable of this name broke containers of a platform release. */
export const brokenName = 'result';

/** Whether a value isn't safe in a file that a shell reads, where variables end up. */
export function isRiskyInShell(value: string): boolean {
  return /["'`\\$\p{Cc}]/u.test(value);
}

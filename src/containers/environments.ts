import { type Disposable, EventEmitter } from 'vscode';
import { SharedCalls } from '../async/sharedCalls';
import { systemTime, type TimeSource } from '../async/waiting';
import type { Account } from '../accounts/accounts';
import { isPlatformError, undefinedIf } from '../platform/errors';
import type { AddedEnvironment, EnteredLayer, EnvironmentMemory } from './environmentMemory';
import { type Environment, environmentOf, type Layer, layerName, undescribedNode } from './environment';
import { layerIn, nodeIn } from './environmentIndex';
import type { EnvironmentPlace } from './place';

/** Everything to show about an account's environments. */
interface Overview {
  readonly environments: readonly Environment[];
  /** Environments that used to exist. */
  readonly absences: readonly MissingEnvironment[];
  /** Manually added environments that couldn't be checked, each with its error. */
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
  /** The token may not list environments, so there may be more than the manually added ones. */
  readonly isUnlisted: boolean;
}

/** An environment that used to exist, at least under this name. */
export interface MissingEnvironment {
  readonly account: string;
  readonly name: string;
  readonly title: string;
  /** Its new name, if its nodes now belong to another environment. */
  readonly renamedTo: string | undefined;
}

/** How long an environment's data is recent enough for decisions, in milliseconds. */
const lately = 30_000;
/** How long a question waits for a display name after the environments were asked for, in milliseconds. */
const patience = 3_000;

/** The environments of all accounts, loaded on first use and cached until refreshed. */
export class Environments implements Disposable {
  private readonly asked = new SharedCalls<Overview>('untilForgotten');
  /** The last result for each account. */
  private readonly answered = new Map<string, Overview>();
  private readonly askedAt = new Map<string, number>();
  private readonly absences = new Map<string, readonly MissingEnvironment[]>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly answers = new EventEmitter<void>();
  /** Fires when the platform has listed an account's environments. */
  readonly onDidList = this.answers.event;

  /** @param find returns a signed-in account, so that its environments can be listed for a place */
  constructor(
    private readonly memory: EnvironmentMemory,
    private readonly find: (account: string) => Account | undefined = () => undefined,
    private readonly after: TimeSource['after'] = (...timer) => systemTime.after(...timer),
  ) {}

  /** Whether platforms have answered, and listed no environments at all. */
  get areNoneListed(): boolean {
    const answers = [...this.answered.values()];
    return answers.length > 0 && answers.every(({ environments }) => environments.length === 0);
  }

  async of(account: Account): Promise<readonly Environment[]> {
    return (await this.overview(account)).environments;
  }

  /** Returns a layer from the cache, without a request. */
  knownLayer(account: string, environment: string, layer: string): Layer | undefined {
    return layerIn(this.answered.get(account)?.environments ?? [], environment, layer);
  }

  /** Returns an environment from the cache, without a request. */
  known(account: string, name: string): Environment | undefined {
    return this.answered.get(account)?.environments.find((environment) => environment.name === name);
  }

  /** Returns the environment of a node from the cache, without a request: none or one. */
  knownPlacesOf(account: string, nodeId: number | undefined): readonly EnvironmentPlace[] {
    const found = nodeId === undefined ? undefined : nodeIn(nodeId, this.answered.get(account)?.environments ?? []);
    return found === undefined ? [] : [{ account, environment: found.environment.name }];
  }

  /** Returns an environment's display name as last listed, without a request, or its name. */
  titleOf(place: EnvironmentPlace): string {
    return this.knownTitleOf(place) ?? place.environment;
  }

  /**
   * Lists the account's environments, unless that was done recently, to learn the place's current display name. If that
   * fails or takes long, the last one counts. Returns whether one is known.
   */
  async learnTitle(place: EnvironmentPlace): Promise<boolean> {
    const account = this.find(place.account);
    if (account !== undefined) {
      await this.soon(account);
    }
    return this.knownTitleOf(place) !== undefined;
  }

  /**
   * Like `now`, but `undefined` if that fails or takes more than a few seconds. Callers that wait for the same listing
   * share this time.
   */
  soon(account: Account, maxAge?: number): Promise<readonly Environment[] | undefined> {
    const listing = undefinedIf('any', this.now(account, maxAge));
    const waited = Date.now() - (this.askedAt.get(account.slug) ?? 0);
    return new Promise((resolve, reject) => {
      const cancel = this.after(Math.max(0, patience - waited), () => resolve(undefined));
      listing.then(resolve, reject).finally(cancel);
    });
  }

  /** Lists an account's environments unless they're known or were asked for recently. `onDidList` fires when they're known. */
  learn({ account }: { readonly account: string }): void {
    const isAsked = Date.now() - (this.askedAt.get(account) ?? 0) < lately;
    const found = isAsked || this.answered.has(account) ? undefined : this.find(account);
    if (found !== undefined) {
      // The Environments view says why they can't be listed.
      this.soon(found).catch(() => undefined);
    }
  }

  private knownTitleOf({ account, environment }: EnvironmentPlace): string | undefined {
    const found = this.known(account, environment);
    return found !== undefined && found.isUndescribed !== true
      ? found.title
      : this.memory.of(account).listed.find(({ name }) => name === environment)?.title;
  }

  /** Returns a layer with its environment, or undefined if the account doesn't have it. */
  async findLayer(account: Account, place: { readonly environment: string; readonly layer: string }) {
    const environment = (await this.of(account)).find(({ name }) => name === place.environment);
    const layer = environment?.layers.find(({ id }) => id === place.layer);
    return environment === undefined || layer === undefined ? undefined : { environment, layer };
  }

  /** Returns recent data, for changes to every node of a layer, because nodes can come and go at any time. */
  async now(account: Account, maxAge = lately): Promise<readonly Environment[]> {
    if (Date.now() - (this.askedAt.get(account.slug) ?? 0) >= maxAge) {
      this.asked.forget(account.slug);
    }
    return this.of(account);
  }

  overview(account: Account): Promise<Overview> {
    return this.asked.share(account.slug, async (isCurrent) => {
      this.askedAt.set(account.slug, Date.now());
      const overview = await this.ask(account, isCurrent);
      // The response to a request from before a refresh, a change or a sign-out must not replace what is known since.
      if (isCurrent()) {
        this.answered.set(account.slug, overview);
        this.answers.fire();
        if (overview.failures.length > 0) {
          this.asked.forget(account.slug);
        }
      }
      return overview;
    });
  }

  /** @param account only this one */
  refresh(account?: string): void {
    if (account === undefined) {
      this.asked.forgetAll();
    } else {
      this.asked.forget(account);
    }
    this.changed.fire();
  }

  /** Adds an environment manually, after checking that it exists. Keeps layers entered before, unless one is gone. */
  async add(account: Account, wanted: AddedEnvironment): Promise<Environment> {
    const before = wanted.layers.length === 0 ? [] : (this.entered(account.slug, wanted.name)?.layers ?? []);
    const others = before.filter(({ id }) => wanted.layers.every((layer) => layer.id !== id));
    const all = { ...wanted, layers: [...others, ...wanted.layers] };
    const found = others.length === 0 ? undefined : await undefinedIf('notFound', findEnvironment(account, all));
    const environment = found ?? (await findEnvironment(account, wanted));
    await this.memory.add(account.slug, addedEnvironmentOf(environment));
    this.refresh(account.slug);
    return environment;
  }

  /** Returns a manually added environment as entered, whether or not it can be reached. */
  entered(account: string, name: string): AddedEnvironment | undefined {
    return this.memory.of(account).added.find((one) => one.name === name);
  }

  /** Sets the nodes of a layer in a manually added environment. Checks only these, and keeps its other layers. */
  async enterNodes(account: Account, name: string, layer: EnteredLayer, checked = layer): Promise<Environment> {
    const others = (this.entered(account.slug, name)?.layers ?? []).filter(({ id }) => id !== layer.id);
    const wanted = { name, layers: [...others, layer] };
    await checkNamed(account, { name, layers: [checked] });
    await this.memory.add(account.slug, wanted);
    this.refresh(account.slug);
    return undescribed(account.slug, wanted);
  }

  /** Removes an environment that was added manually or no longer exists. */
  async remove(account: string, name: string): Promise<void> {
    await this.memory.remove(account, name);
    const others = (this.absences.get(account) ?? []).filter((absence) => absence.name !== name);
    this.absences.set(account, others);
    this.refresh(account);
  }

  /** Discards everything about an account that was signed out. */
  async forget(account: string): Promise<void> {
    this.asked.forget(account);
    this.answered.delete(account);
    this.askedAt.delete(account);
    this.absences.delete(account);
    await this.memory.forget(account);
  }

  dispose(): void {
    this.answers.dispose();
    this.changed.dispose();
  }

  private async ask(account: Account, isCurrent: () => boolean): Promise<Overview> {
    const { added } = this.memory.of(account.slug);
    const listed = await this.listed(account);
    const byHand = added.filter(({ name }) => !(listed ?? []).some((environment) => environment.name === name));
    const found = await Promise.allSettled(byHand.map((wanted) => findEnvironment(account, wanted)));
    const failures = found.flatMap((one, index) =>
      one.status === 'rejected' ? [{ name: byHand[index]?.name ?? '', error: one.reason as unknown }] : [],
    );
    const gone = failures.filter(({ error }) => isPlatformError(error) && error.kind === 'notFound');
    const addedFound = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    return {
      environments: [...(listed ?? []), ...addedFound].map((environment) => withEnteredNodes(environment, added)),
      absences: [
        ...(listed === undefined ? [] : await this.absentAmong(account.slug, listed, isCurrent)),
        ...gone.map(({ name }) => ({ account: account.slug, name, title: name, renamedTo: undefined })),
      ],
      failures: failures.filter((failure) => !gone.includes(failure)),
      isUnlisted: listed === undefined,
    };
  }

  /** Returns `undefined` if the token may not list environments. */
  private async listed(account: Account): Promise<readonly Environment[] | undefined> {
    if (account.lacks('GetEnvs')) {
      return undefined;
    }
    const answer = await undefinedIf('tokenLacksMethod', account.call('GetEnvs', {}));
    return answer?.environments.map((listed) => environmentOf(account.slug, listed));
  }

  /** A missing environment stays visible in this window until it's removed or exists again. */
  private async absentAmong(
    account: string,
    listed: readonly Environment[],
    isCurrent: () => boolean,
  ): Promise<readonly MissingEnvironment[]> {
    const before = this.memory.of(account).listed;
    const shown = this.absences.get(account) ?? [];
    const still = shown.filter(({ name }) => !listed.some((environment) => environment.name === name));
    const now = [...still, ...missingEnvironments(account, before, listed)];
    if (isCurrent()) {
      this.absences.set(account, now);
      await this.memory.remember(account, listed.map(lastKnownOf));
    }
    return now;
  }
}

type LastKnown = ReturnType<EnvironmentMemory['of']>['listed'][number];

function lastKnownOf({ name, title, layers }: Environment): LastKnown {
  return { name, title, nodes: layers.flatMap(({ nodes }) => nodes.map(({ id }) => id)) };
}

/** Returns the previously known environments that no longer exist, and their new names if they were renamed. */
function missingEnvironments(
  account: string,
  before: readonly LastKnown[],
  now: readonly Environment[],
): MissingEnvironment[] {
  const present = now.map(lastKnownOf);
  return before
    .filter(({ name }) => !present.some((one) => one.name === name))
    .map(({ name, title, nodes }) => ({
      account,
      name,
      title,
      renamedTo: present.find((one) => one.nodes.some((node) => nodes.includes(node)))?.name,
    }));
}

function addedEnvironmentOf({ name, layers }: Environment): AddedEnvironment {
  return { name, layers: layers.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.id) })) };
}

/**
 * Checks an environment that the user entered: gets it by name or, if the token may not do that, lists the root folder
 * of the entered layers and nodes.
 */
async function findEnvironment(account: Account, wanted: AddedEnvironment): Promise<Environment> {
  if (!account.lacks('GetEnvInfo')) {
    try {
      const described = await account.call('GetEnvInfo', { envName: wanted.name });
      return { ...environmentOf(account.slug, described), isAdded: true };
    } catch (error) {
      if (!isPlatformError(error) || error.kind !== 'tokenLacksMethod' || wanted.layers.length === 0) {
        throw error;
      }
    }
  }
  await checkNamed(account, wanted);
  return undescribed(account.slug, wanted);
}

/** Rejects if one of the named layers or nodes isn't there. */
async function checkNamed(account: Account, wanted: AddedEnvironment): Promise<void> {
  const named = wanted.layers.flatMap(({ id, nodes }) =>
    nodes.length === 0 ? [{ nodeGroup: id }] : nodes.map((nodeid) => ({ nodeGroup: id, nodeid })),
  );
  await Promise.all(named.map((target) => account.call('GetList', { envName: wanted.name, path: '/', ...target })));
}

/** Adds the entered nodes to layers for which the platform lists none. */
function withEnteredNodes(environment: Environment, added: readonly AddedEnvironment[]): Environment {
  const entered = added.find(({ name }) => name === environment.name);
  const nodesIn = (layer: Layer) => entered?.layers.find(({ id }) => id === layer.id)?.nodes ?? [];
  const layers = environment.layers.map((layer) =>
    layer.nodes.length > 0 ? layer : { ...layer, nodes: nodesIn(layer).map(undescribedNode) },
  );
  return { ...environment, layers };
}

/** An environment of which only the user's input is known. */
function undescribed(account: string, { name, layers }: AddedEnvironment): Environment {
  const layerOf = ({ id, nodes }: EnteredLayer): Layer => ({
    id,
    name: layerName(id),
    contexts: [],
    isComplete: false,
    nodes: nodes.map(undescribedNode),
  });
  return {
    account,
    name,
    title: name,
    domain: undefined,
    status: undefined,
    isAdded: true,
    isUndescribed: true,
    layers: layers.map(layerOf),
  };
}

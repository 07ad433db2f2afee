import assert from 'node:assert/strict';
import { join } from 'node:path';
import { commands, type Uri } from 'vscode';
import manifest from '../../../../package.json';
import words from '../../../../package.nls.json';
import type { Account } from '../../../../src/accounts/accounts';
import type { PlatformClient } from '../../../../src/platform/client';
import type { AnswerOf, OperationName, SignedInParametersOf } from '../../../../src/platform/contract';
import { parseAddress } from '../../../../src/platform/address';
import type { SharingParts } from '../parts';
import type { FinishedEntry } from '../../../localPlatform/journal';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { closeWithoutSaving } from '../editing';
import { fileUri, type gantry, signedIn } from '../gantry';
import { type Answer, Person } from '../person';
import { rowsBelow, type Tree } from '../trees';

type Parts = Awaited<ReturnType<typeof gantry>> & SharingParts;

/** One gesture of a user, and the operations that the platform performed because of it. */
export interface Gesture {
  readonly words: string;
  readonly performed: ReadonlySet<string>;
}

/** Connects the running extension, a platform, and a simulated user whose gestures are recorded. */
export class Stage {
  readonly person = new Person();
  private noted: Gesture[] = [];

  private constructor(
    readonly platform: LocalPlatform,
    readonly parts: Parts,
    /** Reads from the platform without the extension. */
    private readonly witness: PlatformClient,
    private readonly session: string,
  ) {}

  static async set(platform: LocalPlatform, parts: Parts): Promise<Stage> {
    const address = parseAddress(platform.origin);
    assert.ok('ok' in address);
    return new Stage(platform, parts, await parts.connections.connect(address.ok), await platform.createSession());
  }

  /** Signs in if necessary and discards earlier gestures. Call this before each performance. */
  async begin(): Promise<void> {
    if (this.parts.accounts.list.length === 0) await signedIn(this.platform);
    this.gestures();
  }

  /** Closes editors and clears cached listings. Call this after each performance. */
  async clear(): Promise<void> {
    await closeWithoutSaving();
    this.parts.listings.forgetAll();
  }

  /** Locks and removes all accounts. Call this after the last performance. */
  async end(): Promise<void> {
    this.person.leave();
    await this.lock();
    for (const { slug } of this.parts.accounts.list) await this.parts.accounts.remove(slug);
  }

  get account(): Account {
    const [account] = this.parts.accounts.list;
    assert.ok(account, 'somebody is signed in');
    return account;
  }

  nodeId(layer: string, index = 0): number {
    const node = this.platform.nodes('shop', layer)[index];
    assert.ok(node);
    return node.id;
  }

  uri(layer: string, path: string, index = 0): Uri {
    return fileUri(this.account, 'shop', `${layer}~${this.nodeId(layer, index)}`, path);
  }

  /** Returns where a container path is on this machine's disk. */
  disk(layer: string, path: string, index = 0): string {
    return join(this.platform.nodeFolder(this.nodeId(layer, index)), path);
  }

  /** Unlocks the account without a user gesture. */
  async unlock(): Promise<void> {
    const { email, password } = this.platform.sample;
    const { unlocking } = this.parts;
    if (unlocking.of(this.account.slug) === undefined) await unlocking.unlock(this.account.slug, email, password);
  }

  /** Locks all accounts without a user gesture. */
  async lock(): Promise<void> {
    await this.parts.unlocking.lockAll();
  }

  /** Runs a command on its arguments and answers its prompts. */
  async does(command: string, on: readonly unknown[] = [], answers: readonly Answer[] = []): Promise<void> {
    await this.note(titleOf(command), () =>
      this.person.answering(answers, () => commands.executeCommand(command, ...on)),
    );
  }

  /** Expands rows of a view, one below the other, and returns the rows below the last one. */
  async unfolds<E>(name: string, view: Tree<E>, ...path: readonly string[]): Promise<E[]> {
    return this.note(`unfolding “${path.at(-1) ?? name}” in ${name}`, () => rowsBelow(view, ...path));
  }

  /** Calls the platform directly. Doesn't count as a gesture. */
  ask<N extends OperationName>(operation: N, parameters: SignedInParametersOf<N>): Promise<AnswerOf<N>> {
    return this.witness.callAs(this.session, operation, parameters);
  }

  askAs<N extends OperationName>(
    session: string,
    operation: N,
    parameters: SignedInParametersOf<N>,
  ): Promise<AnswerOf<N>> {
    return this.witness.callAs(session, operation, parameters);
  }

  /** Returns the gestures since the last call. */
  gestures(): readonly Gesture[] {
    return this.noted.splice(0);
  }

  private async note<T>(gesture: string, work: () => Promise<T>): Promise<T> {
    const before = new Set(this.platform.journal.entries);
    const outcome = await work();
    const since = this.platform.journal.entries.filter((entry) => !before.has(entry));
    const performed = since.filter(isSuccess).map(({ operation }) => operation);
    this.noted.push({ words: gesture, performed: new Set(performed) });
    return outcome;
  }
}

/** The platform returns a bare `true` if there is no other result. */
function isSuccess({ result, status, faults }: FinishedEntry): boolean {
  return status === 200 && faults.length === 0 && (result === 0 || result === true || result === undefined);
}

/** Returns the category and title of a command. */
function titleOf(command: string): string {
  const declared = manifest.contributes.commands.find((one) => one.command === command);
  const textOf = (key: string) => Object.entries(words).find(([name]) => `%${name}%` === key)?.[1] ?? key;
  const own: Readonly<Record<string, string>> = { 'workbench.action.files.save': 'File: Save' };
  const known = declared === undefined ? own[command] : `${textOf(declared.category)}: ${textOf(declared.title)}`;
  assert.ok(known, `${command} has a title`);
  return known;
}

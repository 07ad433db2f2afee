import { env, l10n } from 'vscode';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import { SharedCalls } from '../../async/sharedCalls';
import type { Containers } from '../../containers/containers';
import type { Environments } from '../../containers/environments';
import type { Listings } from '../../containers/listings';
import { ensureKnownToRun, undefinedIfUnavailable } from '../../containers/logs/nodeLogs';
import { failedObjectAt, type FilePlace, nameOf, parentOf } from '../../containers/place';
import { holdsLogin } from '../../containers/secretFiles';
import { flawSentence, provenCut, proveText } from '../../files/wholeText';
import { cutOf } from '../../files/text';
import { undefinedIf } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import { type FileEntry, isSameEntry } from '../../platform/wire/fileEntry';
import { ExpectedError } from '../../ui/expectedError';
import { sizeText } from '../../ui/sizeText';
import type { FollowedSource } from './followedLog';

/** The longest log, in bytes, that is read where the platform only returns whole files. */
export const longestWholeLog = 5 * 1024 * 1024;
/** The largest offset that the platform takes. Reading there finds the end of a log of unknown length. */
const largestOffset = 2 ** 31 - 1;
/** About how many bytes a request takes with its response, and each entry of a listing. */
const requestBytes = 800;
const entryBytes = 250;

/** The log can't be shown in part here, and it's too long to read whole. */
export class LogTooLong extends ExpectedError {
  override readonly name = 'LogTooLong';
}

/** A log on one node. Reads only the parts that are asked for, or the whole file where that's all the platform can do. */
export class NodeLog implements FollowedSource {
  /** The last text and the listing before it, where only whole files can be read. */
  #whole: { readonly text: string; readonly entry: FileEntry | undefined } | undefined;
  readonly #reading = new SharedCalls<string>();
  /** The length when it was last read, by which a log that can't be listed isn't read again if it's too long. */
  #unlistedLength = 0;
  #wholeBytes = 0;
  #isRefused = false;

  private constructor(
    readonly place: FilePlace,
    private readonly containers: Containers,
    private readonly listings: Listings,
    private readonly environments: Environments,
    /** Sent with each call. */
    public options: AccountCallOptions,
  ) {}

  /** Rejects if the log isn't on one node, has a login, or if its environment isn't running: then nothing else is sent. */
  static async open(
    place: FilePlace,
    containers: Containers,
    listings: Listings,
    environments: Environments,
    options: AccountCallOptions = {},
  ): Promise<NodeLog> {
    if (place.target.nodeId === undefined) {
      const object = failedObjectAt(place, environments.titleOf(place));
      throw failed({ kind: 'invalid', operation: 'ReadLog', target: place.path, object, obstacle: 'wholeLayer' });
    }
    if (holdsLogin(place)) {
      throw new ExpectedError(
        l10n.t(
          "Couldn't show {0} as a log: it contains the login of a repository. Open it as a file instead.",
          nameOf(place),
        ),
      );
    }
    await ensureRunning(place, containers, environments, options);
    return new NodeLog(place, containers, listings, environments, options);
  }

  /** Whether the platform, or the token, can only read whole files. Known after the first read. */
  get readsWhole(): boolean {
    return this.#isRefused || this.#account.lacks('ReadLog');
  }

  get wholeBytes(): number {
    return this.#wholeBytes;
  }

  ensureRunning(): Promise<void> {
    return ensureRunning(this.place, this.containers, this.environments, this.options);
  }

  /** Its length in bytes, if its folder may be listed. */
  async length(): Promise<number> {
    const length = (await this.#entry())?.length;
    if (length !== undefined) {
      return length;
    }
    // Finding the end of a log of unknown length takes many reads, which would all be of the whole file.
    await this.read(0, 1);
    return this.readsWhole ? (this.#whole?.text.length ?? largestOffset) : largestOffset;
  }

  async read(from: number, count: number): Promise<string> {
    if (!this.readsWhole) {
      const at = { envName: this.place.environment, nodeId: this.place.target.nodeId ?? 0, path: this.place.path };
      const answer = await this.#account
        .call('ReadLog', { ...at, from, count }, this.options)
        .catch(undefinedIfUnavailable);
      if (answer !== undefined) {
        return answer.body;
      }
      this.#isRefused = true;
    }
    return (await this.#reading.share('', () => this.#readWhole())).slice(from, from + count);
  }

  get #account() {
    return this.containers.account(this.place.account);
  }

  /** Reads the file again only if the listing shows a change. */
  async #readWhole(): Promise<string> {
    const entry = await this.#entry();
    if (this.#whole !== undefined && entry?.length !== undefined && isSameEntry(this.#whole.entry, entry)) {
      return this.#whole.text;
    }
    this.#ensureShort(entry?.length ?? this.#unlistedLength);
    const text = await this.containers.read(this.place, this.options);
    this.#wholeBytes += requestBytes + Buffer.byteLength(JSON.stringify(text));
    this.#unlistedLength = text.length;
    this.#ensureShort(text.length);
    const whole = await this.#ensureUncut(text, entry);
    this.#whole = { text: whole, entry };
    return whole;
  }

  /** Rejects if the platform returned only the beginning. It may also have been rotated between the listing and the read. */
  async #ensureUncut(text: string, entry: FileEntry | undefined): Promise<string> {
    if (entry?.length === undefined || cutOf(text, entry.length) === undefined) {
      return text;
    }
    const { containers, listings, place } = this;
    const proven = await proveText(place, text, { entry }, { containers, listings });
    const cut = await provenCut(place, proven, { containers, listings });
    if (cut !== undefined) {
      throw new ExpectedError(l10n.t("Couldn't show the end of {0}. {1}", nameOf(place), flawSentence(cut)));
    }
    return proven.text;
  }

  #ensureShort(length: number): void {
    if (length > longestWholeLog) {
      throw new LogTooLong(
        l10n.t(
          "Couldn't show the end of {0}: it's {1}, and Gantry can read only logs of up to {2} here. Open the whole file instead.",
          nameOf(this.place),
          sizeText(length, env.language),
          sizeText(longestWholeLog, env.language),
        ),
      );
    }
  }

  /** Returns `undefined` if the folder may not be listed. */
  async #entry(): Promise<FileEntry | undefined> {
    const found = await undefinedIf(
      'forbidden',
      this.listings.lookUp(this.place).then((entry) => ({ entry })),
    );
    if (found !== undefined && found.entry === undefined) {
      const { place } = this;
      const object = failedObjectAt(place, this.environments.titleOf(place));
      throw failed({ kind: 'notFound', operation: 'ReadLog', target: place.path, object });
    }
    if (this.readsWhole) {
      const folder = found && parentOf(this.place);
      // The listing is known now.
      const entries = folder === undefined ? 0 : (await this.listings.list(folder)).size;
      this.#wholeBytes += requestBytes + entries * entryBytes;
    }
    return found?.entry;
  }
}

/** Rejects if the environment isn't running, because on some platforms reading a log wakes it up. */
async function ensureRunning(
  place: FilePlace,
  containers: Containers,
  environments: Environments,
  options: AccountCallOptions,
): Promise<void> {
  const account = containers.account(place.account);
  const info = account.lacks('GetEnvInfo')
    ? undefined
    : await account.call('GetEnvInfo', { envName: place.environment }, options).catch(undefinedIfUnavailable);
  const current = info ?? (await environments.now(account)).find(({ name }) => name === place.environment);
  ensureKnownToRun(place, current?.status, environments);
}

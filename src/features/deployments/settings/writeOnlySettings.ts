import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { digestOf, JsonFolder } from '../../../storage/stores';
import { writeOnlySettingsOf } from './fieldChanges';
import { commandsIn, type HookName, hookNames, type Hooks, storedHooks } from './hooks';
import { noWriteOnlySettings, type WriteOnlySettings } from './projectFields';
import { projectKey, type ProjectPlace } from '../projectPlace';

const hookDigests = v.record(v.string(), v.string());
const stored = v.object({
  keyId: v.optional(v.number()),
  /** Only until they are seen on a node. */
  hooks: v.optional(storedHooks),
  delay: v.optional(v.number()),
  /** When each was entered, in milliseconds since the epoch. One without a time was taken over from the platform. */
  enteredAt: v.object({
    keyId: v.optional(v.number()),
    hooks: v.optional(v.number()),
    delay: v.optional(v.number()),
  }),
  /** The digest of the key that the platform showed after it was saved. */
  keyHash: v.optional(v.string()),
  hooksSent: v.optional(hookDigests),
  /** Those of the hooks that the first node showed last: a platform may replace its files only with an Update. */
  hooksShown: v.optional(hookDigests),
  /** Whether a node has shown hooks right after they were saved here, so its files have what others save, too. */
  areHooksWrittenAtOnce: v.optional(v.boolean()),
});
/** The settings that were sent last, with what shows whether someone else changed them since. */
export type KeptSettings = v.InferOutput<typeof stored>;

export type HookDigests = v.InferOutput<typeof hookDigests>;

/** Returns digests that are alike if the hooks run the same scripts. */
export function digestsOf(hooks: Hooks = {}): HookDigests {
  const set = hookNames.filter((name) => commandsIn(hooks[name]) !== '');
  return Object.fromEntries(set.map((name) => [name, digestOf(commandsIn(hooks[name]))]));
}

/** When the user entered a hook that was sent last from here and isn't this script; `undefined` if it is. */
export function sentOtherwise(kept: KeptSettings | undefined, hook: HookName, script: string): number | undefined {
  const { hooksSent, enteredAt } = kept ?? {};
  return hooksSent === undefined || hooksSent[hook] === digestsOf({ [hook]: script })[hook]
    ? undefined
    : enteredAt?.hooks;
}

/**
 * Stores the settings that can't be read from the platform, because every edit must send them again: hooks only until a
 * node shows them. Only the owner can read the files, because scripts may contain secrets. Passwords are never stored.
 */
export class WriteOnlySettingsStore {
  private readonly files: JsonFolder<KeptSettings>;

  /** @param isForgotten whether the account was signed out: a change that ends later must not bring its scripts back */
  constructor(
    folder: string,
    private readonly isForgotten: (account: string) => boolean = () => false,
  ) {
    this.files = new JsonFolder(folder, stored);
  }

  /**
   * Returns `undefined` if nothing was set from this computer, or only by another version. Rejects if the file can't be
   * read, because a change sent without these values would remove the hooks and the SSH key.
   */
  find(place: ProjectPlace): Promise<KeptSettings | undefined> {
    return this.files.read(keyFor(place));
  }

  async of(place: ProjectPlace): Promise<WriteOnlySettings> {
    return writeOnlySettingsOf((await this.find(place)) ?? noWriteOnlySettings);
  }

  /**
   * @param since what was kept until now, the values that the change started from, and the hooks that the first node
   * showed. What differs from both was entered now.
   */
  async keep(
    place: ProjectPlace,
    values: WriteOnlySettings,
    since: { kept?: KeptSettings | undefined; before?: WriteOnlySettings } & Pick<KeptSettings, 'hooksShown'> = {},
  ): Promise<void> {
    if (this.isForgotten(place.account)) {
      return;
    }
    const { kept, before = noWriteOnlySettings, hooksShown } = since;
    const timeOf = (name: keyof WriteOnlySettings) => {
      if (isDeepStrictEqual(kept?.[name], values[name])) {
        return kept?.enteredAt[name];
      }
      return values[name] === undefined || isDeepStrictEqual(before[name], values[name]) ? undefined : Date.now();
    };
    const hooksSent = values.hooks && digestsOf(values.hooks);
    const areHooksKept = isDeepStrictEqual(kept?.hooksSent, hooksSent);
    const enteredAt = {
      keyId: timeOf('keyId'),
      hooks: areHooksKept ? kept?.enteredAt.hooks : timeOf('hooks'),
      delay: timeOf('delay'),
    };
    await this.files.write(keyFor(place), {
      ...writeOnlySettingsOf(values),
      enteredAt,
      keyHash: undefined,
      hooksSent,
      hooksShown,
      areHooksWrittenAtOnce: kept?.areHooksWrittenAtOnce,
    });
  }

  /**
   * Records what is shown of the settings that were just saved.
   * @param seen hooks that a node shows. They're no longer kept, unless another window has sent others since.
   */
  keepShown(
    place: ProjectPlace,
    shown: Partial<Pick<KeptSettings, 'keyHash' | 'hooksShown' | 'areHooksWrittenAtOnce'>>,
    seen?: Hooks,
  ): Promise<void> {
    return this.files.change(keyFor(place), async (file) => {
      const kept = await file.read();
      const isSeen = seen !== undefined && isDeepStrictEqual(kept?.hooksSent, digestsOf(seen));
      await (kept && file.write({ ...kept, ...shown, ...(isSeen ? { hooks: undefined } : {}) }));
    });
  }

  forget(place: ProjectPlace): Promise<void> {
    return this.files.remove(keyFor(place));
  }

  forgetAccount(account: string): Promise<void> {
    return this.files.removeAll(account);
  }
}

function keyFor(place: ProjectPlace): string {
  return `${place.account}/${digestOf(projectKey(place))}`;
}

import type { Own } from '../gantry';
import type { FeatureHandles, Host } from '../services';
import { Lazy } from '../lazy';
import type { createLevels } from '../services/levels';

interface FeatureDeps extends Pick<ReturnType<typeof createLevels>, 'accounts' | 'files'> {
  /** The features that register themselves. */
  readonly registered: () => Omit<FeatureHandles, 'accounts' | 'files' | 'compatibility'>;
  /** Disposes a feature's resources with the extension. */
  readonly own: Own;
}

export function createFeatures(deps: Host, { accounts, files, registered, own }: FeatureDeps) {
  const { report } = deps;
  const compatibility = new Lazy(async () => {
    const [file, { wireCompatibility }] = await Promise.all([files.load(), import('./wireCompatibility')]);
    return wireCompatibility({ ...deps, ...file });
  });
  compatibility.whenLoaded(({ disposables }) => disposables.forEach(own));
  files.whenLoaded(({ compatibility: checks }) => {
    checks.loaded
      .then((hasRead) => (hasRead ? undefined : compatibility.use((part) => part.warnAboutUnreadableChecks())))
      .catch(report);
    checks
      .mayHaveLeftFolders()
      .then((mayHave) => (mayHave ? compatibility.use((part) => part.mentionLeftFolders()) : undefined))
      .catch(report);
  });
  return { compatibility, handles: (): FeatureHandles => ({ accounts, files, compatibility, ...registered() }) };
}

export type Features = ReturnType<typeof createFeatures>;

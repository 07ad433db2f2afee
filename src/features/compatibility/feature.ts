import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';

export function registerCompatibility(gantry: Gantry, { files }: Pick<FeatureHandles, 'files'>) {
  const { report } = gantry.host;
  const compatibility = gantry.add({
    id: 'compatibility',
    needs: 'files',
    load: async () => (await import('./compatibility')).createCompatibility,
  });
  files.whenLoaded(({ compatibility: checks }) => {
    checks.loaded
      .then((areRead) => (areRead ? undefined : compatibility.use((loaded) => loaded.warnAboutUnreadableChecks())))
      .catch(report);
    checks
      .mayHaveLeftFolders()
      .then((mayHave) => (mayHave ? compatibility.use((loaded) => loaded.mentionLeftFolders()) : undefined))
      .catch(report);
  });
  return compatibility;
}

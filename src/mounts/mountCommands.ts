import { ExpectedError } from '../ui/expectedError';
import { l10n } from 'vscode';
import type { FilePlace } from '../containers/place';
import type { MountViewElement } from './mountElement';
import type { MountsView } from './mountsView';
import { selectedRows } from '../trees/rowTreeProvider';
import { isContainer, partOfRow } from '../containers/environmentPart';
import { type AddMountDeps, addMount } from './addMountFlow';
import { removeExports, removeMounts, type RemoveMountDeps } from './removeMountFlow';

export interface MountCommandsDeps extends AddMountDeps, RemoveMountDeps {
  readonly view: MountsView;
  readonly selection: () => readonly MountViewElement[];
  /** Shows a file or folder in the Environments view. Returns whether it exists. */
  readonly show: (place: FilePlace) => Promise<boolean>;
}

export function mountCommands(parts: MountCommandsDeps) {
  const { mounts, listings, view, selection } = parts;
  const meant = (received: readonly unknown[]) => selectedRows(received, view, selection);
  return {
    async 'gantry.mount.add'(received: unknown) {
      const element = view.find(received);
      const meant = await partOfRow(element?.kind === 'none' ? element.of : received, parts);
      const target = meant && isContainer(meant) ? meant : undefined;
      await addMount({ target, within: meant?.environment }, parts);
    },

    async 'gantry.mount.reveal'(...received: readonly unknown[]) {
      const [element] = meant(received);
      const place = element !== undefined && 'place' in element ? element.place : undefined;
      if (place !== undefined && !(await parts.show(place))) {
        throw new ExpectedError(l10n.t("{0} doesn't exist in {1}.", place.path, parts.environments.titleOf(place)));
      }
    },

    /** A keybinding removes whatever is selected: mounts, exports, or both. */
    async 'gantry.mount.remove'(...received: readonly unknown[]) {
      const elements = meant(received);
      if (await removeMounts(elements, parts)) {
        await removeExports(elements, parts);
      }
    },

    'gantry.export.remove': (...received: readonly unknown[]) => removeExports(meant(received), parts),

    'gantry.mounts.refresh'() {
      listings.forgetAll();
      mounts.refresh();
    },
  };
}

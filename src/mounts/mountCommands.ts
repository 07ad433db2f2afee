import { l10n } from 'vscode';
import type { FilePlace } from '../containers/place';
import type { MountViewElement } from './mountElement';
import type { MountsView } from './mountsView';
import { selectedRows } from '../trees/rowTreeProvider';
import type { Container } from '../containers/containerPrompts';
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
      const within = element?.kind === 'environment' ? element.environment : undefined;
      await addMount({ target: element && containerOf(element), within }, parts);
    },

    async 'gantry.mount.reveal'(...received: readonly unknown[]) {
      const [element] = meant(received);
      const place = element !== undefined && 'place' in element ? element.place : undefined;
      if (place !== undefined && !(await parts.show(place))) {
        throw new Error(l10n.t("{0} doesn't exist in {1}.", place.path, place.environment));
      }
    },

    /** A keybinding removes whatever is selected: mounts, exports, or both. */
    async 'gantry.mount.remove'(...received: readonly unknown[]) {
      const elements = meant(received);
      await removeMounts(elements, parts);
      await removeExports(elements, parts);
    },

    'gantry.export.remove': (...received: readonly unknown[]) => removeExports(meant(received), parts),

    'gantry.mounts.refresh'() {
      listings.forgetAll();
      mounts.refresh();
    },
  };
}

function containerOf(element: MountViewElement): Container | undefined {
  switch (element.kind) {
    case 'layer':
      return { environment: element.environment, layer: element.layer, node: undefined };
    case 'node':
      return { environment: element.environment, layer: element.layer, node: element.node };
    case 'none':
      return containerOf(element.of);
    default:
      return undefined;
  }
}

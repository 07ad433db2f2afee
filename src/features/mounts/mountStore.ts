import { type Disposable, EventEmitter, l10n } from 'vscode';
import { SharedCalls } from '../../async/sharedCalls';
import type { Account } from '../../accounts/accounts';
import type { Environment, Layer } from '../../containers/environment';
import { failed } from '../../platform/failureTexts';
import { ExpectedError } from '../../ui/expectedError';
import { changeOnce } from '../../platform/lostReply';
import { PlatformError } from '../../platform/errors';
import { failedObjectAt, type FilePlace } from '../../containers/place';
import type { Containers } from '../../containers/containers';
import {
  type Client,
  type Export,
  exportsOf,
  isSameMount,
  layerMounts,
  type LayerMounts,
  type Mount,
  sourceParameters,
} from './mount';
import { type MountInput, mountInputProblem, plainPath } from './mountInput';

/** The platform's warnings about sharing between two nodes, or why it couldn't be asked. */
export interface CrossMount {
  readonly nodeId: number;
  readonly warnings: readonly string[];
  readonly error?: unknown;
}

/** Mounts and exports, loaded on first use and cached until refreshed or changed here. */
export class Mounts implements Disposable {
  private readonly asked = new SharedCalls<LayerMounts>('untilForgotten');
  private readonly askedExports = new SharedCalls<readonly Export[]>('untilForgotten');
  private readonly changed = new EventEmitter<readonly FilePlace[]>();
  /** Fires when mounts change, with the folders that show other data now, as far as they are known. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly callers: Pick<Containers, 'account' | 'ensureSameNodes'>) {}

  of(environment: Environment, layer: Layer): Promise<LayerMounts> {
    const { account, name: envName } = environment;
    return this.asked.share(`${account}/${envName}/${layer.id}`, async () => {
      const { array } = await this.callers.account(account).call('GetMountPoints', { envName, nodeGroup: layer.id });
      return layerMounts(array, environment, layer);
    });
  }

  exportsOf(node: FilePlace): Promise<readonly Export[]> {
    const { account, environment: envName } = node;
    const nodeId = numberOf(node);
    return this.askedExports.share(`${account}/${envName}/${nodeId}`, async () => {
      const { array } = await this.callers.account(account).call('GetExportedList', { envName, nodeId });
      return exportsOf(array, node);
    });
  }

  /** Checks each node that would mount data of `sourceNodeId`. Returns failed checks too. */
  crossMounts(place: FilePlace, nodeIds: readonly number[], sourceNodeId: number): Promise<readonly CrossMount[]> {
    const account = this.callers.account(place.account);
    return Promise.all(
      nodeIds.map((nodeId) =>
        account.call('CheckCrossMount', { envName: place.environment, nodeId, sourceNodeId }).then(
          ({ warnings }) => ({ nodeId, warnings }),
          (error: unknown) => ({ nodeId, warnings: [], error }),
        ),
      ),
    );
  }

  async add(input: MountInput): Promise<void> {
    const problem = mountInputProblem(input);
    if (problem !== undefined) {
      throw new PlatformError({ kind: 'invalid', operation: 'Mount', message: problem });
    }
    const { account, environment: envName, target } = input.place;
    const { protocol, readOnly, name } = input;
    const path = plainPath(input.place.path);
    const what = { envName, path, ...sourceParameters(input.source), sourcePath: plainPath(input.sourcePath) };
    const how = { protocol, readOnly, name };
    await this.change(account, placesOf({ ...input.place, path }, input.nodeIds), {
      check: async () => {
        if (target.nodeId === undefined) {
          await this.callers.ensureSameNodes(input.place, input.nodeIds);
        }
      },
      send: (caller) =>
        target.nodeId === undefined
          ? caller.call('AddMountPointByGroup', { ...what, ...how, nodeGroup: target.nodeGroup })
          : caller.call('AddMountPointById', { ...what, ...how, nodeId: target.nodeId }),
      hasHappened: async (caller) => {
        const on = await mountedOn({ ...input.place, path }, caller, what);
        return on.length > 0 && input.nodeIds.every((id) => on.includes(id));
      },
    });
  }

  /** Rejects if by now something else is mounted there, because only the path is sent. */
  async remove(mount: Mount): Promise<void> {
    const { place, nodeIds } = mount;
    const { account, environment: envName, target, path } = place;
    await this.change(account, placesOf(place, nodeIds), {
      check: async (caller) => {
        const now = await mountsAt(place, caller);
        if (!now.every((entry) => isSameMount(mount, entry))) {
          throw new ExpectedError(
            l10n.t(
              'Something else is mounted at {0} by now, so nothing was unmounted. Check it, then try again.',
              path,
            ),
          );
        }
        if (!now.every(({ nodeId }) => nodeId === undefined || nodeIds.includes(nodeId))) {
          const subject = {
            operation: 'RemoveMountPointByGroup',
            target: path,
            object: failedObjectAt(place),
          } as const;
          throw failed({ kind: 'invalid', ...subject, obstacle: 'nodesChanged' });
        }
        if (now.length === 0) {
          throw new ExpectedError(l10n.t('Nothing is mounted at {0} anymore.', path));
        }
      },
      send: (caller) =>
        target.nodeId === undefined
          ? caller.call('RemoveMountPointByGroup', { envName, nodeGroup: target.nodeGroup, path })
          : caller.call('RemoveMountPointById', { envName, nodeId: target.nodeId, path }),
      hasHappened: async (caller) => (await mountedOn(place, caller)).length === 0,
    });
  }

  /** @param seenAt the client's folder, if its environment and layer are known */
  async removeExport(from: Export, client: Client, seenAt: FilePlace | undefined): Promise<void> {
    const { account, environment: envName, path } = from.place;
    const nodeId = numberOf(from.place);
    const what = { envName, nodeId, path, clientNodeId: client.nodeId, clientPath: client.path };
    await this.change(account, seenAt === undefined ? [] : placesOf(seenAt, [client.nodeId]), {
      send: (caller) => caller.call('RemoveExport', what),
      hasHappened: async (caller) => {
        const { array } = await caller.call('GetExportedList', { envName, nodeId });
        const left = exportsOf(array, from.place).filter(({ place }) => place.path === path);
        return !left.some(({ clients }) =>
          clients.some((one) => one.nodeId === client.nodeId && one.path === client.path),
        );
      },
    });
  }

  /** Reloads from the platform. */
  refresh(): void {
    this.forget([]);
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Drops cached data after a change, even a failed one. All of it, because a mount is another node's export. */
  private async change(
    account: string,
    places: readonly FilePlace[],
    step: {
      /** Rejects if the change is no longer what the user agreed to. Runs right before the change. */
      check?(caller: Account): Promise<void>;
      send(caller: Account): Promise<unknown>;
      hasHappened(caller: Account): Promise<boolean>;
    },
  ): Promise<void> {
    try {
      const caller = this.callers.account(account);
      await step.check?.(caller);
      await changeOnce(
        () => step.send(caller),
        () => step.hasHappened(caller),
      );
    } finally {
      this.forget(places);
    }
  }

  private forget(places: readonly FilePlace[]): void {
    this.asked.forgetAll();
    this.askedExports.forgetAll();
    this.changed.fire(places);
  }
}

/** Returns the folder's places: for a layer, also the one on each of its nodes. */
function placesOf(place: FilePlace, nodeIds: readonly number[]): readonly FilePlace[] {
  const { nodeGroup } = place.target;
  return [{ nodeGroup }, ...nodeIds.map((nodeId) => ({ nodeGroup, nodeId }))].map((target) => ({ ...place, target }));
}

/** Returns the nodes with a mount at the place, optionally only of this source. */
async function mountedOn(place: FilePlace, caller: Account, from?: RequestedSource) {
  return (await mountsAt(place, caller))
    .filter((entry) => from === undefined || isFrom(entry, from))
    .map(({ nodeId }) => nodeId ?? place.target.nodeId);
}

/** What a mount was requested with. A layer is its main node. */
interface RequestedSource {
  readonly sourcePath: string;
  readonly sourceNodeId?: number;
  readonly sourceHost?: string;
}

/** Whether an entry is from this source, as far as it says. */
function isFrom(entry: Awaited<ReturnType<typeof mountsAt>>[number], from: RequestedSource): boolean {
  const { sourcePath, sourceNodeId, sourceHost } = entry;
  const isSame =
    from.sourceNodeId === undefined
      ? [undefined, from.sourceHost].includes(sourceHost)
      : [undefined, from.sourceNodeId].includes(sourceNodeId);
  return isSame && (sourcePath === undefined || plainPath(sourcePath) === from.sourcePath);
}

async function mountsAt({ environment: envName, target, path }: FilePlace, caller: Account) {
  const where = target.nodeId === undefined ? { nodeGroup: target.nodeGroup } : { nodeId: target.nodeId };
  const { array } = await caller.call('GetMountPoints', { envName, ...where });
  return array.filter((entry) => plainPath(entry.path) === plainPath(path));
}

function numberOf(place: FilePlace): number {
  const { nodeGroup, nodeId } = place.target;
  if (nodeId === undefined) {
    const object = failedObjectAt(place);
    throw failed({ kind: 'invalid', operation: 'GetExportedList', target: nodeGroup, object, obstacle: 'wholeLayer' });
  }
  return nodeId;
}

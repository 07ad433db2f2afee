import { type Disposable, FileChangeType, workspace } from 'vscode';
import type { ContainerFileSystem } from '../../../files/provider/containerFileSystem';
import type { KnownProjects } from '../projects';
import { isInLayer, placeOn } from '../projectPlace';
import type { DeployRecord } from './redeployResult';
import type { Redeploys } from './redeploys';
import type { Listings } from '../../../containers/listings';
import { type FilePlace, filePlaceOf, parentOrSelf } from '../../../containers/place';

/** Reloads open editors and listings after a redeploy. */
export function refreshDeployedFiles(deps: {
  readonly redeploys: Redeploys;
  readonly known: KnownProjects;
  readonly listings: Listings;
  readonly fileSystem: ContainerFileSystem;
  readonly refreshFolders: (folders: readonly FilePlace[]) => void;
}): Disposable {
  const { redeploys, known, listings, fileSystem, refreshFolders } = deps;
  return redeploys.onDidDeploy((record) => {
    const folders = known.folders(record);
    const webroots = folders.flatMap((folder) => targetsOf(record).map((target) => placeOn(record, target, folder)));
    const parents = webroots.map(parentOrSelf);
    parents.forEach((folder) => listings.forget(folder));
    refreshFolders([...webroots, ...parents]);
    const changed = workspace.textDocuments
      .flatMap(({ uri }) => filePlaceOf(uri) ?? [])
      .filter((file) => isInLayer(file, record) && folders.some((folder) => file.path.startsWith(`${folder}/`)));
    fileSystem.announce([...webroots, ...changed].map((place) => ({ place, type: FileChangeType.Changed })));
  });
}

/** The layer and each of its nodes, because a file can be open through either. */
function targetsOf({ layer, nodes }: DeployRecord) {
  return [
    { nodeGroup: layer },
    ...nodes.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [{ nodeGroup: layer, nodeId }])),
  ];
}

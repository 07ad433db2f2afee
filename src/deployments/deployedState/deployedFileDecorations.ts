import { type Disposable, FileChangeType, workspace } from 'vscode';
import type { ContainerFileSystem } from '../../files/provider/containerFileSystem';
import type { KnownProjects } from '../knownProjects';
import { foldersOf } from '../projectFinder';
import type { DeployRecord } from '../history/deployRecord';
import { placeOn } from '../projectPlace';
import type { Redeploys } from '../redeploy/redeploys';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, parentOf } from '../../containers/place';

/** After a redeploy, editors and listings show what the containers hold now. */
export function refreshDeployedFiles(parts: {
  readonly redeploys: Redeploys;
  readonly known: KnownProjects;
  readonly listings: Listings;
  readonly fileSystem: ContainerFileSystem;
  readonly refreshFolders: (folders: readonly FilePlace[]) => void;
}): Disposable {
  const { redeploys, known, listings, fileSystem, refreshFolders } = parts;
  return redeploys.onDidDeploy((record) => {
    const folders = foldersOf(known.find(record) ?? record);
    const webroots = folders.flatMap((folder) => targetsOf(record).map((target) => placeOn(record, target, folder)));
    const deps = webroots.map((folder) => parentOf(folder) ?? folder);
    deps.forEach((folder) => listings.forget(folder));
    refreshFolders([...webroots, ...deps]);
    const changed = openFiles().filter((file) => liesIn(file, record, folders));
    fileSystem.announce(changed.map((place) => ({ place, type: FileChangeType.Changed })));
  });
}

/** The layer, and each of its nodes: a file may be open by either. */
function targetsOf({ layer, nodes }: DeployRecord) {
  return [
    { nodeGroup: layer },
    ...nodes.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [{ nodeGroup: layer, nodeId }])),
  ];
}

function openFiles(): readonly FilePlace[] {
  return workspace.textDocuments.flatMap(({ uri }) => filePlaceOf(uri) ?? []);
}

function liesIn(file: FilePlace, project: DeployRecord, folders: readonly string[]): boolean {
  return (
    file.account === project.account &&
    file.environment === project.environment &&
    file.target.nodeGroup === project.layer &&
    folders.some((folder) => file.path.startsWith(`${folder}/`))
  );
}

import { FileSystemError, type Uri } from 'vscode';
import type { Environment } from '../../containers/environment';
import type { Environments } from '../../containers/environments';
import type { Containers } from '../../containers/containers';
import { type FilePlace, type Place, placeOf, targetText } from '../../containers/place';

type AboveContainers = Exclude<Place, FilePlace>;

/** What lies above containers: an account holds environments, an environment its layers and nodes. None of it is a folder of the platform's. */
export class FoldersAboveContainers {
  constructor(
    private readonly containers: Containers,
    private readonly environments: Environments,
  ) {}

  async demandThere(place: AboveContainers, uri: Uri): Promise<void> {
    if (place.kind === 'environment') {
      await this.namesIn(place, uri);
    } else {
      this.containers.account(place.account);
    }
  }

  async namesIn(place: AboveContainers, uri: Uri): Promise<string[]> {
    const environments = await this.environments.of(this.containers.account(place.account));
    if (place.kind === 'account') {
      return environments.map(({ name }) => name);
    }
    const environment = environments.find(({ name }) => name === place.environment);
    if (environment === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    return targetsIn(environment);
  }
}

export function placeIn(uri: Uri): Place {
  const place = placeOf(uri);
  if (place === undefined) {
    throw FileSystemError.FileNotFound(uri);
  }
  return place;
}

/** Nothing above containers can be written, moved or deleted. */
export function fileAt(uri: Uri): FilePlace {
  const place = placeIn(uri);
  if (place.kind !== 'file') {
    throw FileSystemError.NoPermissions(uri);
  }
  return place;
}

function targetsIn({ layers }: Environment): string[] {
  return layers.flatMap(({ id, nodes }) => [
    id,
    ...nodes.map((node) => targetText({ nodeGroup: id, nodeId: node.id })),
  ]);
}

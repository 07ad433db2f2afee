import type { Place } from '../containers/place';
import type { SharedElement } from '../trees/sharedElement';

type Shows = (element?: SharedElement) => Promise<readonly SharedElement[]>;

/** The row of a place, found by going down to it; what nobody has unfolded yet is asked for on the way. */
export async function rowOfPlace(place: Place, childrenOf: Shows): Promise<SharedElement | undefined> {
  let found: SharedElement | undefined;
  for (;;) {
    const next = (await childrenOf(found)).find((child) => leadsTo(child, place));
    if (next === undefined) {
      return found !== undefined && isAt(found, place) ? found : undefined;
    }
    found = next;
    if (isAt(found, place)) {
      return found;
    }
  }
}

/** Whether the place is what the row stands for, or is somewhere below it. */
function leadsTo(element: SharedElement, place: Place): boolean {
  switch (element.kind) {
    case 'account':
      return element.account.slug === place.account;
    case 'environment':
      return (
        place.kind !== 'account' &&
        element.environment.account === place.account &&
        element.environment.name === place.environment
      );
    case 'layer':
      return place.kind === 'file' && element.layer.id === place.target.nodeGroup;
    case 'node':
      // A whole layer has the files of each of its nodes: any of them will do.
      return place.kind === 'file' && [undefined, element.node.id].includes(place.target.nodeId);
    case 'entry':
      return (
        place.kind === 'file' &&
        !element.isConfiguration &&
        (element.place.path === place.path || place.path.startsWith(`${element.place.path}/`))
      );
    default:
      return false;
  }
}

function isAt(element: SharedElement, place: Place): boolean {
  switch (element.kind) {
    case 'account':
    case 'environment':
      return element.kind === place.kind;
    case 'layer':
      return place.kind === 'file' && place.path === '/' && place.target.nodeId === undefined;
    case 'node':
      return place.kind === 'file' && place.path === '/';
    case 'entry':
      return place.kind === 'file' && element.place.path === place.path;
    default:
      return false;
  }
}

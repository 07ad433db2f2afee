import { type FilePlace, keyOf } from '../../remote/place';
import { wholeLayer } from './saves';
import { Turns } from './turns';

/**
 * Whatever changes a file waits for earlier changes of it, and of the folders that it lies in. One file of a layer is one
 * file, whichever of its nodes is named: a save to all of them must not cross one to a single node.
 */
export class FileTurns {
  private readonly turns = new Turns(isSameOrInside);

  take<T>(places: readonly FilePlace[], work: () => Promise<T>): Promise<T> {
    return this.turns.take(
      places.map((place) => keyOf(wholeLayer(place))),
      work,
    );
  }
}

function isSameOrInside(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

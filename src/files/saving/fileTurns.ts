import { type FilePlace, keyOf } from '../../remote/place';
import { wholeLayer } from './saves';
import { Turns } from './turns';

/**
 * Queues changes to the same file, or to a folder that contains it. The nodes of a layer share a queue, so that a save to all
 * nodes doesn't overlap with a save to one of them.
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

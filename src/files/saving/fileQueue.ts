import { KeyedQueue } from '../../async/waiting';
import { type FilePlace, isPathWithin, keyOf, wholeLayer } from '../../containers/place';
import type { FileLocks } from '../../storage/windows';

/**
 * Queues changes to the same file, or to a folder that contains it. The nodes of a layer share a queue, so that a save to all
 * nodes doesn't overlap with a save to one of them. Other windows on this computer also wait for changes to the same file.
 */
export class FileQueue {
  private readonly queue = new KeyedQueue(isSameOrInside);

  constructor(private readonly locks: Pick<FileLocks, 'hold'>) {}

  take<T>(places: readonly FilePlace[], work: () => Promise<T>): Promise<T> {
    const keys = places.map((place) => keyOf(wholeLayer(place)));
    return this.queue.take(keys, () => this.locks.hold(keys, work));
  }
}

function isSameOrInside(one: string, other: string): boolean {
  return isPathWithin(one, other) || isPathWithin(other, one);
}

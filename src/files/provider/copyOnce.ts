import { changeOnce } from '../../platform/changeOnce';
import type { CallOptions } from '../../platform/client';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import { type FilePlace, nameOf, parentOf } from '../../containers/place';
import { compareTrees } from './sameTree';

/** Copies within one container. If the response was lost, the copy may still be running: it's done once everything exists. */
export async function copyOnce(
  from: FilePlace,
  to: FilePlace,
  containers: Containers,
  options: CallOptions = {},
): Promise<void> {
  await changeOnce(
    () => containers.copy(from, to, options),
    async () => {
      const sources = await containers.nodes(from);
      const targets = await containers.nodes(to);
      const likenesses = await Promise.all(
        sources.map((source, index) => likenessOf(source, targets[index] ?? to, containers, options)),
      );
      return likenesses.every((likeness) => likeness === 'same');
    },
  );
}

async function likenessOf(from: FilePlace, to: FilePlace, containers: Containers, { signal }: CallOptions) {
  const list = (folder: FilePlace): Promise<readonly FileEntry[]> => containers.list(folder, { signal });
  const find = async (place: FilePlace) =>
    (await list(parentOf(place) ?? place)).find(({ name }) => name === nameOf(place));
  const [one, other] = await Promise.all([find(from), find(to)]);
  return compareTrees({ place: from, entry: one }, { place: to, entry: other }, { list });
}

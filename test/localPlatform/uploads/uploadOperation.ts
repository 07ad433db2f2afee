import { answerWithRows, onEachNode } from '../files/eachNode';
import { locate, type Container } from '../files/place';
import { storeFile } from '../files/storeFile';
import type { Mounts } from '../mounts/mounts';
import type { Answer, Handler } from '../operation';
import { fetchLoopback } from './fetchLoopback';

const uploadTo = async (
  container: Container,
  { destPath, existing, bytes }: { destPath: string; existing: 'overwritten' | 'skipped'; bytes: Buffer },
): Promise<Answer> => {
  const place = locate(container, destPath, 'followed');
  if (place.stats?.isFile() === true && existing === 'skipped') return { out: `${destPath} exists: skipped` };
  await storeFile(container, place, bytes);
  return { out: `${bytes.length} bytes` };
};

/** Fetches once and stores on every node. By default, `overwrite` is false and existing files stay unchanged. */
export const upload =
  (mounts: Mounts): Handler =>
  async (call) => {
    const nodes = call.nodes();
    const bytes = await fetchLoopback(call.parameters.text('sourcePath'), call.signal);
    const existing = call.parameters.flag('overwrite') === true ? 'overwritten' : 'skipped';
    const destPath = call.parameters.text('destPath');
    const outcomes = await onEachNode(call, mounts, nodes, (container) =>
      uploadTo(container, { destPath, existing, bytes }),
    );
    return answerWithRows(outcomes, call.platform.behaviour.nodeFailures);
  };

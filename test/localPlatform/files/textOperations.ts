import { isUtf8 } from 'node:buffer';
import type { Behaviour } from '../behaviour';
import type { Mounts } from '../mounts/mounts';
import type { OperationTable } from '../operation';
import { replaceInText } from '../sed/replaceInText';
import { answeringContainer, onEachNode, plainAnswer } from './eachNode';
import { find, locate } from './place';
import { loadFile, storeFile } from './storeFile';

const textIn = (bytes: Buffer, how: Behaviour['readTexts']): string => {
  const text = bytes.toString(how === 'latin1' ? 'latin1' : 'utf8');
  const marked = how === 'withoutMark' || how === 'normalized' ? text.replace(/^\uFEFF/, '') : text;
  return how === 'lineFeeds' || how === 'normalized' ? marked.replaceAll('\r\n', '\n') : marked;
};

/** Reads and writes text files. */
export const textOperations = (mounts: Mounts): OperationTable => ({
  // JSON strings can't contain bytes, so invalid UTF-8 becomes U+FFFD, as on the real platform.
  Read: (call) => {
    const place = find(answeringContainer(call, mounts), call.parameters.text('path'), 'followed');
    return Promise.resolve({
      body: textIn(loadFile(place).subarray(0, call.platform.behaviour.readBytes), call.platform.behaviour.readTexts),
      source: 'JEL',
    });
  },

  Write: async (call) => {
    const bytes = Buffer.from(call.parameters.optionalText('body') ?? '', 'utf8');
    const { appendMode, overwriting } = call.platform.behaviour;
    const appends =
      call.parameters.flag('isAppendMode') === true ? appendMode === 'appends' : overwriting === 'appends';
    const outcomes = await onEachNode(call, mounts, call.nodes(), async (container) => {
      const place = locate(container, call.parameters.text('path'), 'followed');
      await storeFile(container, place, bytes, { how: appends ? 'append' : 'replace' });
      return {};
    });
    return plainAnswer(outcomes);
  },

  Append: async (call) => {
    const bytes = Buffer.from(call.parameters.optionalText('body') ?? '', 'utf8');
    const outcomes = await onEachNode(call, mounts, call.nodes(), async (container) => {
      await storeFile(container, find(container, call.parameters.text('path'), 'followed'), bytes, {
        how: 'append',
      });
      return {};
    });
    return plainAnswer(outcomes);
  },

  ReplaceInBody: async (call) => {
    const { parameters } = call;
    const most = parameters.optionalInteger('nth');
    const replaceIn = (encoding: BufferEncoding): ((text: string) => string) =>
      replaceInText(
        Buffer.from(parameters.text('pattern')).toString(encoding),
        Buffer.from(parameters.text('replacement')).toString(encoding),
        most,
      );
    replaceIn('utf8');
    const outcomes = await onEachNode(call, mounts, call.nodes(), async (container) => {
      const place = find(container, parameters.text('path'), 'followed');
      const bytes = loadFile(place);
      // A file that isn't UTF-8 is processed byte by byte, so that it keeps its bytes.
      const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
      await storeFile(container, place, Buffer.from(replaceIn(encoding)(bytes.toString(encoding)), encoding));
      return {};
    });
    return plainAnswer(outcomes);
  },
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { file } from '../../../../src/platform/contract/file';
import type { Conducts } from './scenario';
import { at, type Stage } from './stage';
import { tarOf } from './tarOf';

const text = 'one\ntwo ä€😀\n';
const missing = (stage: Stage): string => `${stage.folder}/is/not/there`;
const lockedFolder = '/etc/locked';

async function aFile(stage: Stage, content: string | Uint8Array = text): Promise<string> {
  await stage.put(`${stage.folder}/a.txt`, content);
  return `${stage.folder}/a.txt`;
}

/** Creates a file that belongs to root, which the container's user can read but not write. */
async function aLockedFile(stage: Stage, mode = 0o644): Promise<string> {
  await stage.put(`${lockedFolder}/root.conf`, text, mode);
  return `${lockedFolder}/root.conf`;
}

const onDisk = (stage: Stage, path: string, node: number = stage.nodes[0]): Promise<string> =>
  readFile(join(stage.platform.nodeFolder(node), path), 'utf8');

async function served(stage: Stage): Promise<string> {
  const uploaded = await stage.client.upload({ session: stage.session, name: 'u.bin', bytes: Buffer.from(text) });
  return uploaded.file;
}

const inDatabase = (stage: Stage) => ({ ...at(stage), nodeId: stage.database });

export const fileConducts: Conducts<keyof typeof file> = {
  Append: {
    works: async (stage) => ({ ...at(stage), path: await aFile(stage), body: 'three' }),
    shows: async (_, stage) => {
      for (const node of stage.nodes) assert.equal(await onDisk(stage, `${stage.folder}/a.txt`, node), `${text}three`);
    },
    fails: {
      4035: (stage) => ({ ...at(stage), path: missing(stage), body: 'x' }),
      4037: async (stage) => ({ ...at(stage), path: await aLockedFile(stage), body: 'x' }),
    },
  },
  Copy: {
    works: async (stage) => ({ ...at(stage), src: await aFile(stage), dest: `${stage.folder}/b.txt` }),
    shows: async (_, stage) => assert.equal(await onDisk(stage, `${stage.folder}/b.txt`), text),
    fails: {
      4037: async (stage) => ({ ...at(stage), src: await aFile(stage), dest: `${lockedFolder}/b` }),
      4041: async (stage) => {
        await stage.makeFolder(`${stage.folder}/d`);
        return { ...at(stage), src: await aFile(stage), dest: `${stage.folder}/d` };
      },
      4042: async (stage) => ({ ...at(stage), src: await aFile(stage), dest: missing(stage) }),
      4046: (stage) => ({ ...at(stage), src: missing(stage), dest: `${stage.folder}/b` }),
      4047: async (stage) => {
        await stage.put(`${stage.folder}/b.txt`, 'other');
        return { ...at(stage), src: await aFile(stage), dest: `${stage.folder}/b.txt` };
      },
    },
  },
  Create: {
    works: (stage) => ({ ...at(stage), path: `${stage.folder}/new`, isdir: true }),
    shows: ({ isDirectory, path, responses }, { folder, nodes }) => {
      assert.equal(isDirectory, true);
      assert.equal(path, `${folder}/new`);
      assert.deepEqual(
        responses.map(({ nodeId }) => nodeId),
        nodes,
      );
    },
    fails: {
      4035: (stage) => ({ ...at(stage), path: missing(stage) }),
      4036: async (stage) => ({ ...at(stage), path: await aFile(stage) }),
      4037: async (stage) => {
        await aLockedFile(stage);
        return { ...at(stage), path: `${lockedFolder}/new` };
      },
    },
  },
  Delete: {
    works: async (stage) => ({ ...at(stage), path: await aFile(stage) }),
    shows: async ({ responses }, stage) => {
      assert.equal(responses.length, 2);
      await assert.rejects(onDisk(stage, `${stage.folder}/a.txt`), { code: 'ENOENT' });
    },
    fails: {
      4035: (stage) => ({ ...at(stage), path: missing(stage) }),
      4037: async (stage) => ({ ...at(stage), path: await aLockedFile(stage) }),
    },
  },
  GetList: {
    works: async (stage) => {
      await aFile(stage);
      await stage.makeFolder(`${stage.folder}/d`);
      return { ...at(stage), path: stage.folder };
    },
    shows: ({ entries }, { folder }) => {
      assert.deepEqual(
        entries.map(({ absolutePath, isDir, fileType, length }) => [absolutePath, isDir, fileType, isDir ? 0 : length]),
        [
          [`${folder}/a.txt`, false, 'regular file', Buffer.byteLength(text)],
          [`${folder}/d`, true, 'directory', 0],
        ],
      );
    },
    fails: {
      3: (stage) => ({ ...at(stage), path: stage.folder, filter: '(' }),
      4035: (stage) => ({ ...at(stage), path: missing(stage) }),
      4102: async (stage) => ({ ...at(stage), path: await aFile(stage) }),
    },
  },
  Read: {
    works: async (stage) => ({ ...at(stage), path: await aFile(stage) }),
    shows: ({ body }) => assert.equal(body, text),
    fails: {
      4035: (stage) => ({ ...at(stage), path: missing(stage) }),
      4037: async (stage) => ({ ...at(stage), path: await aLockedFile(stage, 0o600) }),
    },
  },
  Rename: {
    works: async (stage) => ({ ...at(stage), oldPath: await aFile(stage), newPath: `${stage.folder}/b.txt` }),
    shows: async (_, stage) => assert.equal(await onDisk(stage, `${stage.folder}/b.txt`), text),
    fails: {
      2333: async (stage) => {
        stage.platform.behaviour.renameAcrossFolders = 'refused';
        await stage.makeFolder(`${stage.folder}/d`);
        return { ...at(stage), oldPath: await aFile(stage), newPath: `${stage.folder}/d/a.txt` };
      },
      4035: (stage) => ({ ...at(stage), oldPath: missing(stage), newPath: `${stage.folder}/b` }),
      4036: async (stage) => {
        await stage.put(`${stage.folder}/b.txt`, 'other');
        return { ...at(stage), oldPath: await aFile(stage), newPath: `${stage.folder}/b.txt` };
      },
      4037: async (stage) => ({ ...at(stage), oldPath: await aLockedFile(stage), newPath: `${lockedFolder}/other` }),
    },
  },
  ReplaceInBody: {
    works: async (stage) => ({ ...at(stage), path: await aFile(stage), pattern: 'o', replacement: '0' }),
    shows: async (_, stage) => assert.equal(await onDisk(stage, `${stage.folder}/a.txt`), '0ne\ntw0 ä€😀\n'),
    fails: {
      3: async (stage) => ({ ...at(stage), path: await aFile(stage), pattern: '\\(', replacement: '' }),
      4035: (stage) => ({ ...at(stage), path: missing(stage), pattern: 'x', replacement: 'y' }),
      4037: async (stage) => ({ ...at(stage), path: await aLockedFile(stage), pattern: 'o', replacement: 'y' }),
    },
  },
  UnpackById: {
    works: async (stage) => ({
      ...at(stage),
      nodeId: stage.nodes[0],
      sourcePath: await aFile(stage, tarOf('inside.txt', text)),
      destPath: `${stage.folder}/unpacked`,
    }),
    shows: async (_, stage) => assert.equal(await onDisk(stage, `${stage.folder}/unpacked/inside.txt`), text),
    fails: {
      5: (stage) => ({ ...at(stage), nodeId: 1, sourcePath: '/a', destPath: '/b' }),
      4035: (stage) => ({ ...inDatabase(stage), sourcePath: missing(stage), destPath: '/var/lib/backup' }),
      4175: async (stage) => ({
        ...at(stage),
        nodeId: stage.nodes[0],
        sourcePath: await aFile(stage),
        destPath: stage.folder,
      }),
    },
  },
  UnpackByType: {
    works: async (stage) => ({
      ...at(stage),
      nodeType: 'nginxphp',
      sourcePath: await aFile(stage, tarOf('inside.txt', text)),
      destPath: `${stage.folder}/unpacked`,
    }),
    shows: async (_, stage) => {
      for (const node of stage.nodes) {
        assert.equal(await onDisk(stage, `${stage.folder}/unpacked/inside.txt`, node), text);
      }
    },
    fails: {
      5: (stage) => ({ ...at(stage), nodeType: 'no-such-stack', sourcePath: '/a', destPath: '/b' }),
      4035: (stage) => ({ ...at(stage), nodeType: 'mysql', sourcePath: missing(stage), destPath: '/var/lib/backup' }),
      4037: async (stage) => ({
        ...at(stage),
        nodeType: 'nginxphp',
        sourcePath: await aFile(stage, tarOf('inside.txt', text)),
        destPath: lockedFolder,
      }),
      4175: async (stage) => ({
        ...at(stage),
        nodeType: 'nginxphp',
        sourcePath: await aFile(stage),
        destPath: stage.folder,
      }),
    },
  },
  Upload: {
    works: async (stage) => ({ ...at(stage), sourcePath: await served(stage), destPath: `${stage.folder}/u.bin` }),
    shows: async (_, stage) => assert.equal(await onDisk(stage, `${stage.folder}/u.bin`), text),
    fails: {
      3: (stage) => ({ ...at(stage), sourcePath: 'https://elsewhere.example/x', destPath: `${stage.folder}/u` }),
      99: (stage) => ({
        ...at(stage),
        sourcePath: `${stage.platform.origin}/xssu/rest/download/none`,
        destPath: `${stage.folder}/u`,
      }),
      4035: async (stage) => ({ ...at(stage), sourcePath: await served(stage), destPath: missing(stage) }),
      4037: async (stage) => {
        await aLockedFile(stage);
        return { ...at(stage), sourcePath: await served(stage), destPath: `${lockedFolder}/u.bin` };
      },
    },
  },
  Write: {
    works: (stage) => ({ ...at(stage), path: `${stage.folder}/w.txt`, body: text, isAppendMode: false }),
    shows: async (_, stage) => assert.equal(await onDisk(stage, `${stage.folder}/w.txt`), text),
    fails: {
      4035: (stage) => ({ ...at(stage), path: missing(stage), body: 'x' }),
      4037: async (stage) => ({ ...at(stage), path: await aLockedFile(stage), body: 'x' }),
    },
  },
};

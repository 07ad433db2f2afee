import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, Uri, window } from 'vscode';
import { scratchFolder } from '../../../host/folders';
import { tarOf } from '../../../unit/platform/conduct/tarOf';
import { openInEditor, type } from '../editing';
import { labelOf } from '../trees';
import type { Performance } from './performance';
import type { Stage } from './stage';

const folder = '/home/nginx/work';

export const filePerformances: readonly Performance[] = [
  {
    operation: 'Create',
    effect: 'the folder is on the node’s disk',
    play: async (stage) => {
      await stage.does('gantry.folder.create', [stage.uri('cp', '/home/nginx')], ['created']);
      assert.ok((await stat(stage.disk('cp', '/home/nginx/created'))).isDirectory());
    },
  },
  {
    operation: 'GetList',
    effect: 'the rows are the contents of the folder on the node’s disk',
    play: async (stage) => {
      const rows = await stage.unfolds(
        'Environments',
        stage.parts.environmentsView,
        'Saltmarsh Tea',
        'Database',
        'MySQL 8.4',
        'var',
        'lib',
      );
      const shown = rows.map((row) => labelOf(stage.parts.environmentsView, row));
      assert.deepEqual(shown.sort(), (await readdir(stage.disk('sqldb', '/var/lib'))).sort());
    },
  },
  {
    operation: 'Read',
    effect: 'the editor shows the text on the node’s disk',
    play: async (stage) => {
      await stage.does('gantry.file.open', [stage.uri('cp', '/etc/php.ini')]);
      const text = window.activeTextEditor?.document.getText();
      assert.equal(text, await readFile(stage.disk('cp', '/etc/php.ini'), 'utf8'));
    },
  },
  {
    operation: 'Write',
    effect: 'the node’s disk has the text of the editor, which has no unsaved changes',
    play: async (stage) => {
      const document = await openInEditor(await put(stage, 'site.conf', 'listen 80;\n'));
      await type(document, '# written by hand\n');
      await stage.does('workbench.action.files.save');
      assert.ok(!document.isDirty);
      assert.equal(document.getText(), '# written by hand\nlisten 80;\n');
      assert.equal(await onDisk(stage, 'site.conf'), document.getText());
    },
  },
  {
    operation: 'Append',
    effect: 'the file on the node’s disk ends with the line',
    play: async (stage) => {
      const file = await put(stage, 'notes.txt', 'first\n');
      await env.clipboard.writeText('second');
      await stage.does('gantry.file.append', [file], ['From clipboard']);
      assert.equal(
        await readFile(stage.disk('cp', file.path.slice(file.path.indexOf(folder))), 'utf8'),
        'first\nsecond\n',
      );
    },
  },
  {
    operation: 'ReplaceInBody',
    effect: 'every match in the file on the node’s disk is replaced',
    play: async (stage) => {
      const file = await put(stage, 'port.conf', 'listen 80;\nlisten 80;\n');
      await stage.does('gantry.file.replace', [file], ['80', '8080', '']);
      assert.equal(await onDisk(stage, 'port.conf'), 'listen 8080;\nlisten 8080;\n');
    },
  },
  {
    operation: 'Rename',
    effect: 'the file is on the node’s disk under its new name only',
    play: async (stage) => {
      const file = await put(stage, 'draft.txt', 'the same\n');
      await stage.does('gantry.file.rename', [file], ['final.txt']);
      assert.equal(await onDisk(stage, 'final.txt'), 'the same\n');
      assert.ok(!existsSync(stage.disk('cp', `${folder}/draft.txt`)));
    },
  },
  {
    operation: 'Copy',
    effect: 'the file is in both folders on the node’s disk',
    play: async (stage) => {
      const file = await put(stage, 'twice.txt', 'two of them\n');
      await stage.does('gantry.file.copy', [file]);
      await stage.does('gantry.folder.paste', [stage.uri('cp', '/tmp')]);
      assert.equal(await readFile(stage.disk('cp', '/tmp/twice.txt'), 'utf8'), 'two of them\n');
      assert.equal(await onDisk(stage, 'twice.txt'), 'two of them\n');
    },
  },
  {
    operation: 'Upload',
    effect: 'the node’s disk has the same bytes, which aren’t text',
    play: async (stage) => {
      const local = join(scratchFolder('upload'), 'logo.bin');
      const bytes = Buffer.from([0, 255, 254, 1, 128, 10, 13]);
      await writeFile(local, bytes);
      await mkdir(stage.disk('cp', folder), { recursive: true });
      await stage.does('gantry.folder.uploadFiles', [stage.uri('cp', folder)], [{ files: [Uri.file(local)] }]);
      assert.deepEqual(await readFile(stage.disk('cp', `${folder}/logo.bin`)), bytes);
    },
  },
  {
    operation: 'UnpackById',
    effect: 'the contents of the archive are on the disk of that node only',
    play: async (stage) => {
      await mkdir(stage.disk('cp', '/tmp/one'));
      const archive = await put(stage, 'site.tar', tarOf('index.html', 'unpacked\n'));
      await stage.does('gantry.archive.unpack', [archive], ['/tmp/one', 'Unpack']);
      assert.equal(await readFile(stage.disk('cp', '/tmp/one/index.html'), 'utf8'), 'unpacked\n');
      assert.ok(!existsSync(stage.disk('cp', '/tmp/one/index.html', 1)));
    },
  },
  {
    operation: 'UnpackByType',
    effect: 'the contents of the archive are on the disks of all nodes of the type',
    play: async (stage) => {
      for (const index of [0, 1]) {
        await mkdir(stage.disk('cp', '/tmp/all', index), { recursive: true });
        await writeFile(stage.disk('cp', '/tmp/all.tar', index), tarOf('index.html', `node ${index}\n`));
      }
      stage.parts.listings.forgetAll();
      await stage.does('gantry.archive.unpackOnType', [stage.uri('cp', '/tmp/all.tar')], ['/tmp/all', 'Unpack']);
      for (const index of [0, 1]) {
        assert.equal(await readFile(stage.disk('cp', '/tmp/all/index.html', index), 'utf8'), `node ${index}\n`);
      }
    },
  },
  {
    operation: 'Delete',
    effect: 'the folder and its contents are gone from the node’s disk',
    play: async (stage) => {
      const deleted = `${folder}/deleted`;
      await mkdir(stage.disk('cp', `${deleted}/below`), { recursive: true });
      await put(stage, 'deleted/below/notes.txt', 'first\n');
      await stage.does('gantry.file.delete', [stage.uri('cp', deleted)], ['Delete']);
      assert.ok(!existsSync(stage.disk('cp', deleted)));
    },
  },
];

/** Creates a file that existed in the container before anyone listed it. */
async function put(stage: Stage, name: string, content: string | Uint8Array): Promise<Uri> {
  await mkdir(stage.disk('cp', folder), { recursive: true });
  await writeFile(stage.disk('cp', `${folder}/${name}`), content);
  stage.parts.listings.forgetAll();
  return stage.uri('cp', `${folder}/${name}`);
}

function onDisk(stage: Stage, name: string): Promise<string> {
  return readFile(stage.disk('cp', `${folder}/${name}`), 'utf8');
}

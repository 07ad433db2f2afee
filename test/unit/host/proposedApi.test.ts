import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { scratchFolder } from '../../host/folders';
import { proposedApiReplacements } from '../../host/install/proposedApi';
import { replaceInFiles } from '../../host/install/replaceInFiles';

const rule = 'function a$(b,c){return!0}';
const guard =
  "function d(b,c){if(!a$(b,c))throw new Error(`Extension '${b.identifier.value}' CANNOT use API proposal: ${c}.`)}";
const flag = 'this.e=new Set((f.extensionEnabledProposedApi??[]).map(g=>h.toKey(g))),this.i=!0,this.j=new Map';

describe("VS Code's rule for proposed APIs", () => {
  let folder: string;
  beforeEach(() => (folder = scratchFolder('proposed')));
  afterEach(() => rm(folder, { recursive: true }));

  const path = (file: string) => join(folder, file);
  const place = (text: string) => {
    for (const { file } of proposedApiReplacements) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    }
  };
  const restore = () => replaceInFiles(folder, proposedApiReplacements);

  it('is restored in both files that code-server changed', async () => {
    const other = 'function e(b,c){return!0}';
    place(`${other}${rule}${guard}${flag}`);
    await restore();
    const [extensionHost = '', workbench = ''] = proposedApiReplacements.map(({ file }) =>
      readFileSync(path(file), 'utf8'),
    );
    const restored = `${other}function a$(b,c){return!!b.enabledApiProposals?.includes(c)}${guard}`;
    assert.equal(extensionHost, restored + flag);
    assert.equal(workbench, restored + flag.replace('!0', '!1'));
  });

  it('makes the installation fail if its code is not found exactly once', async () => {
    for (const text of [guard + flag, rule + flag, rule + guard, rule + guard + rule + guard + flag]) {
      place(text);
      await assert.rejects(restore(), /must match once/);
    }
  });
});

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before } from 'mocha';
import { commands, type Uri, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { filePlaceOf } from '../../../src/containers/place';
import type { Parts } from './parts';
import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { fileUri } from './gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from './oneLayer';

/** A layer with two nodes, with files to edit and save. Call this in a `describe`: it adds the hooks. */
export class SavingStage {
  private started: OneLayer | undefined;
  private count = 0;

  constructor() {
    before(async () => {
      this.started = await startOneLayer({ nodes: 2 });
    });
    afterEach(() => clearOneLayer(this.platform));
    after(() => endOneLayer(this.layer));
  }

  get platform(): LocalPlatform {
    return this.layer.platform;
  }

  get account(): Account {
    return this.layer.account;
  }

  get parts(): Parts {
    return this.layer.parts;
  }

  get nodes(): readonly number[] {
    return this.layer.nodes;
  }

  readonly onDisk = (path: string, node = 0) => join(this.platform.nodeFolder(this.nodes[node] ?? 0), path);
  readonly text = (path: string, node = 0) => readFile(this.onDisk(path, node), 'utf8');
  readonly operations = () => this.platform.journal.arrivals.map(({ operation }) => operation);
  readonly link = (command: string, uri: Uri) => commands.executeCommand(`gantry.conflict.${command}`, uri);

  readonly put = async (path: string, content: string | Buffer, node = 0) => {
    await mkdir(dirname(this.onDisk(path, node)), { recursive: true });
    await writeFile(this.onDisk(path, node), content);
  };

  readonly keptOf = async (uri: Uri) => {
    const place = filePlaceOf(uri);
    assert.ok(place);
    return this.parts.files.kept.find(place);
  };

  /**
   * Creates a file on both nodes and opens its document. Only tests of editors show it, because rendering takes longer
   * than a save.
   */
  readonly opened = async (content: string, target = `cp~${this.nodes[0]}`) => {
    this.count += 1;
    const path = `/srv/case-${this.count}/site.conf`;
    await this.put(path, content);
    await this.put(path, content, 1);
    this.parts.listings.forgetAll();
    const document = await workspace.openTextDocument(fileUri(this.account, 'shop', target, path));
    this.platform.journal.reset();
    return { path, document, uri: document.uri };
  };

  private get layer(): OneLayer {
    assert.ok(this.started, 'the stage is used in a test or a hook');
    return this.started;
  }
}

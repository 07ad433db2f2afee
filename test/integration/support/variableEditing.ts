import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'mocha';
import { commands, type TextDocument, window, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from './parts';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { closeWithoutSaving, replaceAll } from './editing';
import { until } from './event';
import { gantry } from './gantry';
import { type Answer, Person } from './person';

/** An account on a platform of its own, whose nodes have the sample's variables before each test. */
export class VariableEditing {
  private started: { readonly platform: LocalPlatform; readonly parts: Parts; readonly account: Account } | undefined;
  private originals: readonly Readonly<Record<string, string>>[] = [];
  private count = 0;
  samples: readonly Readonly<Record<string, string>>[] = [];
  person = new Person();

  constructor(private readonly slug: string) {
    this.person.leave();
    before(() => this.start());
    beforeEach(() => this.prepare());
    afterEach(() => this.tidyUp());
    after(() => this.stop());
  }

  get platform(): LocalPlatform {
    return (this.started ?? assert.fail('not started')).platform;
  }

  get account(): Account {
    return (this.started ?? assert.fail('not started')).account;
  }

  get parts(): Parts {
    return (this.started ?? assert.fail('not started')).parts;
  }

  nodes = () => this.platform.nodes('shop', 'cp');
  layer = () => ({ environment: { account: this.slug, name: 'shop' }, layer: { id: 'cp' } });
  node = (index: number) => ({ ...this.layer(), node: { id: this.nodes()[index]?.id ?? 0 } });
  /** The variables that a node has on the platform. */
  held = (index: number) => this.nodes()[index]?.variables ?? {};

  edit = async (row: unknown): Promise<TextDocument> => {
    await commands.executeCommand('gantry.variables.edit', row);
    const document = window.activeTextEditor?.document ?? assert.fail('nothing was opened');
    await this.untilIn(document, `TEST=${this.count}\n`);
    return document;
  };

  change = (document: TextDocument, from: string | RegExp, to: string) =>
    replaceAll(
      document,
      document.getText().replace(from, () => to),
    );

  saving = (document: TextDocument, ...answers: readonly Answer[]) =>
    this.person.answering(answers, () => document.save());

  /** The changes that the platform was asked for. */
  sent = () =>
    this.platform.journal.entries
      .filter(({ operation }) => /^(Add|Remove|Set)ContainerEnvVars$/.test(operation))
      .map(({ operation, parameters: { vars = '', nodeId, nodeGroup } }) => ({
        [operation]: JSON.parse(vars) as unknown,
        ...(nodeId === undefined ? { nodeGroup } : { nodeId: Number(nodeId) }),
      }));

  seen = () => this.person.seen.join('\n');

  /** Saves as VS Code does, to see the message of a failed save. */
  messageOf = async (document: TextDocument, ...answers: readonly Answer[]): Promise<string> => {
    const content = new TextEncoder().encode(document.getText());
    return this.person.answering(answers, async () =>
      workspace.fs.writeFile(document.uri, content).then(
        () => assert.fail('was saved'),
        (error: unknown) => String(error),
      ),
    );
  };

  /** VS Code reads a document again in its own time. */
  untilIn = (document: TextDocument, text: string) =>
    until(workspace.onDidChangeTextDocument, () => document.getText().includes(text));

  /** Signs out during the work, and then in again. */
  signedOut = async (work: () => Promise<void>): Promise<void> => {
    const { platform, parts } = this;
    await parts.accounts.remove(this.slug);
    try {
      await work();
    } finally {
      await this.signIn(platform, parts);
    }
  };

  private async signIn(platform: LocalPlatform, parts: Parts): Promise<void> {
    const token = await platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
    const address = platform.origin;
    await parts.accounts.add({ slug: this.slug, label: 'V', address, transport: 'form', token });
  }

  private async start(): Promise<void> {
    const platform = await startPlatform({ withoutProject: true });
    this.originals = platform.nodes('shop', 'cp').map(({ variables }) => variables);
    const parts = await gantry();
    const { slug } = this;
    await this.signIn(platform, parts);
    this.started = { platform, parts, account: parts.accounts.find(slug) ?? assert.fail('no account') };
  }

  private prepare(): void {
    this.person = new Person();
    // VS Code keeps closed documents for a while. This tells which ones it has read again.
    this.count += 1;
    this.samples = this.originals.map((variables) => ({ ...variables, TEST: String(this.count) }));
    this.nodes().forEach((node, index) => (node.variables = { ...this.samples[index] }));
    this.platform.journal.reset();
  }

  private async tidyUp(): Promise<void> {
    this.platform.faults.clear();
    this.platform.behaviour.addedVariables = 'overwrite';
    this.platform.behaviour.extras = 'present';
    this.parts.accounts.forgetRights();
    this.person.leave();
    await closeWithoutSaving();
  }

  private async stop(): Promise<void> {
    await this.started?.parts.accounts.remove(this.slug);
    await this.started?.platform.dispose();
  }
}

export const without = (name: string, values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));

import assert from 'node:assert/strict';
import { FilePermission, type TextDocument, type Uri, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import type { Environment, Layer as EnvironmentLayer } from '../../../src/containers/environment';
import { uriOf } from '../../../src/containers/uris';
import { Layer, LayerFile } from '../../scene/layer';
import type { NewToken } from '../../localPlatform/accounts/accounts';
import { onStage } from '../../scene/onStage';
import { Scene, type SceneOptions } from '../../scene/scene';
import { closeWithoutSaving, openInEditor } from './editing';
import { gantry, signedIn } from './gantry';
import type { Parts } from './parts';
import { Person } from './person';

interface WindowSceneOptions extends SceneOptions {
  /** Nobody is signed in. */
  readonly signedOut?: true;
}

type AccountDetails = Partial<Pick<StoredAccount, 'label' | 'transport'>>;

/** A scene in front of a VS Code window, with a signed-in account, the parts of the running extension, and a person. */
export class WindowScene extends Scene {
  /** Is there from the first answer in a test until its end. */
  readonly person = new Person({ comes: 'toAnswer' });
  private readonly signedOut: boolean;
  private extension: Parts | undefined;
  private user: Account | undefined;

  constructor({ signedOut, ...options }: WindowSceneOptions = {}) {
    super(options);
    this.signedOut = signedOut === true;
  }

  override environment(name: string) {
    return {
      layer: (...[layer, wanted]: Parameters<ReturnType<Scene['environment']>['layer']>) =>
        new WindowLayer(this, name, this.declare(name, layer, wanted)),
    };
  }

  get parts(): Parts {
    assert.ok(this.extension, 'the scene is used in a test or a hook');
    return this.extension;
  }

  get account(): Account {
    assert.ok(this.user, 'somebody is signed in');
    return this.user;
  }

  override get slug(): string {
    return this.account.slug;
  }

  /** Gantry reads everything from the platform again, and requests count from now on. */
  readonly forget = (): void => {
    this.parts.listings.forgetAll();
    this.platform.journal.reset();
  };

  readonly signIn = async (): Promise<Account> => (this.user = await signedIn(this.platform));

  /** Signs in with an access token that permits this. */
  readonly signInWith = async (wanted: NewToken, slug = 'token', details?: AccountDetails): Promise<Account> =>
    (this.user = await this.addAccount(wanted, slug, details));

  /** Signs in with a second one, which is to be removed. */
  readonly addAccount = async (
    wanted: NewToken,
    slug: string,
    { label = slug, transport = 'form' }: AccountDetails = {},
  ): Promise<Account> => {
    const { accounts } = this.parts;
    const token = await this.platform.createToken(wanted);
    await accounts.add({ slug, label, address: this.platform.origin, transport, token });
    const account = accounts.find(slug);
    assert.ok(account);
    return account;
  };

  /** Opens a session with the password, for what the account's token doesn't permit. */
  readonly unlock = () => {
    const { email, password } = this.platform.sample;
    return this.parts.unlocking.unlock(this.slug, email, password);
  };

  readonly signOut = async (): Promise<void> => {
    const { user } = this;
    if (user === undefined) return;
    await this.parts.unlocking.lock(user.slug);
    await this.parts.accounts.remove(user.slug);
    this.user = undefined;
  };

  override async start(): Promise<void> {
    await super.start();
    this.extension = await gantry();
    if (this.signedOut) return;
    await this.signIn();
    this.platform.journal.reset();
  }

  /** Also closes all editors without saving. */
  override async clear(): Promise<void> {
    this.person.leave();
    await super.clear();
    await closeWithoutSaving();
  }

  override async end(): Promise<void> {
    await this.signOut();
    await super.end();
  }
}

export class WindowLayer extends Layer<WindowScene> {
  override below(folder: string): WindowLayer {
    return new WindowLayer(this.scene, this.environment, this.name, this.inside(folder));
  }

  readonly uri = (path: string, node = 0): Uri => uriOf(this.place(path, node));
  /** The same on the layer as a whole. */
  readonly layerUri = (path: string): Uri => uriOf(this.onLayer(path));

  /** The environment and the layer as Gantry lists them. */
  readonly listed = async (): Promise<{ readonly environment: Environment; readonly layer: EnvironmentLayer }> => {
    const listed = await this.scene.parts.environments.of(this.scene.account);
    const environment = listed.find(({ name }) => name === this.environment);
    const layer = environment?.layers.find(({ id }) => id === this.name);
    assert.ok(environment && layer, `${this.environment} and ${this.name} are listed`);
    return { environment, layer };
  };

  /** What a command receives of the layer's row, and of a node's. */
  readonly row = () => ({
    environment: { account: this.scene.slug, name: this.environment },
    layer: { id: this.name },
  });
  readonly nodeRow = (node = 0) => ({ ...this.row(), node: { id: this.nodeId(node) } });

  /** A file that Gantry hasn't heard of before. */
  override readonly file = async (path: string, content: string | Uint8Array): Promise<WindowFile> => {
    await this.putEverywhere(path, content);
    this.scene.parts.listings.forgetAll();
    return new WindowFile(this, path);
  };

  /** The same in a folder that no earlier test used, because VS Code may still know that one. */
  readonly newFile = (name: string, content: string | Uint8Array): Promise<WindowFile> =>
    this.file(this.fresh(name), content);

  /** Opens the document of such a file. Requests count from then on. */
  readonly opened = async (content: string, { wholeLayer = false, name = 'site.conf' } = {}) => {
    const file = await this.newFile(name, content);
    const uri = wholeLayer ? this.layerUri(file.path) : file.uri;
    const document = await workspace.openTextDocument(uri);
    this.scene.platform.journal.reset();
    return { file, path: file.path, document, uri };
  };
}

export class WindowFile extends LayerFile<WindowLayer> {
  get uri(): Uri {
    return this.layer.uri(this.path);
  }

  /** Opens it without an editor, because rendering one takes longer than a save. */
  readonly document = (): Thenable<TextDocument> => workspace.openTextDocument(this.uri);
  readonly inEditor = (): Promise<TextDocument> => openInEditor(this.uri);
  readonly isReadOnly = async (): Promise<boolean> =>
    (await workspace.fs.stat(this.uri)).permissions === FilePermission.Readonly;
  readonly whyReadOnly = () => this.layer.scene.parts.files.readOnly.reasonFor(this.place, {});
  /** Returns what Gantry keeps on this computer of a save that may not have arrived. */
  readonly kept = () => this.layer.scene.parts.files.saveBackups.find(this.place);
}

/** A scene in front of this window. Call this in a `describe`: it adds the hooks. */
export function windowScene(options?: WindowSceneOptions): WindowScene {
  return onStage(new WindowScene(options));
}

import assert from 'node:assert/strict';
import type { Containers } from '../../src/containers/containers';
import type { Listings } from '../../src/containers/listings';
import type { FilePlace } from '../../src/containers/place';
import type { ServerFiles, TextVersion } from '../../src/files/saving/serverFiles';
import { Connection, type ConnectionOptions } from '../unit/files/connection';
import { Layer } from './layer';
import { Scene, type SceneOptions } from './scene';

type ConnectedSceneOptions = SceneOptions & Omit<ConnectionOptions, 'origin' | 'token'>;

/** A scene with Gantry's connection to its files, without VS Code. */
export class ConnectedScene extends Scene {
  private connected: { readonly connection: Connection; readonly token: string } | undefined;

  private readonly wishes: Pick<ConnectionOptions, 'deadline' | 'transport' | 'tokenCheck'>;

  constructor({ deadline, transport, tokenCheck, ...options }: ConnectedSceneOptions = {}) {
    super(options);
    this.wishes = { deadline, transport, tokenCheck };
  }

  override environment(name: string) {
    return {
      layer: (...[layer, wanted]: Parameters<ReturnType<Scene['environment']>['layer']>) =>
        new Layer<ConnectedScene>(this, name, this.declare(name, layer, wanted)),
    };
  }

  /** A session token, for more connections to the platform. */
  get token(): string {
    return this.session.token;
  }

  get containers(): Containers {
    return this.session.connection.containers;
  }

  get listings(): Listings {
    return this.session.connection.listings;
  }

  get files(): ServerFiles {
    return this.session.connection.files;
  }

  /** Returns the version that an editor has after it opens the file. */
  readonly open = (place: FilePlace): Promise<TextVersion> => this.session.connection.open(place);

  override async start(): Promise<void> {
    await super.start();
    const { origin } = this.platform;
    const token = await this.platform.createSession();
    this.connected = { token, connection: new Connection({ origin, token, ...this.wishes }) };
  }

  override async end(): Promise<void> {
    // This waits for its requests, and clearing the scene releases those that hang.
    await this.clear();
    await this.connected?.connection.close();
    this.connected = undefined;
    await super.end();
  }

  private get session() {
    assert.ok(this.connected, 'the scene is used in a test or a hook');
    return this.connected;
  }
}

export type ConnectedLayer = Layer<ConnectedScene>;

/** Starts a scene with one layer, for work that isn't a suite. Its scene is to be ended. */
export async function startLayer({
  nodes = 1,
  ...options
}: ConnectedSceneOptions & { readonly nodes?: number } = {}): Promise<ConnectedLayer> {
  const scene = new ConnectedScene(options);
  const layer = scene.environment('shop').layer('cp', { nodes });
  await scene.start();
  return layer;
}

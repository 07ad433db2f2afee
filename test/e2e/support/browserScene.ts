import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { onStage } from '../../scene/onStage';
import { Scene, type SceneOptions } from '../../scene/scene';
import { type GantryWindow, openGantry } from './gantryWindow';

interface BrowserSceneOptions extends SceneOptions {
  readonly window?: Parameters<typeof openGantry>[0];
}

/** A scene in front of a VS Code window in a browser, which opens once the platform runs. */
export class BrowserScene extends Scene {
  private readonly setUp: BrowserSceneOptions['window'];
  private opened: GantryWindow | undefined;

  constructor({ window, ...options }: BrowserSceneOptions) {
    super(options);
    this.setUp = window;
  }

  get gantry(): GantryWindow {
    assert.ok(this.opened, 'the scene is used in a test or a hook');
    return this.opened;
  }

  get page(): Page {
    return this.gantry.page;
  }

  override async start(): Promise<void> {
    await super.start();
    this.opened = await openGantry(this.setUp);
  }

  override async end(): Promise<void> {
    await this.opened?.close();
    this.opened = undefined;
    await super.end();
  }
}

/** A scene in front of a window. Call this in a `describe`: it adds the hooks. */
export function browserScene(options: BrowserSceneOptions): BrowserScene {
  return onStage(new BrowserScene(options));
}

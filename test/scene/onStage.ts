import { after, afterEach, before, beforeEach } from 'mocha';
import type { Scene } from './scene';

/** Starts a scene before the tests of a suite, clears it after each, and ends it after all. Call this in a `describe`. */
export function onStage<S extends Scene>(scene: S): S {
  before(() => scene.start());
  afterEach(() => scene.clear());
  after(() => scene.end());
  return scene;
}

/** Starts a scene before each test, and ends it after each. Call this in a `describe`. */
export function onStageEachTime<S extends Scene>(scene: S): S {
  beforeEach(() => scene.start());
  afterEach(() => scene.end());
  return scene;
}

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../../host/folders';
import { installOnce } from '../../host/install/installOnce';

describe('an installation in the cache', () => {
  const place = { within: '' };
  beforeEach(() => (place.within = scratchFolder('install')));
  afterEach(() => rm(place.within, { recursive: true }));

  const writes = (text: string) => (folder: string) => writeFile(join(folder, 'text'), text);
  const failsHalfway = async (folder: string): Promise<void> => {
    await writes('half')(folder);
    throw new Error('the line went dead');
  };

  it('is built once', async () => {
    const { within } = place;
    const first = await installOnce({ name: 'thing', version: '1', within, build: writes('first') });
    const again = await installOnce({ name: 'thing', version: '1', within, build: writes('again') });
    assert.equal(again, first);
    assert.equal(readFileSync(join(first, 'text'), 'utf8'), 'first');
  });

  it('is removed if the build failed, and can be built again', async () => {
    const { within } = place;
    await assert.rejects(installOnce({ name: 'thing', version: '1', within, build: failsHalfway }), /went dead/);
    assert.deepEqual(readdirSync(within), []);
    const folder = await installOnce({ name: 'thing', version: '1', within, build: writes('whole') });
    assert.equal(readFileSync(join(folder, 'text'), 'utf8'), 'whole');
  });

  it('is shared by two simultaneous builds', async () => {
    const { within } = place;
    const builds = ['one', 'other'].map((text) =>
      installOnce({ name: 'thing', version: '1', within, build: writes(text) }),
    );
    const [one, other] = await Promise.all(builds);
    assert.equal(one, other);
    assert.deepEqual(readdirSync(within), ['thing-1']);
  });

  it('replaces older versions and nothing else', async () => {
    const { within } = place;
    mkdirSync(join(within, 'thing-1'));
    mkdirSync(join(within, 'something-1'));
    await installOnce({ name: 'thing', version: '2', within, build: writes('new') });
    assert.deepEqual(readdirSync(within).sort(), ['something-1', 'thing-2']);
  });
});

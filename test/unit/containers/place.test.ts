import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  childOf,
  type FilePlace,
  isPathWithin,
  nameOf,
  parentOf,
  placeOf,
  uriParts,
} from '../../../src/containers/place';

const file: FilePlace = {
  kind: 'file',
  account: 'anna.hoster.com',
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId: 12345 },
  path: '/etc/nginx/nginx.conf',
};

describe('a place', () => {
  it('has a readable URI', () => {
    assert.deepEqual(uriParts(file), {
      scheme: 'gantry',
      authority: 'anna.hoster.com',
      path: '/shop/cp~12345/etc/nginx/nginx.conf',
    });
  });

  it('can be parsed from its URI, whatever its name contains', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !text.includes('/') && text !== '.' && text !== '..');
    fc.assert(
      fc.property(fc.array(name), fc.option(fc.nat(), { nil: undefined }), (names, nodeId) => {
        const target = nodeId === undefined ? { nodeGroup: 'cp' } : { nodeGroup: 'cp', nodeId };
        const place: FilePlace = { ...file, target, path: `/${names.join('/')}` };
        assert.deepEqual(placeOf(uriParts(place)), place);
      }),
    );
  });

  it('is the same for different spellings of its path', () => {
    const at = { scheme: 'gantry', authority: file.account };
    for (const path of ['/etc/nginx/./nginx.conf', '/etc/nginx/../nginx/nginx.conf', '/../etc/./nginx/nginx.conf']) {
      assert.deepEqual(placeOf({ ...at, path: `/shop/cp~12345${path}` }), file, path);
    }
    assert.deepEqual(placeOf({ ...at, path: '/shop/cp~12345/etc/.' }), { ...file, path: '/etc' });
  });

  it('can be an account, an environment, or a container', () => {
    const at = { scheme: 'gantry', authority: 'anna.hoster.com' };
    assert.deepEqual(placeOf({ ...at, path: '/' }), { kind: 'account', account: 'anna.hoster.com' });
    assert.deepEqual(placeOf({ ...at, path: '/shop' }), {
      kind: 'environment',
      account: 'anna.hoster.com',
      environment: 'shop',
    });
    assert.deepEqual(placeOf({ ...at, path: '/shop/cp' }), { ...file, target: { nodeGroup: 'cp' }, path: '/' });
  });

  it("can't be parsed from an invalid target, another scheme, or a URI without an account", () => {
    assert.equal(placeOf({ scheme: 'gantry', authority: 'a', path: '/shop/cp~x/etc' }), undefined);
    assert.equal(placeOf({ scheme: 'file', authority: 'a', path: '/shop' }), undefined);
    assert.equal(placeOf({ scheme: 'gantry', authority: '', path: '/shop' }), undefined);
  });

  it('is within a folder if it is the folder or below it, but not if only its name begins alike', () => {
    const within = ['/var/www', '/var/www/a', '/var/www/a/b'];
    const outside = ['/var', '/var/www2', '/var/ww', '/var/www.conf', '/srv/var/www', '/'];
    assert.deepEqual(
      [...within, ...outside].filter((path) => isPathWithin(path, '/var/www')),
      within,
    );
    assert.ok([...within, ...outside].every((path) => isPathWithin(path, '/')));
  });

  it('has a parent folder and a name, up to the root', () => {
    const folder = parentOf(file);
    assert.ok(folder);
    assert.equal(folder.path, '/etc/nginx');
    assert.equal(nameOf(file), 'nginx.conf');
    assert.deepEqual(childOf(folder, 'nginx.conf'), file);
    assert.equal(parentOf({ ...file, path: '/etc' })?.path, '/');
    assert.equal(parentOf({ ...file, path: '/' }), undefined);
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { type Link, linkToPlace, parseLink, placeOfLink, writeLink } from '../../../src/containers/containerLink';

/** Decodes a query as VS Code does before it passes it on. */
const handedOver = (query: string) => decodeURIComponent(query);

describe('a link', () => {
  const link: Link = {
    platform: 'app.hoster.com',
    environment: 'shop',
    target: 'cp~12',
    path: '/etc/nginx/nginx.conf',
    options: {},
  };

  it('is readable and leads back to its place', () => {
    const query = writeLink(link);
    assert.equal(query, 'platform=app.hoster.com&environment=shop&target=cp~12&path=/etc/nginx/nginx.conf');
    assert.deepEqual(parseLink(handedOver(query)), { ok: link });
  });

  it('is read in no time, however many slashes it has', () => {
    const started = process.cpuUsage();
    assert.ok('ok' in parseLink(`platform=app.hoster.com&environment=shop&target=cp&path=${'/'.repeat(1_000_000)}a`));
    assert.ok(process.cpuUsage(started).user < limit(2_000_000));
  });

  it('works for any file name', () => {
    const segment = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/^\.\.?$|[/\0]/.test(name));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const deep = { ...link, path: `/${segments.join('/')}` };
        assert.deepEqual(parseLink(handedOver(writeLink(deep))), { ok: deep });
      }),
    );
  });

  it('says how to show its place, with any text', () => {
    const found = { ...link, options: { find: 'a&b=c +%#\n"ü"', include: '*.php', isRegex: 'true' } };
    assert.deepEqual(parseLink(handedOver(writeLink(found))), { ok: found });
    const query = writeLink({ ...link, options: { line: '12-20' } });
    assert.equal(query, `${writeLink(link)}&line=12-20`);
  });

  it('carries nothing but known options', () => {
    const parsed = parseLink(`${writeLink(link)}&command=rm&account=me&token=x&__proto__=y&line=3`);
    assert.deepEqual(parsed, { ok: { ...link, options: { line: '3' } } });
  });

  it('contains neither the account nor a secret', () => {
    const place = {
      kind: 'file',
      account: 'me.app.hoster.com',
      environment: 'shop',
      target: { nodeGroup: 'cp' },
    } as const;
    assert.equal(
      writeLink(linkToPlace({ ...place, path: '/' }, 'app.hoster.com')),
      'platform=app.hoster.com&environment=shop&target=cp',
    );
  });

  it('is parsed if it was written by hand', () => {
    const query = 'path=/a b+c%41.txt&target=bl&environment=shop&platform=https://app.hoster.com/&extra';
    assert.deepEqual(parseLink(query), {
      ok: { platform: 'app.hoster.com', environment: 'shop', target: 'bl', path: '/a b+cA.txt', options: {} },
    });
  });

  it('leads to the place in any account that opens it', () => {
    assert.deepEqual(placeOfLink(link, 'you.hoster'), {
      kind: 'file',
      account: 'you.hoster',
      environment: 'shop',
      target: { nodeGroup: 'cp', nodeId: 12 },
      path: '/etc/nginx/nginx.conf',
    });
    assert.equal(placeOfLink({ ...link, target: undefined, path: '/' }, 'you.hoster'), undefined);
  });

  const refused: Readonly<Record<string, readonly [query: string, part: string]>> = {
    'an empty query': ['', 'platform'],
    'a platform with credentials': ['platform=https://me:pw@app.hoster.com&environment=shop', 'platform'],
    'no environment': ['platform=app.hoster.com', 'environment'],
    'an environment that is a path': ['platform=app.hoster.com&environment=a/b', 'environment'],
    'an environment that leads upward': ['platform=app.hoster.com&environment=..', 'environment'],
    'a path without a target': ['platform=app.hoster.com&environment=shop&path=/etc', 'target'],
    'a target that is a path': ['platform=app.hoster.com&environment=shop&target=cp/etc', 'target'],
    'a path that leads upward': ['platform=app.hoster.com&environment=shop&target=cp&path=/a/../b', 'path'],
    'a path that is not absolute': ['platform=app.hoster.com&environment=shop&target=cp&path=etc', 'path'],
  };
  for (const [what, [query, part]] of Object.entries(refused)) {
    it(`is rejected with ${what}`, () => assert.deepEqual(parseLink(query), { problem: part }));
  }
});

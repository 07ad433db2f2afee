import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  normalizeRepositoryUrl,
  sameRepository,
  withoutSecret,
} from '../../../../../src/features/deployments/repositories/repositoryUrl';

describe('a repository URL', () => {
  it('matches over SSH and HTTPS, with and without .git, credentials, slash, and default port', () => {
    const addresses = [
      'git@git.example.com:tea/shop.git',
      'git.example.com:tea/shop',
      'ssh://git@git.example.com/tea/shop.git',
      'ssh://git@git.example.com:22/tea/shop',
      'https://git.example.com/tea/shop',
      'https://git.example.com/tea/shop.git/',
      'https://git.example.com:443/tea/shop.git',
      'https://marit:s%40cret@git.example.com/tea/shop.git',
      'http://git.example.com/tea/shop.GIT',
      'git://git.example.com:9418/tea/shop.git',
      '  https://GIT.example.com./tea/shop.git ',
      'git@git.example.com:/tea/shop.git',
      'https://git.example.com/t%65a/shop',
      'https://x-token-auth:cold-tea@git.example.com/tea/shop.git',
      'https://oauth2:cold-tea@git.example.com/tea/shop.git',
      'https://marit@tea.example:cold-tea@git.example.com/tea/shop.git',
      'https://marit-holm@git.example.com/tea/shop.git',
      'marit-holm@git.example.com:tea/shop.git',
      'ssh://marit-holm@git.example.com/tea/shop.git',
      'x-token-auth:cold-tea@git.example.com:tea/shop.git',
    ];
    assert.deepEqual(
      addresses.filter((address) => normalizeRepositoryUrl(address) !== 'git.example.com/tea/shop'),
      [],
    );
  });

  it('differs by host, port, path, and case of the path', () => {
    const one = 'https://git.example.com/tea/shop.git';
    for (const other of [
      'https://git.example.org/tea/shop.git',
      'https://git.example.com:8443/tea/shop.git',
      'https://git.example.com/tea/shop2.git',
      'https://git.example.com/tea/Shop.git',
      'https://git.example.com/shop.git',
    ]) {
      assert.equal(sameRepository(one, other), false, other);
    }
  });

  it('is missing for folders, drives, and empty text', () => {
    for (const text of [
      '',
      '/srv/git/shop.git',
      'C:\\git\\shop',
      'C:/git/shop',
      'file:///srv/shop.git',
      'https://',
      '../shop',
    ]) {
      assert.equal(normalizeRepositoryUrl(text), undefined, text);
      assert.equal(sameRepository(text, text), false, text);
    }
    assert.equal(sameRepository(undefined, undefined), false);
  });

  it('never contains the credentials', () => {
    const normal = normalizeRepositoryUrl('https://marit:cold-tea@git.example.com:8443/shop.git');
    assert.equal(normal, 'git.example.com:8443/shop');
  });
});

describe('a URL that is shown and stored', () => {
  it('contains no password and no token, but keeps a plain user name', () => {
    const token = 'ghp_'.padEnd(40, 'x');
    const shown = 'https://•••@git.example.com/shop.git';
    assert.equal(withoutSecret('https://marit:cold-tea@git.example.com/shop.git'), shown);
    assert.equal(withoutSecret('https://marit:cold@tea@git.example.com/shop.git'), shown);
    assert.equal(withoutSecret('https://marit:cold-tea@git.example.com/shop.git', ''), shown.replace('•••@', ''));
    assert.equal(withoutSecret(`https://${token}@git.example.com/shop.git`), shown);
    assert.equal(withoutSecret('https://x-token-auth:cold-tea@git.example.com/shop.git'), shown);
    assert.equal(withoutSecret('https://oauth2%3Acold-tea@git.example.com/shop.git'), shown);
    assert.equal(withoutSecret(`https://glpat-${'x'.repeat(20)}@git.example.com/shop.git`), shown);
    assert.equal(withoutSecret('x-token-auth:cold-tea@git.example.com:shop.git'), '•••@git.example.com:shop.git');
    assert.equal(sameRepository(shown, 'https://git.example.com/shop.git'), true);
    for (const plain of [
      'ssh://git@git.example.com/shop.git',
      'git@git.example.com:shop.git',
      'git@git.example.com:shop@2.git',
      'git.example.com:shop@2.git',
      'https://marit-holm@git.example.com/shop.git',
      'https://a.example/b@c',
    ]) {
      assert.equal(withoutSecret(plain), plain);
    }
  });
});

import assert from 'node:assert/strict';
import { parseAddress } from '../../../src/platform/address';

const understood: Readonly<Record<string, string>> = {
  'https://app.hoster.example': 'https://app.hoster.example',
  'app.hoster.example': 'https://app.hoster.example',
  '  https://app.hoster.example/  ': 'https://app.hoster.example',
  'https://app.hoster.example/1.0/': 'https://app.hoster.example',
  'https://app.hoster.example/1.0': 'https://app.hoster.example',
  'https://app.hoster.example/1.0/users/authentication/rest/signin': 'https://app.hoster.example',
  'https://app.hoster.example./1.0/': 'https://app.hoster.example',
  'https://app.hoster.example.': 'https://app.hoster.example',
  'https://app.hoster.example/dashboard/?session=x#env': 'https://app.hoster.example',
  'https://portal.example/hosting/1.0/': 'https://portal.example/hosting',
  'HTTPS://App.Hoster.Example:8443': 'https://app.hoster.example:8443',
  'https://app.hoster.example:443/': 'https://app.hoster.example',
  '"https://app.hoster.example"': 'https://app.hoster.example',
  '<https://app.hoster.example>': 'https://app.hoster.example',
  '//app.hoster.example/': 'https://app.hoster.example',
  'http://127.0.0.1:8080/1.0/': 'http://127.0.0.1:8080',
  'localhost:8080': 'http://localhost:8080',
  'http://[::1]:8080': 'http://[::1]:8080',
  'https://münchen.example': 'https://xn--mnchen-3ya.example',
};

const refused: Readonly<Record<string, string>> = {
  '': 'empty',
  '   ': 'empty',
  'https://': 'notAnAddress',
  'two words': 'notAnAddress',
  'https://.': 'notAnAddress',
  'ftp://app.hoster.example': 'scheme',
  'file:///etc/passwd': 'scheme',
  'https://me:secret@app.hoster.example': 'credentials',
  'http://app.hoster.example': 'plainHttp',
  'http://10.0.0.8:8080': 'plainHttp',
  'http://localhost.example': 'plainHttp',
  'http://127.0.0.1.example': 'plainHttp',
};

describe('a pasted address', () => {
  for (const [pasted, baseUrl] of Object.entries(understood)) {
    it(`${JSON.stringify(pasted)} is ${baseUrl}`, () => {
      const parsed = parseAddress(pasted);
      assert('ok' in parsed, 'problem' in parsed ? parsed.problem : '');
      assert.equal(parsed.ok.baseUrl, baseUrl);
      assert.equal(parsed.ok.host, new URL(baseUrl).host);
    });
  }

  for (const [pasted, problem] of Object.entries(refused)) {
    it(`${JSON.stringify(pasted)} is rejected: ${problem}`, () => {
      const parsed = parseAddress(pasted);
      assert('problem' in parsed);
      assert.equal(parsed.problem, problem);
      assert.doesNotMatch(JSON.stringify(parsed), /secret/);
    });
  }

  it('plain HTTP to another machine is accepted if it is allowed', () => {
    const parsed = parseAddress('http://10.0.0.8:8080', { allowPlainHttp: true });
    assert('ok' in parsed);
    assert.equal(parsed.ok.baseUrl, 'http://10.0.0.8:8080');
  });
});

import assert from 'node:assert/strict';
import { chooseProxy } from '../../../../src/platform/sending/undiciPool';

type ProxySettings = Parameters<typeof chooseProxy>[0];

interface Case {
  readonly given: string;
  readonly settings: Omit<ProxySettings, 'environment'> & { readonly environment?: ProxySettings['environment'] };
  readonly target: string;
  readonly leadsTo: string | undefined;
}

const proxy = 'http://proxy.example:3128';
const other = 'http://other.example:8080';
const target = 'https://app.hoster.example/1.0';

const cases: readonly Case[] = [
  { given: 'nothing', settings: {}, target, leadsTo: undefined },
  { given: 'the setting', settings: { proxy }, target, leadsTo: proxy },
  { given: 'an empty setting', settings: { proxy: ' ' }, target, leadsTo: undefined },
  { given: 'the setting without a scheme', settings: { proxy: 'proxy.example:3128' }, target, leadsTo: proxy },
  { given: 'HTTPS_PROXY', settings: { environment: { HTTPS_PROXY: proxy } }, target, leadsTo: proxy },
  { given: 'https_proxy', settings: { environment: { https_proxy: proxy } }, target, leadsTo: proxy },
  { given: 'HTTP_PROXY, for https', settings: { environment: { HTTP_PROXY: proxy } }, target, leadsTo: undefined },
  {
    given: 'HTTP_PROXY, for http',
    settings: { environment: { HTTP_PROXY: proxy } },
    target: 'http://app.hoster.example',
    leadsTo: proxy,
  },
  {
    given: 'both the setting and HTTPS_PROXY',
    settings: { proxy, environment: { HTTPS_PROXY: other } },
    target,
    leadsTo: proxy,
  },
  {
    given: 'the host as an exception',
    settings: { proxy, noProxy: ['app.hoster.example'] },
    target,
    leadsTo: undefined,
  },
  {
    given: 'its domain as an exception',
    settings: { proxy, noProxy: ['.hoster.example'] },
    target,
    leadsTo: undefined,
  },
  {
    given: 'a pattern as an exception',
    settings: { proxy, noProxy: ['*.hoster.example'] },
    target,
    leadsTo: undefined,
  },
  { given: 'everything as an exception', settings: { proxy, noProxy: ['*'] }, target, leadsTo: undefined },
  { given: 'a partial host as an exception', settings: { proxy, noProxy: ['oster.example'] }, target, leadsTo: proxy },
  {
    given: 'the port as an exception',
    settings: { proxy, noProxy: ['hoster.example:443'] },
    target,
    leadsTo: undefined,
  },
  {
    given: 'another port as an exception',
    settings: { proxy, noProxy: ['hoster.example:8443'] },
    target,
    leadsTo: proxy,
  },
  {
    given: 'NO_PROXY with several entries',
    settings: { environment: { HTTPS_PROXY: proxy, NO_PROXY: 'a.example, hoster.example' } },
    target,
    leadsTo: undefined,
  },
  { given: 'this machine as the target', settings: { proxy }, target: 'http://127.0.0.1:8080', leadsTo: undefined },
  { given: 'an invalid proxy URL', settings: { proxy: 'http://' }, target, leadsTo: undefined },
];

describe('the proxy on the way to a platform', () => {
  for (const { given, settings, target: to, leadsTo } of cases) {
    it(`given ${given}: ${leadsTo ?? 'none'}`, () => {
      assert.equal(chooseProxy({ environment: {}, ...settings })(new URL(to)), leadsTo);
    });
  }
});

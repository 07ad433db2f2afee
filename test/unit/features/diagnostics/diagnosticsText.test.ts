import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Diagnostics, diagnosticsText } from '../../../../src/features/diagnostics/diagnosticsText';
import { PlatformError } from '../../../../src/platform/errors';

const usual: Diagnostics = {
  host: {
    gantry: '0.1.0',
    vsCode: '1.139.1',
    appName: 'Visual Studio Code',
    appHost: 'desktop',
    remoteName: undefined,
    isWeb: false,
    language: 'pt-br',
    node: 'v24.1.0',
    platform: 'linux',
    architecture: 'x64',
  },
  settings: [{ name: 'gantry.platforms', value: ['https://app.example'], schema: { type: 'array' } }],
  features: [['Git extension', 'works']],
  failedRequests: [
    {
      at: new Date(Date.UTC(2026, 10, 2, 3, 4, 5, 678)),
      operation: 'Write',
      outcome: 'unreachable',
      attempt: 1,
      result: undefined,
      status: undefined,
      milliseconds: 12,
    },
  ],
  errors: [{ at: new Date(0), error: new RangeError('in app.example') }],
  bundleFolder: '/nowhere',
};

describe('the diagnostics', () => {
  it('are versions, changed settings, features, and the last errors', () => {
    assert.equal(
      diagnosticsText(usual),
      [
        '# Gantry diagnostics',
        '',
        '## Versions',
        '',
        '- Gantry 0.1.0',
        '- VS Code 1.139.1, Visual Studio Code',
        '- Host: desktop, on a desktop',
        '- Remote: no',
        '- Node v24.1.0, linux x64',
        '- Language: pt-br',
        '',
        '## Settings that differ from the default',
        '',
        '- gantry.platforms: set (1)',
        '',
        '## Features',
        '',
        '- Git extension: works',
        '',
        '## Last errors',
        '',
        '- 1970-01-01T00:00:00Z RangeError',
        '',
        '## Last failed requests',
        '',
        '- 2026-11-02T03:04:05Z Write: unreachable, 12 ms',
        '',
      ].join('\n'),
    );
  });

  it("don't take an address for the kind of a remote window, or anything odd for a version", () => {
    const host = {
      ...usual.host,
      remoteName: '127.0.0.1:8080',
      appHost: 'app.example',
      appName: 'https://app.example',
    };
    const text = diagnosticsText({ ...usual, host: { ...host, gantry: 'app.example', language: '../app.example' } });
    assert.match(text, /Remote: other/);
    assert.match(text, /Host: other/);
    assert.match(text, /Gantry unknown/);
    assert.doesNotMatch(text, /127|app\.example/);
  });

  it('say so if there were no errors', () => {
    assert.match(diagnosticsText({ ...usual, errors: [] }), /## Last errors\n\n- none\n/);
  });
});

const bundle = '/home/anna/.vscode/extensions/gantry/dist';
const hidden = ['shop.conf', '/home/anna', 'app.example', 'hunter2', 'anna'];
/** Returns the only line with a time. */
const timedLine = (given: Pick<Diagnostics, 'errors' | 'failedRequests'>) => {
  const text = diagnosticsText({ ...usual, ...given, bundleFolder: bundle });
  return /^- 1970-01-01T00:00:00Z (.*)$/m.exec(text)?.[1] ?? assert.fail(text);
};
const errorText = (error: unknown) => timedLine({ errors: [{ at: new Date(0), error }], failedRequests: [] });
const failedRequestText = (request: Diagnostics['failedRequests'][number]) =>
  timedLine({ errors: [], failedRequests: [request] });
const assertHidden = (text: string) => {
  for (const one of hidden) assert.ok(!text.includes(one), `${one} in ${text}`);
};

describe('an error in the diagnostics', () => {
  it('has the operation, kind, and codes, but no words', () => {
    const error = new PlatformError({
      kind: 'platform',
      operation: 'Write',
      message: 'hunter2 in shop.conf',
      target: '/etc/shop.conf',
      result: 1702,
      reason: 3,
      status: 502,
      words: 'hunter2',
      address: 'https://app.example',
      isOutcomeUnknown: true,
    });
    const text = errorText(error);
    assert.equal(text, 'Write: platform, result 1702, reason 3, HTTP 502, outcome unknown');
    assertHidden(text);
  });

  it('has the class, the code, and where in its own files Gantry threw it', () => {
    const error = Object.assign(new TypeError('ENOENT: /home/anna/shop.conf'), { code: 'ENOENT' });
    error.stack = [
      'TypeError: ENOENT: /home/anna/shop.conf',
      `    at Object.save (${bundle}/files-ABCDEF12.js:1:234)`,
      '    at /home/anna/app.example.js:5:6',
      `    at async ${bundle}/extension.js:7:8`,
      '    at node:internal/process:1:1',
    ].join('\n');
    const text = errorText(error);
    assert.equal(text, 'TypeError ENOENT, at files-ABCDEF12.js:1:234, extension.js:7:8');
    assertHidden(text);
  });

  it('takes nothing from a message that looks like a stack', () => {
    const error = new Error(`hunter2\n    at x (${bundle}/anna.js:1:2)`);
    error.stack = `Error: ${error.message}\n    at y (${bundle}/chunk-ABCDEF12.js:3:4)`;
    assert.equal(errorText(error), 'Error, at chunk-ABCDEF12.js:3:4');
    error.stack = `Error: something else\n    at x (${bundle}/anna.js:1:2)`;
    assert.equal(errorText(error), 'Error');
  });

  it('takes no free text as a name or a code', () => {
    const error = Object.assign(new Error('x'), { code: 'shop.conf of anna', name: '/home/anna' });
    error.stack = '';
    assert.equal(errorText(error), 'unnamed unnamed');
    assert.equal(errorText('hunter2'), 'not an error object but a string');
  });
});

describe('a failed request in the diagnostics', () => {
  it('has the operation, the outcome, the codes, and the duration', () => {
    const request = {
      at: new Date(0),
      operation: 'Read',
      outcome: 'timeout',
      attempt: 2,
      milliseconds: 30_012.4,
    } as const;
    assert.equal(
      failedRequestText({ ...request, result: undefined, status: undefined }),
      'Read: timeout, attempt 2, 30012 ms',
    );
    assert.equal(
      failedRequestText({ ...request, operation: '/home/anna', attempt: 1, result: 99, status: 500 }),
      'unnamed: timeout, result 99, HTTP 500, 30012 ms',
    );
  });
});

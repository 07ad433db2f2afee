import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Diagnostics, diagnosticsText } from '../../../src/diagnostics/diagnosticsText';

const usual: Diagnostics = {
  host: {
    ...{ gantry: '0.1.0', vsCode: '1.139.1', appName: 'Visual Studio Code', appHost: 'desktop', remoteName: undefined },
    ...{ isWeb: false, language: 'pt-br', node: 'v24.1.0', platform: 'linux', architecture: 'x64' },
  },
  settings: [{ name: 'gantry.platforms', value: ['https://app.example'], schema: { type: 'array' } }],
  features: [['Git extension', 'works']],
  failedRequests: [
    {
      ...{ at: new Date(Date.UTC(2026, 10, 2, 3, 4, 5, 678)), operation: 'Write', outcome: 'unreachable' },
      ...{ attempt: 1, result: undefined, status: undefined, milliseconds: 12 },
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

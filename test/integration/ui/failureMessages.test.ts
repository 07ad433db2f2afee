import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileSystemError, Uri, window } from 'vscode';
import { operations } from '../../../src/platform/contract';
import { failed } from '../../../src/platform/failureTexts';
import { type FailedObject, PlatformError, type PlatformErrorKind } from '../../../src/platform/errors';
import { operationLabel } from '../../../src/ui/operationLabels';
import {
  showErrorMessage,
  showFailure,
  showInformationMessage,
  showWarningMessage,
} from '../../../src/ui/notifications';
import { failureMessage, isExpected, reasonText } from '../../../src/ui/failureMessages';

const kinds: Readonly<Record<PlatformErrorKind, RegExp>> = {
  unauthenticated: /rejected the sign-in.* Sign in again\.$/,
  tokenLacksMethod: /doesn't permit this method.* Add environment\.file\.Read to the token/,
  forbidden: /denied permission.* Ask the owner/,
  notFound: /doesn't exist.* Refresh/,
  exists: /already exists.* Choose another name/,
  invalid: /isn't valid.* Check what you entered\.$/,
  conflict: /someone else changed it.* Compare/,
  tooLarge: /too large.* Transfer it another way/,
  diskFull: /disk is full.* Free up space/,
  deployFailed: /deployment failed.* Check the log\.$/,
  notRunning: /environment or node isn't running.* Start it in the dashboard/,
  timeout: /didn't respond in time.* Try again\.$/,
  unreachable: /can't be reached.* Check your connection/,
  protocol: /isn't from the platform API.* Check the platform's address/,
  platform: /reported an error.* contact your hosting provider\.$/,
};

const object = { environment: 'shop', nodeId: 66001, path: '/etc/php.ini' };
const read = { operation: 'Read', method: 'environment.file.Read', target: 'shop/66001 /etc/php.ini', object } as const;

describe('messages for platform failures', () => {
  const told = Object.keys(kinds).map((kind) => [kind as PlatformErrorKind, kinds[kind as PlatformErrorKind]] as const);

  for (const [kind, words] of told) {
    it(`${kind}: what failed, for what, and what to do next`, () => {
      const sentence = failureMessage(failed({ ...read, kind, result: 99 }));
      assert.ok(sentence.startsWith("Couldn't read php.ini on node 66001: "), sentence);
      assert.ok(sentence.includes(' (code 99). '), sentence);
      assert.match(sentence, words);
    });
  }

  it('say in plain words that an environment sleeps, and not that something unexpected happened', () => {
    const words = 'Not allowed to execute this service for current Environment status [ENV_STATUS_TYPE_SLEEP]';
    const error = failed({ ...read, kind: 'notRunning', result: 2212 });
    const { kind, operation, message, target, result } = error;
    const said = { kind, operation, message, target, result, object: read.object, words };
    for (const one of [error, new PlatformError(said)]) {
      assert.equal(
        failureMessage(one),
        "Couldn't read php.ini on node 66001: the environment or node isn't running (code 2212). Start it in the dashboard, then try again.",
      );
      assert.equal(reasonText(one), "the environment or node isn't running");
      assert.ok(isExpected(one));
    }
  });

  it("quote the platform if one container isn't running", () => {
    const words = 'Container is not running.';
    const stopped = new PlatformError({ ...read, kind: 'notRunning', result: 4110, words, message: '' });
    assert.equal(
      failureMessage(stopped),
      "Couldn't read php.ini on node 66001: the environment or node isn't running (Container is not running, code 4110). Start it in the dashboard, then try again.",
    );
    assert.equal(reasonText(stopped), 'Container is not running');
  });

  it("don't say that a change failed if that isn't known", () => {
    const write = { operation: 'Write', target: 'shop/66001 /etc/php.ini', object, isOutcomeUnknown: true } as const;
    const advice = 'Before you try again, check whether the change was made.';
    assert.equal(
      failureMessage(failed({ ...write, kind: 'unreachable' })),
      `Couldn't confirm the change to php.ini on node 66001: the connection was lost before the platform responded. ${advice}`,
    );
    assert.equal(
      failureMessage(failed({ ...write, kind: 'timeout' })),
      `Couldn't confirm the change to php.ini on node 66001: the platform didn't respond in time. ${advice}`,
    );
  });

  it('name the problem instead of a code', () => {
    const failure = failed({
      kind: 'unauthenticated',
      operation: 'GetList',
      target: 'a, b.example',
      obstacle: 'signedOut',
    });
    assert.equal(failureMessage(failure), "Couldn't list the folder: the account is signed out. Sign in again.");
    assert.equal(reasonText(failure), 'the account is signed out');
  });

  it("quote the platform's words in parentheses", () => {
    const words = 'no right to write.';
    assert.equal(
      failureMessage(
        new PlatformError({ kind: 'forbidden', operation: 'Write', target: '', object, words, result: 8, message: '' }),
      ),
      "Couldn't write php.ini on node 66001: the platform denied permission (no right to write, code 8). Ask the owner of the environment or file for access.",
    );
  });

  it('say whose logs could not be listed, not in which folder', () => {
    const logs = {
      operation: 'GetLogs',
      target: 'shop/66001 /var/log',
      object: { ...object, path: '/var/log' },
    } as const;
    assert.equal(
      failureMessage(failed({ ...logs, kind: 'timeout' })),
      "Couldn't list the logs of node 66001: the platform didn't respond in time. Try again.",
    );
  });

  it('have a plain name for every operation', () => {
    const unnamed = Object.keys(operations).filter((operation) => operationLabel(operation) === operation);
    assert.deepEqual(unnamed, []);
  });
});

describe('messages in VS Code', () => {
  const usual = {
    showErrorMessage: window.showErrorMessage,
    showInformationMessage: window.showInformationMessage,
    showWarningMessage: window.showWarningMessage,
  };
  let told: unknown[][];

  beforeEach(() => {
    told = [];
    const tell = (...all: unknown[]) => Promise.resolve(told.push(all));
    Object.assign(window, { showErrorMessage: tell, showInformationMessage: tell, showWarningMessage: tell });
  });

  afterEach(() => {
    Object.assign(window, usual);
  });

  const name = '[Retry](command:evil).conf';
  const broken = '[Retry]\u2060(command:evil).conf';

  it('contain no links from names, and keep their buttons', async () => {
    for (const show of [showErrorMessage, showInformationMessage, showWarningMessage]) {
      await show(`${name} is gone.`, { modal: true }, 'Yes', 'No');
      await show(`${name} is gone.`, 'Yes');
      await show('It is gone.');
    }
    const each = [[`${broken} is gone.`, { modal: true }, 'Yes', 'No'], [`${broken} is gone.`, 'Yes'], ['It is gone.']];
    assert.deepEqual(told, [...each, ...each, ...each]);
  });

  it("contain only Gantry's own links after a failed save", async () => {
    const ours = 'It was changed. [Compare](command:gantry.conflict.compare)';
    await showFailure({ before: `${name}:` }, FileSystemError.Unavailable(ours), 'Again');
    await showFailure(
      {},
      FileSystemError.FileNotFound(Uri.from({ scheme: 'gantry', authority: 'a', path: `/${name}` })),
    );
    await showFailure({}, new Error(name));
    assert.deepEqual(told[0], [`${broken}: ${ours}`, 'Again']);
    for (const [text] of told.slice(1)) assert.ok(String(text).includes(broken), String(text));
  });
});

describe('what a failure is about', () => {
  const text = (object: FailedObject | undefined, target = '') => {
    const error = new PlatformError({ kind: 'notFound', operation: 'Read', message: '', target, object });
    return /^Couldn't read (.*): it doesn't exist/.exec(failureMessage(error))?.[1];
  };

  it('is named as in the tree: a file by its name and its node or layer', () => {
    const path = '/etc/php.ini';
    assert.equal(text({ environment: 'shop', nodeId: 66001, layer: 'cp', path }), 'php.ini on node 66001');
    assert.equal(text({ environment: 'Tea', layer: 'Servers', path }), 'php.ini on layer Servers of Tea');
    assert.equal(text({ environment: 'Tea', path }), 'php.ini on Tea');
    assert.equal(text({ environment: 'shop', nodeId: 66001, path: '/' }), '/ on node 66001');
    assert.equal(text(undefined, path), 'php.ini');
  });

  it('is a project, an environment, or nothing', () => {
    assert.equal(text({ environment: 'shop', context: 'ROOT' }), 'ROOT on shop');
    assert.equal(text({ environment: 'shop', layer: 'cp', context: 'ROOT' }), 'ROOT on shop');
    assert.equal(text({ environment: 'shop' }), 'shop');
    assert.equal(text(undefined, 'me@example.com, app.example.com'), 'the file');
  });
});

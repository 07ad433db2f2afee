import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { logThatMatters } from '../../../../src/features/logs/logTail';

const moment = Date.UTC(2026, 10, 24, 10);
const minute = 60_000;

const log = (absolutePath: string, minutes: number, length = 100) => ({
  absolutePath,
  name: absolutePath.slice(absolutePath.lastIndexOf('/') + 1),
  isDir: false,
  length,
  lastModified: new Date(moment + minutes * minute).toISOString().slice(0, 19).replace('T', ' '),
});
const found = (logs: readonly ReturnType<typeof log>[], type?: string) =>
  logThatMatters(logs, { moment, type })?.absolutePath;

describe('the log that matters', () => {
  it("is the error log of the node's service, whatever else was written to since the failure", () => {
    const logs = [
      log('/var/log/nginx/access.log', 30),
      log('/var/log/php/errors.log', 30),
      log('/var/log/run.log', 20),
      log('/var/log/nginx/error.log', 0),
      log('/var/log/cron', 31),
    ];
    assert.equal(found(logs, 'nginxphp'), '/var/log/nginx/error.log');
    assert.equal(found([...logs].reverse(), 'nginxphp'), '/var/log/nginx/error.log');
  });

  it('is another one if nothing was written to the error log at the failure, or it is empty', () => {
    const others = [log('/var/log/run.log', 0), log('/var/log/nginx/access.log', 0)];
    assert.equal(found([log('/var/log/nginx/error.log', -60), ...others], 'nginxphp'), '/var/log/run.log');
    assert.equal(found([log('/var/log/nginx/error.log', 0, 0), ...others], 'nginxphp'), '/var/log/run.log');
  });

  it("is found if the platform's clock is an hour behind", () => {
    const logs = [log('/var/log/nginx/error.log', -60), log('/var/log/php/errors.log', -180)];
    assert.equal(found(logs), '/var/log/nginx/error.log');
  });

  it('is the log of the deployment if one failed, whatever the service wrote', () => {
    const logs = [
      log('/var/log/nginx/error.log', 1),
      log('/var/log/nginx/deploy.log', 0),
      log('/var/log/nginx/vcs_update.log', 0),
      log('/var/log/nginx/hooks.log', -60),
    ];
    const foundIn = (of: typeof logs, isDeployment: boolean) =>
      logThatMatters(of, { moment, type: 'nginxphp', isDeployment })?.absolutePath;
    assert.equal(foundIn(logs, true), '/var/log/nginx/vcs_update.log');
    assert.equal(foundIn([log('/var/log/nginx/hooks.log', 0), ...logs], true), '/var/log/nginx/hooks.log');
    assert.equal(foundIn([log('/var/log/nginx/hooks.log', -1), ...logs], true), '/var/log/nginx/vcs_update.log');
    assert.equal(foundIn(logs, false), '/var/log/nginx/error.log');
    assert.equal(foundIn(logs.slice(0, 1), true), '/var/log/nginx/error.log');
  });

  it('does not exist if only visitors and cron jobs were logged', () => {
    assert.equal(found([log('/var/log/nginx/access.log', 0), log('/var/log/cron', 0)]), undefined);
  });
});

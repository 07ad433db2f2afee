import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TrafficEntry } from '../../../src/platform/sending/sender';
import { RequestStatistics, sumOf } from '../../../src/ui/trafficLog';
import { trafficLine } from '../../../src/ui/trafficLog';

const request: TrafficEntry = {
  operation: 'Read',
  target: 'shop/cp /etc/nginx/nginx.conf',
  outcome: 'success',
  result: 0,
  status: 200,
  attempt: 1,
  bytesSent: 120,
  bytesReceived: 2048,
  milliseconds: 30,
};

describe('the log line of a request', () => {
  it('contains operation, target, result, sizes, and duration', () => {
    assert.equal(
      trafficLine(request),
      'Read shop/cp /etc/nginx/nginx.conf: success, result 0, sent 120 B, received 2.0 KB, 30 ms',
    );
  });

  it('says that it was a repeat, and what the gateway returned', () => {
    const refused: TrafficEntry = { ...request, outcome: 'unreachable', result: undefined, status: 502, attempt: 2 };
    assert.match(trafficLine(refused), /: unreachable, HTTP 502, attempt 2, sent/);
  });

  it('leaves out a missing target', () => {
    assert.match(trafficLine({ ...request, operation: 'GetEnvs', target: '' }), /^GetEnvs: success/);
  });
});

describe('request statistics', () => {
  it('are totals by operation, with the longest first', () => {
    const statistics = new RequestStatistics(new Date());
    statistics.note(request);
    statistics.note({ ...request, outcome: 'timeout', bytesReceived: 0, milliseconds: 70 });
    statistics.note({ ...request, operation: 'GetList', milliseconds: 500 });
    const [first, second] = statistics.totals;
    assert.equal(first?.operation, 'GetList');
    assert.deepEqual(second, {
      ...{ operation: 'Read', requests: 2, failures: 1, bytesSent: 240, bytesReceived: 2048 },
      ...{ milliseconds: 100, slowest: 70 },
    });
    assert.deepEqual(sumOf('All', statistics.totals), {
      ...{ operation: 'All', requests: 3, failures: 1, bytesSent: 360, bytesReceived: 4096 },
      ...{ milliseconds: 600, slowest: 500 },
    });
  });

  it('are empty before the first request', () => {
    assert.deepEqual(new RequestStatistics(new Date()).totals, []);
  });
});

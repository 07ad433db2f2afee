import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TrafficEntry } from '../../../src/platform/sending/sender';
import { type FailedRequest, logTraffic } from '../../../src/ui/trafficLog';

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

function trafficLine(entry: TrafficEntry): string {
  const lines: string[] = [];
  logTraffic({ debug: (line: string) => void lines.push(line) }, [])(entry);
  return lines.join('\n');
}

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

describe('failed requests', () => {
  it('are the last twenty, oldest first, without what they were about', () => {
    const lines: string[] = [];
    const failed: FailedRequest[] = [];
    const note = logTraffic({ debug: (line: string) => void lines.push(line) }, failed);
    note(request);
    note({ ...request, outcome: 'cancelled' });
    for (let attempt = 1; attempt <= 21; attempt += 1) note({ ...request, outcome: 'timeout', attempt });
    assert.equal(lines.length, 23);
    assert.equal(failed.length, 20);
    assert.equal(failed[0]?.attempt, 2);
    assert.ok(!('target' in failed[0]));
  });
});

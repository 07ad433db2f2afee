import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  formatBriefTime,
  formatDate,
  formatDuration,
  formatExactTime,
  formatRelativeTime,
} from '../../../src/ui/relativeTime';

const now = Date.UTC(2026, 10, 23, 12);
const [second, minute, hour] = [1000, 60_000, 3_600_000];
const day = 24 * hour;
const after = (milliseconds: number) => formatRelativeTime(now + milliseconds, now);

describe('a relative time', () => {
  it('uses the largest unit that the time fills', () => {
    assert.deepEqual([-2 * minute, -minute, -3 * hour, -5 * day, -70 * day, -800 * day].map(after), [
      '2 minutes ago',
      '1 minute ago',
      '3 hours ago',
      '5 days ago',
      '2 months ago',
      '2 years ago',
    ]);
    assert.deepEqual([90 * second, 5 * hour, 89 * day].map(after), ['in 2 minutes', 'in 5 hours', 'in 3 months']);
  });

  it('has words for what is close', () => {
    assert.deepEqual([0, -20 * second].map(after), ['just now', 'just now']);
    assert.equal(after(20 * second), 'in less than a minute');
  });

  it('never shows as many of a unit as fill the next one', () => {
    assert.equal(after(-59.7 * minute), '1 hour ago');
    assert.equal(after(-59 * minute), '59 minutes ago');
    assert.equal(after(23.7 * hour), 'in 1 day');
    assert.equal(after(-30 * day), '30 days ago');
    assert.equal(after(364 * day), 'in 1 year');
  });

  it('takes dates and uses the current time', () => {
    assert.equal(formatRelativeTime(new Date()), 'just now');
  });
});

describe('an exact time', () => {
  it('has the date and the time of day', () => {
    assert.match(formatExactTime(new Date(2026, 10, 23, 14, 5)), /^Nov 23, 2026, 2:05\sPM$/);
  });

  it('can be a day alone', () => {
    assert.equal(formatDate(new Date(2026, 10, 23, 14, 5)), 'Nov 23, 2026');
  });
});

describe('a brief time', () => {
  const today = new Date(2026, 10, 23, 14, 5);

  it('is the time of day from midnight to midnight', () => {
    assert.match(formatBriefTime(new Date(2026, 10, 23), today), /^12:00\sAM$/);
    assert.match(formatBriefTime(new Date(2026, 10, 23, 23, 59, 59), today), /^11:59\sPM$/);
  });

  it('is the day if it is another one, with the year only if that is another one', () => {
    assert.equal(formatBriefTime(new Date(2026, 10, 22, 23, 59, 59), today), 'Nov 22');
    assert.equal(formatBriefTime(new Date(2026, 0, 1), today), 'Jan 1');
    assert.equal(formatBriefTime(new Date(2025, 10, 23, 14, 5), today), 'Nov 23, 2025');
  });
});

describe('a duration', () => {
  it('is written in at most two units', () => {
    const spans = [0, 400, 5 * second, 125 * second, 2 * minute, hour, hour + 90 * second, 1234 * hour];
    assert.deepEqual(spans.map(formatDuration), [
      '0 s',
      '0 s',
      '5 s',
      '2 min 5 s',
      '2 min',
      '1 h',
      '1 h 2 min',
      '1,234 h',
    ]);
  });

  it('never shows 60 of a unit', () => {
    assert.equal(formatDuration(59_700), '1 min');
    assert.equal(formatDuration(59 * minute + 59_700), '1 h');
  });
});

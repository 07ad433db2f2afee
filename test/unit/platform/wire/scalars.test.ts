import assert from 'node:assert/strict';
import {
  fieldOf,
  readEnumeration,
  readFlag,
  readInteger,
  readNumber,
  readText,
  isRequestTimestamp,
  readTimestamp,
  writeTimestamp,
} from '../../../../src/platform/wire/scalars';

describe('single values of a response', () => {
  it('an enumeration is read as a number, a name, and both', () => {
    const types = { SVN: 0, GIT: 1 };
    for (const git of [1, '1', 'GIT', 'git', ' GIT ', 'GIT(1)', 'Git(1)'])
      assert.equal(readEnumeration(types, git), 'GIT');
    for (const none of [2, 'HG', '', null, undefined, {}, [], true, 'GIT(', '(1)']) {
      assert.equal(readEnumeration(types, none), undefined, JSON.stringify(none));
    }
  });

  it('a flag is read in every format, and anything else is ignored', () => {
    for (const yes of [true, 'true', 'TRUE', 1, '1', 'yes']) assert.equal(readFlag(yes), true);
    for (const no of [false, 'false', 0, '0', 'no']) assert.equal(readFlag(no), false);
    for (const none of [2, 'maybe', '', null, {}, []]) assert.equal(readFlag(none), undefined);
  });

  it('a whole number is read from a string, and nothing is rounded', () => {
    assert.equal(readInteger('42'), 42);
    assert.equal(readInteger(-1), -1);
    for (const none of [1.5, 1e400, 2 ** 53, '9007199254740993', '1e3', '0x10', '', ' ', true, [4]]) {
      assert.equal(readInteger(none), undefined, String(none));
    }
  });

  it('a number can have a fraction and must be finite', () => {
    assert.equal(readNumber('1.5'), 1.5);
    assert.equal(readNumber(1e400), undefined);
    assert.equal(readNumber(' '), undefined);
  });

  it('a string can come from a number or a flag', () => {
    assert.equal(readText(12), '12');
    assert.equal(readText(false), 'false');
    assert.equal(readText({}), undefined);
  });

  it('a field is found in any case, an exact match first, and null counts as missing', () => {
    assert.equal(fieldOf({ nodeid: 1 }, 'nodeId'), 1);
    assert.equal(fieldOf({ nodeid: 1, nodeId: 2 }, 'nodeId'), 2);
    assert.equal(fieldOf({ nodeId: null }, 'nodeId'), undefined);
    assert.equal(fieldOf({}, 'toString'), undefined);
  });
});

describe('times', () => {
  const moment = '2021-08-19T14:51:37.000Z';

  for (const known of [
    '2021-08-19 14:51:37',
    '2021-08-19T14:51:37',
    '2021-08-19T14:51:37Z',
    '2021-08-19 14:51:37.000',
    '2021-08-19 14:51:37 UTC',
    '2021-08-19T16:51:37+02:00',
    '2021-08-19T16:51:37+0200',
    '2021-08-19T14:51:37.0000000Z',
    'Thu Aug 19 2021 16:51:37 GMT+0200 (Central European Summer Time)',
    'Thu Aug 19 14:51:37 UTC 2021',
    1629384697000,
    1629384697,
    '1629384697000',
    '1629384697',
  ]) {
    it(`${JSON.stringify(known)} is read`, () => assert.equal(readTimestamp(known)?.toISOString(), moment));
  }

  it('a time without seconds is read', () =>
    assert.equal(readTimestamp('2021-08-19 14:51')?.toISOString(), '2021-08-19T14:51:00.000Z'));

  for (const unknown of [
    '',
    'yesterday',
    'Thu Aug 19 2021 14:51:37',
    'Thu Aug 19 14:51:37 XYZ 2021',
    '2021-13-45 00:00:00',
    '0000-00-00 00:00:00',
    null,
    undefined,
    {},
    0,
    -5,
    1e400,
    1e300,
    true,
  ]) {
    it(`${JSON.stringify(unknown)} isn't a time`, () => assert.equal(readTimestamp(unknown), undefined));
  }

  it('a time is written in the format of requests', () => {
    assert.equal(writeTimestamp(new Date(moment)), '2021-08-19 14:51:37');
    assert(isRequestTimestamp('2021-08-19 23:51:37'));
    for (const wrong of [
      '2021-08-19T14:51:37',
      '2021-02-30 00:00:00',
      '2021-08-19',
      '2021-08-19 24:00:00',
      '2021-8-19 1:1:1',
      '',
    ]) {
      assert(!isRequestTimestamp(wrong), wrong);
    }
  });
});

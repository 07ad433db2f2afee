import assert from 'node:assert/strict';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { LogTail } from '../../../../src/features/logs/logTail';
import { windowScene } from '../../support/windowScene';

const path = '/var/log/big.log';
const line = (index: number) => `${index} GET /index.html 200\n`;
const lines = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(first + index)).join('');

describe('a log on a node', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  let file: string;

  beforeEach(async () => {
    await cp.put(path, lines(1, 20_000));
    file = cp.onDisk(path);
    scene.platform.journal.reset();
  });

  afterEach(async () => {
    scene.parts.accounts.forgetRights();
    const [environment] = scene.platform.environments;
    if (environment !== undefined) environment.status = 1;
    await cp.remove(path);
  });

  const open = () => scene.parts.openLog(cp.place(path));
  const sent = () => scene.platform.journal.entries.map(({ operation }) => operation);

  it('is read in parts', async () => {
    const log = await open();
    const tail = await LogTail.open(log);
    assert.ok(tail.text.endsWith(line(20_000)));
    assert.equal(log.readsWhole, false);
    const bytes = scene.platform.journal.entries.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
    assert.ok(bytes < 200_000, `${bytes} bytes`);
    assert.ok(!sent().includes('Read'));
  });

  it('of 60 MB shows its end after three rounds of requests, with less than 200 KB', async () => {
    await writeFile(file, lines(1, 100_000).repeat(25));
    await LogTail.open(await open());
    const { entries } = scene.platform.journal;
    // The listing and the first two characters are requested at once.
    assert.deepEqual(sent().sort(), ['GetEnvInfo', 'GetList', 'ReadLog', 'ReadLog']);
    const bytes = entries.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
    assert.ok(bytes < 200_000, `${bytes} bytes`);
  });

  it('is read whole, and again only after a change, where the platform offers nothing else', async () => {
    scene.platform.behaviour.extras = 'absent';
    const log = await open();
    const tail = await LogTail.open(log);
    assert.ok(log.readsWhole);
    assert.ok(tail.text.endsWith(line(20_000)));
    assert.equal(await tail.readOn(), 'none');
    assert.equal(sent().filter((operation) => operation === 'Read').length, 1);
    await appendFile(file, line(20_001));
    assert.equal(await tail.readOn(), 'added');
    assert.ok(tail.text.endsWith(line(20_001)));
    assert.equal(sent().filter((operation) => operation === 'Read').length, 2);
  });

  it("isn't shown if the platform returns only its beginning, and says how much of it", async () => {
    Object.assign(scene.platform.behaviour, { extras: 'absent', readBytes: 2_000 });
    await assert.rejects(
      LogTail.open(await open()),
      /Couldn't show the end of big\.log\. The platform returned only 2\.0 KB of 497 KB\./,
    );
  });

  it("isn't shown if the platform returns only its beginning while it grows", async () => {
    Object.assign(scene.platform.behaviour, { extras: 'absent', readBytes: 2_000 });
    // A longer file isn't read a second time.
    await writeFile(file, lines(1, 60_000));
    const log = await open();
    const reading = scene.hang('Read');
    const opened = assert.rejects(
      LogTail.open(log),
      /Couldn't show the end of big\.log\. The platform returned only 2\.0 KB of 1\.5 MB\./,
    );
    await reading.reached;
    await appendFile(file, lines(60_001, 200));
    reading.release();
    await opened;
  });

  it('is shown although it was rotated between the listing and the read', async () => {
    scene.platform.behaviour.extras = 'absent';
    const log = await open();
    const reading = scene.hang('Read');
    const opened = LogTail.open(log);
    await reading.reached;
    await writeFile(file, line(20_001));
    reading.release();
    assert.equal((await opened).text, line(20_001));
  });

  it('is read whole a few times at most where its folder may not be listed, either', async () => {
    scene.platform.behaviour.extras = 'absent';
    const fault = { kind: 'refuse', result: 4037, error: 'not allowed' } as const;
    scene.fail('GetList', fault, { times: 'always' });
    const tail = await LogTail.open(await open());
    assert.ok(tail.text.endsWith(line(20_000)));
    const whole = () => sent().filter((operation) => operation === 'Read').length;
    assert.ok(whole() <= 3, `${whole()} times`);
    await appendFile(file, line(20_001));
    scene.platform.journal.reset();
    assert.equal(await tail.readOn(), 'added');
    assert.ok(tail.text.endsWith(line(20_001)));
    assert.equal(whole(), 1);
  });

  it('is read whole once if it turns out to be too long where its folder may not be listed', async () => {
    scene.platform.behaviour.extras = 'absent';
    const fault = { kind: 'refuse', result: 4037, error: 'not allowed' } as const;
    scene.fail('GetList', fault, { times: 'always' });
    await writeFile(file, lines(1, 1_000_000));
    const log = await open();
    await assert.rejects(
      LogTail.open(log),
      /big\.log: it's \d+ MB, and Gantry can read only logs of up to 5\.0 MB here/,
    );
    await appendFile(file, line(1_000_001));
    await assert.rejects(log.read(0, 2), /can read only logs of up to/);
    // Both requests for its start would have ended by now.
    await assert.rejects(log.length(), /can read only logs of up to/);
    assert.equal(sent().filter((operation) => operation === 'Read').length, 1);
  });

  it('knows about how much is transferred for whole files, by which following becomes slower', async () => {
    scene.platform.behaviour.extras = 'absent';
    await Promise.all(Array.from({ length: 50 }, (_, index) => writeFile(`${file}.${index}`, 'x')));
    try {
      const log = await open();
      const tail = await LogTail.open(log);
      scene.platform.journal.reset();
      const before = log.wholeBytes;
      for (let look = 0; look < 3; look++) {
        await appendFile(file, line(20_001 + look));
        assert.equal(await tail.readOn(), 'added');
      }
      assert.equal(await tail.readOn(), 'none');
      const bytes = scene.platform.journal.entries.reduce(
        (sum, entry) => sum + entry.requestBytes + entry.answerBytes,
        0,
      );
      const [known, least] = [log.wholeBytes - before, bytes + 400 * scene.platform.journal.entries.length];
      assert.ok(known >= least && known < 1.5 * least, `${known}, and ${least} at least`);
    } finally {
      await Promise.all(Array.from({ length: 50 }, (_, index) => rm(`${file}.${index}`)));
    }
  });

  it('is followed 8 hours with less than 50 MB', async () => {
    const log = await open();
    const tail = await LogTail.open(log);
    scene.platform.journal.reset();
    const looks = 60;
    for (let look = 0; look < looks; look++) {
      if (look % 10 === 0) await appendFile(file, lines(20_001 + look, 10));
      await tail.readOn();
    }
    // Each minute.
    await log.ensureRunning();
    const { entries } = scene.platform.journal;
    assert.equal(entries.length, looks + 1);
    // Besides the bodies, at most.
    const heads = 700;
    const bytes = entries.reduce((sum, one) => sum + one.requestBytes + one.answerBytes + heads, 0);
    assert.ok(bytes * 8 * 60 < 50_000_000, `${bytes} bytes a minute`);
  });

  it('is not read whole if it is too long, and the message says the limit', async () => {
    scene.platform.behaviour.extras = 'absent';
    await writeFile(file, 'x'.repeat(6 * 1024 * 1024));
    const log = await open();
    await assert.rejects(
      LogTail.open(log),
      /big\.log: it's 6\.0 MB, and Gantry can read only logs of up to 5\.0 MB here/,
    );
    assert.ok(!sent().includes('Read'));
  });

  it('is not read in an environment that is not running', async () => {
    const [environment] = scene.platform.environments;
    assert.ok(environment);
    environment.status = 4;
    await assert.rejects(open(), /isn't running\. Start it in the dashboard/);
    assert.deepEqual(sent(), ['GetEnvInfo']);
  });

  it('is read while the platform changes or clones its environment', async () => {
    const [environment] = scene.platform.environments;
    assert.ok(environment);
    for (const status of [7, 12]) {
      environment.status = status;
      await (await open()).ensureRunning();
    }
  });

  it('is not read any longer once its environment stopped, even if the token can only list environments', async () => {
    scene.platform.faults.add({
      operation: 'GetEnvInfo',
      times: 'always',
      fault: { kind: 'refuse', result: 8202, error: 'not allowed' },
    });
    const log = await open();
    const [environment] = scene.platform.environments;
    assert.ok(environment);
    environment.status = 4;
    scene.parts.environments.refresh();
    await assert.rejects(log.ensureRunning(), /isn't running\. Start it in the dashboard/);
    scene.platform.faults.clear();
  });

  it('must be on one node', async () => {
    await assert.rejects(scene.parts.openLog(cp.onLayer(path)), /requires a single node/);
    assert.deepEqual(sent(), []);
  });

  it('says that a log is missing', async () => {
    await rm(file);
    await assert.rejects(
      open().then((log) => LogTail.open(log)),
      /doesn't exist/,
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { endOfLog, type LogSource, LogTail } from '../../../../src/features/logs/logTail';
import type { Behaviour } from '../../../localPlatform/behaviour';
import { LogContent, partOfLog } from '../../../localPlatform/files/logOperations';

type Counting = Pick<Behaviour, 'logUnits' | 'logStart'>;

const platforms: readonly Counting[] = (['characters', 'bytes', 'lines'] as const).flatMap((logUnits) =>
  (['zero', 'one'] as const).map((logStart) => ({ logUnits, logStart })),
);

class Log implements LogSource {
  reads = 0;
  /** Which read fails. */
  failAt = 0;
  /** Called when a read begins. */
  onRead: () => void = () => undefined;
  transferred = 0;
  #content = new LogContent(Buffer.alloc(0));

  constructor(
    private readonly counting: Counting,
    text = '',
  ) {
    this.write(text);
  }

  write(text: string): void {
    this.#content = new LogContent(Buffer.from(text));
  }

  add(text: string): void {
    this.#content = new LogContent(Buffer.concat([this.#content.bytes, Buffer.from(text)]));
  }

  read(from: number, count: number): Promise<string> {
    this.reads += 1;
    this.onRead();
    if (this.reads === this.failAt) return Promise.reject(new Error('lost'));
    const text = partOfLog(this.#content, this.counting, { from, count });
    this.transferred += Buffer.byteLength(text);
    return Promise.resolve(text);
  }

  length(): Promise<number> {
    return Promise.resolve(this.#content.bytes.length);
  }
}

const alphabets = {
  'ASCII only': 'request',
  'some other characters': 'Bestellung für Käse, 12 €',
  'mostly other characters': 'заказ чая № 茶 🍵🍵🍵',
};

const lines = (text: string, first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `${first + index} ${text}\n`).join('');

for (const counting of platforms) {
  describe(`the end of a log on a platform that counts ${counting.logUnits} from ${counting.logStart}`, () => {
    for (const [what, words] of Object.entries(alphabets)) {
      it(`is shown in whole lines, followed, and extended to the start, with ${what}`, async () => {
        const log = new Log(counting, lines(words, 1, 12_000));
        const tail = await LogTail.open(log);
        assert.match(tail.text, /^\d+ /);
        assert.ok(tail.text.endsWith(lines(words, 11_990, 11)));
        assert.ok(log.transferred < 200_000, `${log.transferred} bytes in ${log.reads} reads`);

        let all = tail.text;
        for (let first = 12_001; first < 12_100; first += 10) {
          assert.equal(await tail.readOn(), 'none');
          const added = lines(words, first, 10);
          log.add(added);
          all += added;
          assert.equal(await tail.readOn(), 'added');
          assert.ok(tail.text === all, 'a line was lost or repeated');
        }

        while (!tail.isFromStart) assert.notEqual(await tail.loadEarlier(), 'restarted');
        assert.ok(tail.text === lines(words, 1, 12_100), 'a line was lost or repeated');
      });

      it(`shows a line as it grows, with ${what}`, async () => {
        const log = new Log(counting, lines(words, 1, 3));
        const tail = await LogTail.open(log);
        log.add(`4 ${words}`);
        await tail.readOn();
        log.add(words);
        await tail.readOn();
        log.add('\n');
        await tail.readOn();
        assert.equal(tail.text, `${lines(words, 1, 3)}4 ${words}${words}\n`);
      });

      it(`starts over after a rotation, with ${what}`, async () => {
        const log = new Log(counting, lines(words, 1, 50));
        const tail = await LogTail.open(log);
        log.write(lines(words, 51, 2));
        assert.equal(await tail.readOn(), 'restarted');
        assert.equal(tail.text, lines(words, 51, 2));
        log.write(lines(words, 100, 200));
        assert.equal(await tail.readOn(), 'restarted');
        assert.equal(tail.text, lines(words, 100, 200));
      });
    }

    it('is followed on after a rotation, whichever request for the new log fails', async () => {
      const words = alphabets['mostly other characters'];
      const content = lines(words, 51, 12_000);
      for (let failing = 1, failed = true; failed; failing++) {
        const log = new Log(counting, lines(words, 1, 50));
        const tail = await LogTail.open(log);
        log.write(content);
        log.failAt = log.reads + failing;
        let change = await tail.readOn().catch(() => undefined);
        failed = change === undefined;
        log.failAt = 0;
        change ??= await tail.readOn();
        assert.equal(change, 'restarted', `after request ${failing} failed`);
        assert.ok(tail.text.endsWith(lines(words, 12_041, 10)), `request ${failing}`);
        log.add('more\n');
        assert.equal(await tail.readOn(), 'added', `after request ${failing} failed`);
      }
    });

    it('is followed on if it is shortened while its end is read', async () => {
      const content = lines(alphabets['mostly other characters'], 1, 12_000);
      for (let before = 1, isReached = true; isReached; before++) {
        const log = new Log(counting, content);
        isReached = false;
        log.onRead = () => {
          if (log.reads === before) {
            isReached = true;
            log.write('');
          }
        };
        const tail = await LogTail.open(log);
        log.onRead = () => undefined;
        log.write(lines('rotated', 1, 3));
        await tail.readOn();
        assert.equal(tail.text, lines('rotated', 1, 3), `shortened before request ${before}`);
      }
    });

    it('ends without the login in a URL whose end is still to be written', async () => {
      const { text } = await endOfLog(new Log(counting, 'a\nclone https://marit:tea'), { lines: 9, characters: 99 });
      assert.equal(text, 'a\nclone https://•••');
    });

    it('may be empty at first, and again', async () => {
      const log = new Log(counting);
      const tail = await LogTail.open(log);
      assert.equal(tail.text, '');
      assert.equal(await tail.readOn(), 'none');
      log.add('first\n');
      assert.equal(await tail.readOn(), 'added');
      assert.equal(tail.text, 'first\n');
      log.write('');
      assert.equal(await tail.readOn(), 'restarted');
      assert.equal(tail.text, '');
    });

    it('skips to the end if much was added', async () => {
      const log = new Log(counting, lines('start', 1, 10));
      const tail = await LogTail.open(log);
      log.add(lines('flood', 11, 60_000));
      log.transferred = 0;
      assert.equal(await tail.readOn(), 'skipped');
      assert.ok(tail.text.endsWith('\n60010 flood\n'));
      assert.ok(log.transferred < 500_000, `${log.transferred} bytes`);
    });

    it('is read in several looks if much was added and nothing may be skipped', async () => {
      const log = new Log(counting, lines('start', 1, 10));
      const tail = await LogTail.open(log, 'read');
      log.add(lines('flood', 11, 40_000));
      let all = lines('start', 1, 10);
      while ((await tail.readOn()) === 'added') all += tail.added;
      assert.ok(all === `${lines('start', 1, 10)}${lines('flood', 11, 40_000)}`, 'a line was lost or repeated');
    });

    it('keeps a bounded text however long it is followed', async () => {
      const log = new Log(counting, lines('start', 1, 10));
      const tail = await LogTail.open(log);
      const words = 'followed for hours '.repeat(10);
      for (let first = 11; first < 16_000; first += 250) {
        log.add(lines(words, first, 250));
        assert.equal(await tail.readOn(), 'added');
      }
      assert.ok(tail.text.length <= 2 * 1024 * 1024);
      assert.match(tail.text, /^\d+ followed/);
      assert.ok(tail.text.endsWith(`\n16010 ${words}\n`));
    });
  });
}

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Found } from '../../../src/files/saving/found';
import { KeptTexts } from '../../../src/files/saving/keptTexts';
import type { SaveOutcome } from '../../../src/files/saving/saveOutcome';
import { type Reach, Saves } from '../../../src/files/saving/saves';
import { WindowPresence } from '../../../src/files/saving/windowPresence';
import { isPlatformError } from '../../../src/platform/errors';
import type { FaultRule } from '../../platform/faults/fault';
import { TestContainer } from './container';
import { SeededRandom } from './seededRandom';

/** GANTRY_SAVES=100000 for a long night; GANTRY_SEED to see one again that failed. */
const wanted = Number(process.env['GANTRY_SAVES'] ?? 2_000);
const firstSeed = Number(process.env['GANTRY_SEED'] ?? 1);
const portion = 200;
const atOnce = 50;
const deadline = 3_000;

type Fault = FaultRule['fault'];
type Draw = (random: SeededRandom, text: string, nodeId: number) => Fault;

const when = (random: SeededRandom) => random.pick<'before' | 'after'>(['before', 'after']);

/** What can go wrong with any request, and with a write. */
const anyFault: readonly [Draw, ...Draw[]] = [
  (random) => ({ kind: 'reset', when: when(random) }),
  (random) => ({ kind: 'gatewayError', status: random.pick([502, 504]), when: when(random) }),
  (random) => ({ kind: 'truncate', bytes: random.below(40) }),
  () => ({ kind: 'textResult' }),
  (random) => ({ kind: 'delay', milliseconds: random.pick([5, 20, 60, deadline * 1.2]), when: when(random) }),
  (random) => ({ kind: 'refuse', result: random.pick([4035, 99, 17]), error: 'no', when: when(random) }),
  // Who may not ask is turned away before anything is done.
  (random) => ({ kind: 'refuse', result: random.pick([702, 8202, 4037, 8]), error: 'no', when: 'before' }),
  (random) => ({ kind: 'nestedFailure', shape: random.pick(['response', 'responses']), when: when(random) }),
  (random) => ({ kind: 'answer', body: random.pick(['', '{}', '{"result":0}', '<html>', '[]']), when: when(random) }),
  (_, __, nodeId) => ({ kind: 'failNode', nodeId }),
];
const writeFault: readonly [Draw, ...Draw[]] = [
  ...anyFault,
  (random) => ({ kind: 'hang', when: when(random) }),
  (random, text) => ({ kind: 'wrongText', text: random.pick(['', text.slice(0, -1), `${text}!`, text.toUpperCase()]) }),
  (random) => ({ kind: 'diskFull', leaves: random.pick(['untouched', 'empty', 'partial']) }),
];

const alphabet = ['a', 'b', '\n', '\r\n', 'ü', '🏗️', '\t', '&', '%', '+', '=', '\uFEFF', ' '] as const;
const someText = (random: SeededRandom) =>
  Array.from({ length: random.below(60) }, () => random.pick(alphabet)).join('');

describe('faulted saves', () => {
  let container: TestContainer;
  let folder: string;
  let kept: KeptTexts;
  let saves: Saves;
  const presence = new WindowPresence();

  before(async () => {
    container = await TestContainer.start({ deadline });
    folder = await mkdtemp(join(tmpdir(), 'gantry-faulted-'));
    kept = new KeptTexts(folder, presence);
    const around = {
      files: container.files,
      kept,
      nodesOf: (place: ReturnType<TestContainer['place']>) =>
        Promise.resolve(place.target.nodeId === undefined ? container.everywhere(place.path) : [place]),
      notKept: (error: unknown) => assert.fail(String(error)),
    };
    saves = new Saves(around, { comparedAsText: 80, pauses: [0] });
  });

  after(async () => {
    await container.dispose();
    await presence.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** One edit: the file is opened, perhaps changed behind its back, and saved while something goes wrong. */
  async function oneSave(seed: number): Promise<void> {
    const random = new SeededRandom(seed);
    const path = `/srv/${seed}/f`;
    const reach: Reach = random.chance(0.3) ? 'layer' : 'place';
    const nodes = reach === 'layer' ? [0, 1] : [0];
    const base = someText(random);
    const text = random.chance(0.05) ? base : someText(random);
    for (const node of [0, 1]) {
      await container.putLongAgo(path, base, node);
    }
    const place = container.place(path, 0);
    const version = await container.open(place);
    const changed = await changeBehindItsBack(random, { path, base, nodes });
    const before = await textsOf(path);

    const faults = arm(random, { path, text });
    const told = undefined;
    const job = (accepted: readonly Found[] = []) => ({
      ...{ text, accepted, reach, keeping: { told } },
      base: { kind: 'version', version } as const,
    });
    const { outcome } = await saves.save(place, () => Promise.resolve(job()));
    for (const fault of faults) {
      fault.release();
      fault.remove();
    }
    await settled(path);
    const after = await textsOf(path);
    const now = { nodes, text, before, after };
    holdsOrKeeps(outcome, now);
    if (outcome.kind === 'conflict' || outcome.kind === 'failed') {
      isUntouched(outcome, now);
    }
    if (changed !== undefined && changed.text !== text) {
      // Whatever went wrong, what somebody else wrote is not overwritten unseen.
      assert.equal(after[changed.node], changed.text);
      assert.notEqual(outcome.kind, 'saved');
    }
    await isKept(outcome, { path, base, text });
    if (outcome.kind !== 'saved') {
      await againAndAccepting(place, outcome, now, job);
    }
    await container.remove(`/srv/${seed}`, 0);
    await container.remove(`/srv/${seed}`, 1);
  }

  interface Now {
    readonly nodes: readonly number[];
    readonly text: string;
    readonly before: readonly string[];
    readonly after: readonly string[];
  }

  function holdsOrKeeps(outcome: SaveOutcome, { nodes, text, after }: Now): void {
    if (outcome.kind === 'saved') {
      assert.deepEqual(
        nodes.map((node) => after[node]),
        nodes.map(() => text),
      );
    }
  }

  function isUntouched(outcome: SaveOutcome, { nodes, before, after }: Now): void {
    for (const node of nodes) {
      // A write that hung when it was looked up may still have arrived.
      const late = outcome.kind === 'failed' && isPlatformError(outcome.cause) && outcome.cause.kind === 'timeout';
      assert.ok(late || after[node] === before[node], JSON.stringify({ node, before, after, outcome }));
    }
  }

  async function isKept(outcome: SaveOutcome, edit: { path: string; base: string; text: string }): Promise<void> {
    const [found, ...more] = await kept.find(container.place(edit.path, 0));
    assert.equal(more.length, 0);
    if (outcome.kind === 'saved') {
      assert.equal(found, undefined);
    } else {
      assert.equal(found?.text, edit.text);
      assert.equal(found.base.kind === 'version' && found.base.version.text, edit.base);
    }
  }

  /** With nothing in the way any more, the person looks at what is there and wants it overwritten. */
  async function againAndAccepting(
    place: ReturnType<TestContainer['place']>,
    first: SaveOutcome,
    { nodes, text }: Now,
    job: (accepted?: readonly Found[]) => Awaited<ReturnType<Parameters<Saves['save']>[1]>>,
  ): Promise<void> {
    const accepted = 'nodes' in first ? first.nodes.map(({ found }) => found) : [];
    const { outcome } = await saves.save(place, () => Promise.resolve(job(accepted)));
    const seen = outcome.kind === 'conflict' ? outcome.nodes.map(({ found }) => found) : [];
    const last =
      outcome.kind === 'saved' ? outcome : (await saves.save(place, () => Promise.resolve(job(seen)))).outcome;
    assert.equal(last.kind, 'saved');
    for (const node of nodes) {
      assert.equal(await container.text(place.path, node), text);
    }
    assert.deepEqual(await kept.find(place), []);
  }

  async function changeBehindItsBack(
    random: SeededRandom,
    { path, base, nodes }: { path: string; base: string; nodes: readonly number[] },
  ): Promise<{ readonly node: number; readonly text: string } | undefined> {
    if (!random.chance(0.25)) {
      return undefined;
    }
    const node = nodes[random.below(nodes.length)] ?? 0;
    const sameLength = base.replace(/a/, 'A');
    const text = random.chance(0.5) && sameLength !== base ? sameLength : `${base}theirs`;
    await container.put(path, text, node);
    return { node, text };
  }

  function arm(random: SeededRandom, { path, text }: { path: string; text: string }) {
    const at = container.place(path, 1).target.nodeId ?? 0;
    return Array.from({ length: random.below(4) }, () => {
      const operation = random.pick(['Read', 'GetList', 'Write', 'Write']);
      const draw = random.pick(operation === 'Write' ? writeFault : anyFault);
      return container.platform.faults.add({
        operation,
        parameters: { path: operation === 'GetList' ? path.slice(0, -2) : path },
        nth: operation === 'Write' ? 1 : 1 + random.below(4),
        times: random.chance(0.2) ? 'always' : 1 + random.below(3),
        fault: draw(random, text, at),
      });
    });
  }

  /** What was still on its way when the save gave up arrives before anything is looked at. */
  async function settled(path: string): Promise<void> {
    const { journal } = container.platform;
    const about = ({ parameters }: { parameters: Readonly<Record<string, string>> }) => parameters['path'] === path;
    while (journal.arrivals.filter(about).length > journal.entries.filter(about).length) {
      await journal.next(about);
    }
  }

  const textsOf = (path: string) => Promise.all([container.text(path, 0), container.text(path, 1)]);

  for (let first = firstSeed; first < firstSeed + wanted; first += portion) {
    const last = Math.min(first + portion, firstSeed + wanted) - 1;
    it(`${first} to ${last}: either the nodes hold exactly the text, or base and text are on disk`, async function () {
      this.timeout(60_000);
      const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n).values();
      const work = Array.from({ length: atOnce }, async () => {
        for (const seed of seeds) {
          await oneSave(seed).catch((error: unknown) => {
            throw new Error(`GANTRY_SEED=${seed} GANTRY_SAVES=1`, { cause: error });
          });
        }
      });
      await Promise.all(work);
      assert.deepEqual(await kept.list(), []);
      container.platform.journal.reset();
    });
  }
});

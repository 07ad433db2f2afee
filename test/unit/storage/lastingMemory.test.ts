import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { describe, it } from 'mocha';
import { LastingMemory } from '../../../src/storage/lastingMemory';

/** What all windows share, and what one window of VS Code knows of it. */
class Window implements Memento {
  private values: Readonly<Record<string, unknown>> = {};
  private readonly echoes: (() => void)[] = [];
  private holds = false;
  public stored: Readonly<Record<string, unknown>> = {};
  public writes = 0;

  public keys(): readonly string[] {
    return Object.keys(this.values).filter((key) => this.values[key] !== undefined);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as in `Memento`
  public get<T>(key: string): T | undefined;
  public get<T>(key: string, otherwise: T): T;
  public get(key: string, otherwise?: unknown): unknown {
    return this.values[key] ?? otherwise;
  }

  /** VS Code stores all values a moment later, and then tells this window of them as they were. */
  public async update(key: string, value: unknown): Promise<void> {
    this.values = { ...this.values, [key]: value };
    this.writes += 1;
    await Promise.resolve();
    const sent = this.values;
    this.stored = sent;
    if (this.holds) this.echoes.push(() => (this.values = sent));
    else this.values = sent;
  }

  public holdEchoes(): void {
    this.holds = true;
  }

  public deliverEchoes(): void {
    this.holds = false;
    for (const echo of this.echoes.splice(0)) echo();
  }

  /** Another window's change arrives with all values. */
  public receive(values: Readonly<Record<string, unknown>>): void {
    this.stored = values;
    this.values = values;
  }
}

describe('the memory that all windows share', () => {
  it('keeps a change that VS Code loses when it tells of an earlier change', async () => {
    const { window, memory } = setUp();
    window.holdEchoes();
    await memory.update('first', 1);
    const second = memory.update('second', { name: 'new' });
    // VS Code hasn't stored the second one yet.
    window.deliverEchoes();
    assert.deepEqual(memory.get('second'), { name: 'new' });
    await second;
    assert.deepEqual(window.stored, { first: 1, second: { name: 'new' } });
  });

  it('stores a change again when a later read shows the value before', async () => {
    const { window, memory } = setUp();
    await memory.update('list', ['a']);
    await memory.update('list', ['a', 'b']);
    for (const before of [{}, { list: ['a'] }]) {
      window.receive(before);
      assert.ok(memory.keys().includes('list'));
      assert.deepEqual(memory.get('list', []), ['a', 'b']);
      await memory.update('other', 1);
      assert.deepEqual(window.stored['list'], ['a', 'b']);
    }
  });

  it('keeps a removal', async () => {
    const { window, memory } = setUp();
    await memory.update('list', ['a']);
    await memory.update('list', undefined);
    window.receive({ list: ['a'] });
    assert.deepEqual(memory.get('list', []), []);
    assert.deepEqual(memory.keys(), []);
    await memory.update('other', 1);
    assert.equal(window.stored['list'], undefined);
  });

  it("leaves another window's value alone, also when that goes back later", async () => {
    const { window, memory } = setUp();
    await memory.update('list', ['a']);
    window.receive({ list: ['theirs'] });
    assert.deepEqual(memory.get('list'), ['theirs']);
    window.receive({});
    assert.equal(memory.get('list'), undefined);
    await memory.update('other', 1);
    assert.deepEqual(window.stored, { other: 1 });
  });

  it('lets another window go back to the value before once the change has lasted', async () => {
    const { window, memory, wait } = setUp();
    await memory.update('list', ['a']);
    wait(60_000);
    window.receive({});
    assert.equal(memory.get('list'), undefined);
    assert.deepEqual(memory.keys(), []);
    assert.equal(window.writes, 1);
  });

  it("doesn't store again what another window removed because it signed out, and keeps later changes", async () => {
    const { window, memory, wait, signOut } = setUp();
    await memory.update('searches', { a: 'secret words' });
    await memory.update('order', 'name');
    wait(1_000);
    signOut();
    wait(100);
    window.receive({ order: 'name' });
    memory.get('searches');
    await memory.update('later', 1);
    assert.equal(memory.get('searches'), undefined);
    assert.deepEqual(window.stored, { order: 'name', later: 1 });
    window.receive({ order: 'name' });
    await memory.update('other', 2);
    assert.deepEqual(window.stored, { order: 'name', later: 1, other: 2 });
  });

  it('forgets a change that VS Code refused', async () => {
    const { window, memory } = setUp();
    window.update = () => Promise.reject(new Error('full'));
    await assert.rejects(Promise.resolve(memory.update('list', ['a'])), /full/);
    assert.equal(memory.get('list'), undefined);
  });
});

function setUp() {
  const window = new Window();
  const clock = { now: 0, signOut: -Infinity };
  const memory = new LastingMemory(
    window,
    () => Promise.resolve(clock.signOut),
    () => clock.now,
  );
  return {
    window,
    memory,
    wait: (ms: number) => void (clock.now += ms),
    /** In another window. */
    signOut: () => void (clock.signOut = clock.now),
  };
}

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';

/** What the platform needs of a program that was started, here or elsewhere. */
export interface Program {
  readonly pid?: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Null if nobody wants it. */
  readonly stderr: Readable | null;
  kill(signal: 'SIGKILL'): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  on(event: 'close', listener: (code: number | null) => void): unknown;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly detached?: boolean;
  readonly windowsHide?: boolean;
  readonly stderr: 'pipe' | 'ignore';
  readonly timeout?: number;
  readonly killSignal?: 'SIGKILL';
}

/** What the other process tells of a program. */
interface News {
  readonly id: number;
  readonly pid?: number;
  readonly stdout?: Uint8Array;
  readonly stderr?: Uint8Array;
  readonly error?: string;
  readonly isOver?: true;
  readonly code?: number | null;
}

let starter: Starter | undefined;

/**
 * Has programs started by a small process from now on. Starting one copies the page tables of the process that does it and
 * stops it meanwhile: 50 ms in an extension host of 250 MB, 7 ms elsewhere, and a deployment starts about ten.
 */
export function startProgramsElsewhere(): void {
  starter ??= new Starter();
}

/** Ends the process that starts programs. Later programs are started here. */
export async function startProgramsHere(): Promise<void> {
  const ending = starter;
  starter = undefined;
  await ending?.dispose();
}

export const startProgram = (program: string, args: readonly string[], options: ProgramOptions): Program => {
  if (starter !== undefined) return starter.start(program, args, options);
  return options.stderr === 'pipe'
    ? spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    : spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
};

class Starter {
  readonly #process: ChildProcess;
  readonly #running = new Map<number, RemoteProgram>();
  #last = 0;

  constructor() {
    this.#process = fork(join(__dirname, 'starterProcess.cjs'), [], {
      // Electron's program is Node only with this.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process.on('message', (news) => this.#hear(news as News));
    const gone = (): void => {
      if (starter === this) starter = undefined;
      for (const program of this.#running.values()) program.end(null);
      this.#running.clear();
    };
    this.#process.on('exit', gone);
    this.#process.on('error', gone);
    this.#process.unref();
    this.#process.channel?.unref();
  }

  start(program: string, args: readonly string[], options: ProgramOptions): Program {
    this.#last += 1;
    const id = this.#last;
    const send = (what: object): void => {
      if (this.#process.connected) this.#process.send({ id, ...what });
    };
    const started = new RemoteProgram(send, options);
    this.#running.set(id, started);
    this.#process.channel?.ref();
    send({ start: { program, args, options: { ...options, stdio: ['pipe', 'pipe', options.stderr] } } });
    return started;
  }

  async dispose(): Promise<void> {
    if (!this.#process.connected) return;
    const ended = once(this.#process, 'exit');
    this.#process.ref();
    this.#process.disconnect();
    await ended;
  }

  #hear({ id, pid, stdout, stderr, error, isOver, code }: News): void {
    const program = this.#running.get(id);
    if (program === undefined) return;
    if (pid !== undefined) program.began(pid);
    if (stdout !== undefined) program.stdout.push(stdout);
    if (stderr !== undefined) program.stderr?.push(stderr);
    if (error !== undefined) program.emit('error', new Error(error));
    if (isOver === true) program.emit('exit');
    if (code !== undefined) {
      this.#running.delete(id);
      if (this.#running.size === 0) this.#process.channel?.unref();
      program.end(code);
    }
  }
}

class RemoteProgram extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout = new Readable({ read: () => undefined });
  readonly stderr: Readable | null;
  pid: number | undefined;
  readonly #isGroup: boolean;
  #isUnwanted = false;
  #hasEnded = false;

  constructor(send: (what: object) => void, { stderr, detached = false }: ProgramOptions) {
    super();
    this.#isGroup = detached;
    this.stderr = stderr === 'pipe' ? new Readable({ read: () => undefined }) : null;
    this.stdin = new Writable({
      write: (input: Buffer, _, done) => {
        send({ input });
        done();
      },
      final: (done) => {
        send({ isEnd: true });
        done();
      },
    });
  }

  began(pid: number): void {
    this.pid = pid;
    // It may have been ended before its number was known.
    if (this.#isUnwanted) this.kill();
  }

  kill(): void {
    this.#isUnwanted = true;
    if (this.pid === undefined || this.#hasEnded) return;
    try {
      process.kill(this.#isGroup ? -this.pid : this.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }

  /** Closes once everything that the program wrote was read, as a program that was started here does. */
  end(code: number | null): void {
    this.#hasEnded = true;
    const open = new Set([this.stdout, this.stderr].filter((stream) => stream !== null));
    for (const stream of open) {
      stream.on('close', () => {
        open.delete(stream);
        if (open.size === 0) this.emit('close', code);
      });
      stream.push(null);
    }
  }
}

import { type Program, startProgram } from './starter';

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Gets the output as it arrives. */
  readonly onOutput?: (text: string) => void;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'missing' };

export interface Outcome {
  readonly ending: Ending;
  readonly stdout: string;
  /** Both streams in order of arrival. */
  readonly output: string;
}

const mostOutput = 1024 * 1024;

class Collected {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  add(piece: Buffer): void {
    if (this.#length < mostOutput) this.#pieces.push(piece);
    this.#length += piece.length;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}

const hasGroups = process.platform !== 'win32';

/** Ends a child process with everything it started, because each runs in a separate process group. */
const endGroup = (child: Program): void => {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The group is gone already.
  }
};

/** Runs a program until it ends, its time limit, or the platform's end. Its background processes end too. */
export const runProgram = (run: Run): Promise<Outcome> =>
  new Promise((resolve) => {
    const stdout = new Collected();
    const output = new Collected();
    if (run.signal.aborted) {
      resolve({ ending: { kind: 'stopped' }, stdout: '', output: '' });
      return;
    }
    const child = startProgram(run.program, run.args, {
      cwd: run.cwd,
      env: run.environment,
      detached: hasGroups,
      windowsHide: true,
      stderr: 'pipe',
    });
    let early: Ending | undefined;
    const end = (ending: Ending): void => {
      early ??= ending;
      endGroup(child);
    };
    const stop = (): void => end({ kind: 'stopped' });
    const deadline = setTimeout(() => end({ kind: 'deadline' }), run.seconds * 1000);
    run.signal.addEventListener('abort', stop, { once: true });
    const settle = (ending: Ending): void => {
      clearTimeout(deadline);
      run.signal.removeEventListener('abort', stop);
      resolve({ ending: early ?? ending, stdout: stdout.text, output: output.text });
    };
    const collect = (piece: Buffer): void => {
      output.add(piece);
      run.onOutput?.(piece.toString('utf8'));
    };
    child.stdout.on('data', (piece: Buffer) => {
      stdout.add(piece);
      collect(piece);
    });
    child.stderr?.on('data', collect);
    // A program that doesn't read its input breaks the pipe. Only its exit matters.
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input ?? '');
    child.on('error', () => settle({ kind: 'missing' }));
    child.on('exit', () => endGroup(child));
    child.on('close', (code) => settle({ kind: 'exit', code: code ?? 1 }));
  });

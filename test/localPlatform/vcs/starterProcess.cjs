// Starts programs for another process, whose `starter.ts` sends what to start and what they read.
const { spawn } = require('node:child_process');

const running = new Map();

process.on('message', ({ id, start, input, isEnd }) => {
  if (start !== undefined) begin(id, start);
  else if (isEnd) running.get(id)?.stdin.end();
  else running.get(id)?.stdin.write(input);
});
process.on('disconnect', () => process.exit());

function begin(id, { program, args, options }) {
  const tell = (what) => process.connected && process.send({ id, ...what });
  const child = spawn(program, args, options);
  running.set(id, child);
  if (child.pid !== undefined) tell({ pid: child.pid });
  // A program that doesn't read its input breaks the pipe. Only its exit matters.
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (piece) => tell({ stdout: piece }));
  child.stderr?.on('data', (piece) => tell({ stderr: piece }));
  child.on('error', ({ message }) => tell({ error: message }));
  child.on('exit', () => tell({ isOver: true }));
  child.on('close', (code) => {
    running.delete(id);
    tell({ code });
  });
}

import { runTests } from '@vscode/test-electron';

/**
 * Starts VS Code on the desktop with the TestOptions that its argument contains as JSON. A separate process, so that
 * all of it can be ended together.
 */
runTests(JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof runTests>[0]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

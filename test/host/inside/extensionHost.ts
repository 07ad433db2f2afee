import { type TestEvent } from '../events/testEvent';
import { openEventChannel } from './eventChannel';
import { passOnSlowness } from '../limits';
import { runMocha } from './runMocha';
import { type HostRun } from './testRun';

/** Runs tests in VS Code's extension host, where `vscode` can be required. */
export async function runTests({ port, slowness, sources, ...run }: HostRun): Promise<void> {
  passOnSlowness(slowness);
  const channel = await openEventChannel(port);
  const failed = await runMocha(run, (event) => channel.send(withSource(event, run.files, sources)));
  await channel.close();
  if (failed > 0) throw new Error(`${failed} failed`);
}

/** Replaces the bundle's path with the path of its source. */
function withSource(event: TestEvent, files: readonly string[], sources: readonly string[]): TestEvent {
  return 'file' in event ? { ...event, file: sources[files.indexOf(event.file)] ?? '' } : event;
}

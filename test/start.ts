import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, projectFolder, scratchFolder } from './host/folders';
import { askedToEnd } from './host/leftovers';
import { runToEnd } from './host/processes';
import { openDesktopWindow } from './host/start/desktopWindow';
import { checkPort } from './host/start/freePort';
import { type PlatformProcess, startPlatformProcess } from './host/start/platformProcess';
import { type StartOptions, startOptions } from './host/start/startOptions';
import { likeTheFirstStart } from './host/vscode/environment';
import { startVsCode } from './host/vscode/startVsCode';
import { type Settings } from './host/vscode/testSettings';

/** Something that runs until it is ended or ends by itself. */
interface Running {
  readonly ended: Promise<Ending>;
  dispose(): Promise<void>;
}

interface Ending {
  /** A message for the user if it ended unexpectedly. */
  readonly surprise?: string;
}

/** Runs VS Code with Gantry next to a local platform until the user ends it. */
async function start(options: StartOptions): Promise<Ending> {
  const asked = askedToEnd().then((): Ending => ({}));
  const running: Running[] = [];
  try {
    if (!options.desktop) await checkPort(options.port, '--port');
    await checkPort(options.platformPort, '--platform-port');
    const platform = await startPlatformProcess(options.platformPort, accountOptions(options));
    running.push({ ...platform, ended: platform.ended.then(() => ({ surprise: 'The local platform has ended.' })) });
    const opened = (options.desktop ? openOnDesktop : openInBrowser)(platform, options).then((vscode) => {
      running.push(vscode);
      return vscode.ended;
    });
    return await Promise.race([asked, opened, ...running.map(({ ended }) => ended)]);
  } finally {
    await Promise.all(running.map((one) => one.dispose()));
  }
}

function accountOptions({ environments }: StartOptions): string[] {
  return environments === undefined ? [] : ['--environments', String(environments)];
}

async function openInBrowser(platform: PlatformProcess, { port }: StartOptions): Promise<Running> {
  // Nobody comes back to a random port, and two windows at a time must not share a folder.
  const folder = port === 0 ? scratchFolder('start') : join(cacheFolder, 'start', String(port));
  const vsix = join(folder, 'gantry.vsix');
  await mkdir(folder, { recursive: true });
  console.log('Packing the extension …');
  await runToEnd(process.execPath, ['--import', 'tsx', join(__dirname, 'package.ts'), vsix], { cwd: projectFolder });
  const password = randomBytes(12).toString('base64url');
  const vscode = await startVsCode({
    extension: { vsix },
    stateFolder: folder,
    settings: settingsFor(platform),
    port,
    auth: { password },
    builtInExtensions: 'all',
    env: likeTheFirstStart,
    workspaceTrust: 'on',
  });
  announce([['VS Code', vscode.origin], ['VS Code password', password], ...signInLines(platform)]);
  return { ...vscode, ended: vscode.ended.then(() => ({ surprise: "VS Code's server has ended." })) };
}

function settingsFor({ origin }: PlatformProcess): Settings {
  return {
    'gantry.platforms': [origin],
    // Each start opens on Gantry, and so do more windows at the same address.
    'workbench.welcomePage.walkthroughs.openOnInstall': true,
    // It would ask in a message for a PHP installation, because of the sample's files.
    'php.validate.enable': false,
  };
}

async function openOnDesktop(platform: PlatformProcess): Promise<Running> {
  const window = await openDesktopWindow(join(cacheFolder, 'start', 'desktop'), settingsFor(platform));
  announce([['VS Code', 'has been opened'], ...signInLines(platform)]);
  return { ...window, ended: window.ended.then(() => ({})) };
}

function signInLines({ origin, login, password, repository }: PlatformProcess): [string, string][] {
  return [['platform', origin], ['sign in as', login], ['password', password], ...gitLines(repository)];
}

/** The clone is shown without its login, because Git asks for that, and so does a push. */
function gitLines(repository: string | undefined): [string, string][] {
  if (repository === undefined) {
    return [];
  }
  const url = new URL(repository);
  const { username, password } = url;
  Object.assign(url, { username: '', password: '' });
  return [
    ['Git repository', url.href],
    ['Git username', decodeURIComponent(username)],
    ['Git password', decodeURIComponent(password)],
  ];
}

/** What Gantry does better than a terminal: it says why something doesn't work, and leads back. */
const thingsToTry = [
  'Sign in as below, then try two things:',
  '1. Break nginx.conf: remove a semicolon, save, restart, and undo that from the message.',
  '   It is in Saltmarsh Tea › Load balancer › NGINX 1.26 › etc › nginx.',
  "2. Set a wrong branch: change ROOT's branch in Project Settings, redeploy, and look at the log.",
];

function announce(lines: readonly [string, string][]): void {
  const width = Math.max(...lines.map(([name]) => name.length));
  console.log(
    [
      '',
      ...thingsToTry.map((line) => `  ${line}`),
      '',
      ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
      '',
      '  Press Ctrl+C to stop everything.',
      '',
    ].join('\n'),
  );
}

async function main(): Promise<Ending> {
  return await start(startOptions(process.argv.slice(2)));
}

// Exiting also ends everything that was still starting.
main().then(
  ({ surprise }) => {
    if (surprise !== undefined) console.error(surprise);
    process.exit(surprise === undefined ? 0 : 1);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

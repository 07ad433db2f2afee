import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { digest } from '../folders';
import { runToEnd } from '../processes';
import { installOnce } from './installOnce';
import { npmCi } from './npmCi';

export interface Browser {
  readonly executablePath: string;
  /** Additional environment variables for it. */
  readonly env: Readonly<Record<string, string>>;
}

const commands = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];

/**
 * Returns the browser that GANTRY_BROWSER names, the headless Chromium of an npm package (Linux on x64), or an installed
 * browser of the Chromium family. Debian's Chromium takes a quarter more processor time, because it keeps spare pages.
 */
export async function findBrowser(): Promise<Browser> {
  const installed = placesToLook().find((path) => existsSync(path));
  const named = process.env['GANTRY_BROWSER'] ?? '';
  if (named !== '') return { executablePath: named, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') {
    return carriedChromium().catch((error: unknown) => {
      if (installed === undefined) throw error;
      return { executablePath: installed, env: {} };
    });
  }
  if (installed !== undefined) return { executablePath: installed, env: {} };
  throw new Error('No browser for the tests: install Google Chrome or Microsoft Edge, or name one in GANTRY_BROWSER.');
}

function placesToLook(): string[] {
  switch (process.platform) {
    case 'darwin':
      return applications;
    case 'win32':
      return ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(programsIn);
    default:
      return (process.env['PATH'] ?? '').split(delimiter).flatMap((at) => commands.map((name) => join(at, name)));
  }
}

function programsIn(variable: string): string[] {
  const folder = process.env[variable];
  return folder === undefined ? [] : programs.map((program) => join(folder, program));
}

async function carriedChromium(): Promise<Browser> {
  const manifests = join(__dirname, '..', 'runtimes', 'chromium');
  const lock = readFileSync(join(manifests, 'package-lock.json'), 'utf8');
  const folder = await installOnce({
    name: 'chromium',
    version: digest(lock),
    build: async (building) => {
      process.stdout.write('Getting Chromium into .cache …\n');
      await npmCi(manifests, building);
      await unpack(building);
    },
  });
  return startable(join(folder, 'unpacked'));
}

/**
 * The package unpacks into a separate temporary folder. VERCEL makes it also unpack libraries that minimal systems
 * lack.
 */
async function unpack(folder: string): Promise<void> {
  const unpacked = join(folder, 'unpacked');
  await mkdir(unpacked);
  await runToEnd(
    process.execPath,
    ['-e', "import('@sparticuz/chromium').then((carried) => carried.default.executablePath())"],
    {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: unpacked, VERCEL: '1' },
    },
  );
}

/** Uses the machine's own libraries and fonts if available, and those of the package otherwise. */
function startable(unpacked: string): Browser {
  const executablePath = join(unpacked, 'chromium');
  const fonts: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_PATH: join(unpacked, 'fonts') };
  const withLibraries = { ...fonts, LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib') };
  for (const env of [fonts, withLibraries]) {
    const { status } = spawnSync(executablePath, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    if (status === 0) return { executablePath, env };
  }
  throw new Error(
    'The Chromium that npm carries does not start on this system: install Google Chrome or Chromium, or name one in GANTRY_BROWSER.',
  );
}

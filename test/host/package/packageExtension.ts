import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { digest, projectFolder, scratchFolder } from '../folders';
import { installOnce } from '../install/installOnce';
import { runToEnd } from '../processes';
import { recompressZip } from './recompressZip';
import { type ZipEntry, zipEntries } from './zipEntries';

/** In bytes. The benchmark `vsix` reports the growth since the last release. */
export const largestPackage = 555_000;

/** All files that a package may contain: the bundle, media, documents, and the files that VS Code needs. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package\.json$/,
  /^extension\/package\.nls(\.[\w-]+)?\.json$/,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE(\.txt)?$/,
  /^extension\/dist\/[\w-]+\.js$/,
  /^extension\/dist\/ThirdPartyNotices\.txt$/,
  /^extension\/media\/[\w/.-]+\.(svg|png|md)$/,
  /^extension\/media\/variables\/(grammar|language-configuration)\.json$/,
];

/** Large folders that no package contains. */
const leftBehind: readonly string[] = ['.cache', '.git', 'dist', 'node_modules', 'test'];

/** Where the release is published from: README's pictures and links lead there. */
export interface ReleaseSource {
  /** The repository's address, for example https://git.example/owner/gantry. */
  readonly repository: string;
  /** The tag or commit that is released. */
  readonly ref: string;
}

/**
 * Builds and packs the extension as it is shipped, and puts the list of bundled packages next to it. Rejects a package
 * that is too large or contains other files. The same sources are packed only once.
 */
export async function packageExtension(vsix: string, source?: ReleaseSource): Promise<void> {
  const version = digest(await sourcesDigest(), JSON.stringify(source ?? {}));
  const built = await installOnce({ name: 'package', version, build: (folder) => pack(folder, source) });
  // The limit isn't one of the sources, so a package that was packed before may be too large now.
  const archive = await readFile(join(built, 'gantry.vsix'));
  const problem = packageProblem(archive.length, zipEntries(archive));
  if (problem !== undefined) throw new Error(problem);
  await cp(join(built, 'gantry.vsix'), vsix);
  await cp(join(built, 'sbom.cdx.json'), vsix.replace(/\.vsix$/, '.sbom.json'));
}

/** Works on a copy, because a running VS Code may use the bundle in the project folder. */
async function pack(into: string, source: ReleaseSource | undefined): Promise<void> {
  const vsix = join(into, 'gantry.vsix');
  const copy = scratchFolder('package');
  try {
    await cp(projectFolder, copy, {
      recursive: true,
      filter: (path) => !leftBehind.includes(relative(projectFolder, path)),
    });
    await bundleAsShipped(join(copy, 'dist'));
    await shortenManifest(copy, source);
    await shortenTexts(copy, source);
    await linkReadme(copy, source);
    await joinLines(join(copy, 'media', 'walkthrough'));
    await joinLines(join(copy, 'l10n'));
    // Imported here because it takes half a second to load, and callers that only check a package don't need it.
    const { createVSIX } = await import('@vscode/vsce');
    await createVSIX({
      cwd: copy,
      packagePath: vsix,
      dependencies: false,
      allowMissingRepository: source === undefined,
    });
    await writeFile(vsix, await recompressZip(await readFile(vsix)));
    await cp(join(copy, 'dist', 'sbom.cdx.json'), join(into, 'sbom.cdx.json'));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Returns a digest of all files that the package is made of. */
async function sourcesDigest(): Promise<string> {
  const hash = createHash('sha256');
  const isSource = (name: string): boolean => !leftBehind.includes(name) && !/\.(vsix|sbom\.json)$/.test(name);
  for (const name of (await readdir(projectFolder)).filter(isSource).sort()) {
    const path = join(projectFolder, name);
    const names = (await stat(path)).isDirectory() ? (await readdir(path, { recursive: true })).sort() : [''];
    for (const one of names) {
      const file = join(path, one);
      if ((await stat(file)).isFile()) hash.update(`${relative(projectFolder, file)}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** Leaves out what only development needs, and adds the address of the source. */
async function shortenManifest(folder: string, source: ReleaseSource | undefined): Promise<void> {
  const manifest = join(folder, 'package.json');
  const content = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>;
  const shipped = Object.entries(content).filter(([key]) => !['scripts', 'devDependencies'].includes(key));
  const links = source && {
    repository: { type: 'git', url: source.repository },
    bugs: { url: `${source.repository}/issues` },
  };
  await writeFile(manifest, JSON.stringify({ ...Object.fromEntries(shipped), ...links }));
}

/** Replaces the keys of the texts in package.json with short ones, and their links, in each language. */
async function shortenTexts(folder: string, source: ReleaseSource | undefined): Promise<void> {
  const manifest = join(folder, 'package.json');
  const shortOf = new Map<string, string>();
  const content = (await readFile(manifest, 'utf8')).replaceAll(/"%([\w.-]+)%"/g, (_match, key: string) => {
    const short = shortOf.get(key) ?? shortOf.size.toString(36);
    shortOf.set(key, short);
    return `"%${short}%"`;
  });
  await writeFile(manifest, content);
  for (const name of (await readdir(folder)).filter((one) => /^package\.nls(\.[\w-]+)?\.json$/.test(one))) {
    const texts = JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, string>;
    const used = Object.entries(texts).flatMap(([key, text]) => {
      const short = shortOf.get(key);
      return short === undefined ? [] : [[short, withAbsoluteLinks(text, source)] as const];
    });
    await writeFile(join(folder, name), JSON.stringify(Object.fromEntries(used)));
  }
}

/** Pictures and translations are indented only for those who read their source. */
async function joinLines(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, name.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text.replaceAll(/>\s+</g, '><'));
  }
}

/** A package has no pictures: they are shown from the repository, or left out if its address isn't known. */
async function linkReadme(folder: string, source: ReleaseSource | undefined): Promise<void> {
  for (const name of ['README.md', 'CHANGELOG.md']) {
    const path = join(folder, name);
    await writeFile(path, withAbsoluteLinks(forInstalled(await readFile(path, 'utf8')), source));
  }
}

/** Leaves out what needs a clone of the repository. */
export function forInstalled(markdown: string): string {
  return markdown.replace(/^## Try it without an account\n[^]*?(?=^## )/m, '');
}

/**
 * Stands for the repository in the texts of package.json: VS Code shows only complete addresses as links, and no address
 * is written into the project.
 */
export const repositoryInTexts = 'https://gantry.example/';

/** Makes relative links and pictures, and links to `repositoryInTexts`, lead to the source. Without one, links become text and pictures are removed. */
export function withAbsoluteLinks(markdown: string, source: ReleaseSource | undefined): string {
  return markdown
    .replaceAll(`](${repositoryInTexts}`, '](')
    .replaceAll(/(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)/g, (_match, mark: string, text: string, path: string) => {
      if (source === undefined) return mark === '!' ? '' : text;
      return `${mark}[${text}](${source.repository}/${mark === '!' ? 'raw' : 'blob'}/${source.ref}/${path})`;
    })
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** Builds the bundle as it is shipped. The same sources are built only once. */
export async function bundleAsShipped(outdir: string): Promise<void> {
  const build = async (folder: string): Promise<void> => {
    await runToEnd(process.execPath, ['esbuild.mjs', '--production', '--outdir', folder], { cwd: projectFolder });
  };
  const version = digest(await sourcesDigest());
  const built = await installOnce({ name: 'bundle', version, build });
  await rm(outdir, { recursive: true, force: true });
  await cp(built, outdir, { recursive: true });
}

export function packageProblem(size: number, entries: readonly ZipEntry[]): string | undefined {
  const foreign = entries.filter(({ name }) => !allowed.some((pattern) => pattern.test(name)));
  if (foreign.length > 0)
    return `The package holds what does not belong there: ${foreign.map(({ name }) => name).join(', ')}.`;
  if (size > largestPackage)
    return `The package has ${size} bytes; ${largestPackage} is the limit. Look for what a new import brought along.`;
  return undefined;
}

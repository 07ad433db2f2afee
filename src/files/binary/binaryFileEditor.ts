import { randomBytes } from 'node:crypto';
import {
  type CustomDocument,
  Disposable,
  type Event,
  type FileChangeEvent,
  type Webview,
  type WebviewPanel,
  Uri,
  env,
  l10n,
} from 'vscode';
import type { Account } from '../../accounts/accounts';
import { type ContainerNames, locationText } from '../../containers/locationText';
import type { Listings } from '../../containers/listings';
import { type FilePlace, filePlaceOf, nameOf } from '../../containers/place';
import { failureText } from '../../ui/failureMessages';
import type { ReadOnlyFiles } from '../provider/readOnlyFiles';
import { flawSentence } from '../wholeText';
import type { CommandId } from '../../manifest';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/scalars';
import { formatExactTime } from '../../ui/relativeTime';
import { sizeText } from '../../ui/sizeText';

/** The part of VS Code's panel that the page needs. */
type Panel = Pick<WebviewPanel, 'onDidDispose'> & { readonly webview: Pick<Webview, 'options' | 'html'> };

/** Shows the details of a file whose bytes the platform can't return, without reading it. */
export class BinaryFileEditor {
  constructor(
    private readonly deps: {
      readonly find: (account: string) => Account | undefined;
      readonly environments: ContainerNames;
      readonly listings: Pick<Listings, 'entry'>;
      readonly readOnly: Pick<ReadOnlyFiles, 'reasonFor'>;
      readonly changed: Event<readonly FileChangeEvent[]>;
      /** Settles once the accounts are known. */
      readonly ready: () => Promise<unknown>;
    },
  ) {}

  async resolveCustomEditor({ uri }: CustomDocument, panel: Panel): Promise<void> {
    panel.webview.options = { enableScripts: false, enableCommandUris: [...pageCommands], localResourceRoots: [] };
    // One per editor, so that an unchanged page is the same text.
    const nonce = randomBytes(16).toString('hex');
    let isOpen = true;
    let latest = 0;
    const show = async () => {
      latest += 1;
      const turn = latest;
      const html = await this.pageOf(uri, nonce);
      // An earlier page may be ready later. Setting one loads it again, which takes the focus away from its links.
      if (isOpen && turn === latest && html !== panel.webview.html) {
        panel.webview.html = html;
      }
    };
    const following = this.deps.changed((changes) => {
      if (changes.some((change) => change.uri.toString() === uri.toString())) {
        void show();
      }
    });
    const closing = panel.onDidDispose(() => {
      isOpen = false;
      Disposable.from(following, closing).dispose();
    });
    await show();
  }

  /** Returns the page, which also shows a failure. */
  private async pageOf(uri: Uri, nonce: string): Promise<string> {
    try {
      await this.deps.ready();
      const place = filePlaceOf(uri);
      return place === undefined ? failurePage(uri.path, nonce) : await this.pageAt(place, uri, nonce);
    } catch (error) {
      return failurePage(failureText(error), nonce);
    }
  }

  private async pageAt(place: FilePlace, uri: Uri, nonce: string): Promise<string> {
    const { find, environments, listings, readOnly } = this.deps;
    const entry = await listings.entry(place);
    const reason = readOnly.reasonFor(place, entry ?? {});
    const file = {
      uri,
      name: nameOf(place),
      path: place.path,
      entry,
      location: locationText(place, environments),
      reason: reason?.kind === 'flaw' ? flawSentence(reason.flaw) : undefined,
      dashboard: find(place.account)?.address,
    };
    return binaryFilePage(file, nonce);
  }
}

/** What the page shows of a file that can't be opened in an editor. */
export interface BinaryFile {
  readonly uri: Uri;
  readonly name: string;
  /** In the container. */
  readonly path: string;
  /** Where it is, in the tree's words. */
  readonly location: string;
  readonly entry: FileEntry | undefined;
  /** Why it can't be opened as text, if a read has shown that. */
  readonly reason: string | undefined;
  /** The address of the platform's dashboard. */
  readonly dashboard: string | undefined;
}

/** The commands that the page's links may run. */
const pageCommands = [
  'gantry.file.replaceByUpload',
  'gantry.file.copyPath',
  'gantry.file.reveal',
  'gantry.file.showAsText',
] as const satisfies readonly CommandId[];

/** The page of a file, without scripts. Everything in it that others named is escaped. */
export function binaryFilePage(file: BinaryFile, nonce: string): string {
  return page(
    nonce,
    file.entry === undefined ? [missing(file)] : [facts(file, file.entry), advice(file), actions(file)],
  );
}

/** The page if the file's details can't be listed. */
export function failurePage(text: string, nonce: string): string {
  return page(nonce, [`<p>${escapeHtml(text)}</p>`]);
}

function missing({ path, location }: BinaryFile): string {
  return `<p>${escapeHtml(l10n.t('{0} no longer exists on {1}.', path, location))}</p>`;
}

function facts({ name, path, location }: BinaryFile, { length, lastModified }: FileEntry): string {
  const time = readTimestamp(lastModified);
  const rows = [
    [l10n.t('Type'), fileKindText(name)],
    [l10n.t('Size'), length === undefined ? undefined : exactSize(length)],
    // The page stays as it is while it's open.
    [l10n.t('Modified'), time && formatExactTime(time)],
    [l10n.t('Path'), path],
    [l10n.t('Location'), location],
  ] as const;
  const cells = rows.flatMap(([term, fact]) =>
    fact === undefined ? [] : [`<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(fact)}</dd>`],
  );
  return `<h1>${escapeHtml(name)}</h1><dl>${cells.join('')}</dl>`;
}

function exactSize(length: number): string {
  return length < 1024
    ? sizeText(length, env.language)
    : l10n.t('{0} ({1} bytes)', sizeText(length, env.language), length.toLocaleString(env.language));
}

function advice({ reason, dashboard }: BinaryFile): string {
  const why = reason ?? l10n.t('The platform returns only UTF-8 text, and this file is binary.');
  const manager = l10n.t('dashboard');
  const link = dashboard === undefined ? manager : `<a href="${escapeHtml(dashboard)}">${escapeHtml(manager)}</a>`;
  // The link is inserted after the text is escaped.
  const instead = escapeHtml(
    l10n.t("To download the exact file, use SFTP through your provider's SSH gate, or the platform's {0}.", '\u0000'),
  ).replace('\u0000', link);
  return `<p>${escapeHtml(l10n.t("Gantry can't open or download this file."))} ${escapeHtml(why)}</p><p>${instead}</p>`;
}

function actions({ uri, name }: BinaryFile): string {
  // A copy, because a Uri that was used as text has more fields in JSON.
  const args = encodeURIComponent(JSON.stringify([Uri.from(uri)]));
  const action = (command: (typeof pageCommands)[number], label: string) =>
    `<a class="button" href="command:${command}?${args}">${escapeHtml(label)}</a>`;
  const all = [
    action('gantry.file.replaceByUpload', l10n.t('Replace by Upload…')),
    ...(isNeverText(name) ? [] : [action('gantry.file.showAsText', l10n.t('Show as Read-Only Text'))]),
    action('gantry.file.copyPath', l10n.t('Copy Container Path')),
    action('gantry.file.reveal', l10n.t('Reveal in Environments View')),
  ];
  return `<nav aria-label="${escapeHtml(l10n.t('Actions'))}">${all.join('')}</nav>`;
}

function page(nonce: string, parts: readonly string[]): string {
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<style nonce="${nonce}">${style}</style>
</head>
<body><main>${parts.join('')}</main></body>
</html>`;
}

const style = `
main { max-width: 44em; margin: 2em auto; line-height: 1.5; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; font-weight: 600; margin: 0 0 0.6em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2em 1.5em; margin: 0 0 1.2em; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: 0.6em; margin-top: 1.4em; }
.button { padding: 0.3em 0.9em; text-decoration: none; border-radius: 2px;
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border: 1px solid var(--vscode-contrastBorder, transparent); }
.button:first-child { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.button:hover { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryHoverBackground); }
.button:first-child:hover { color: var(--vscode-button-foreground); background: var(--vscode-button-hoverBackground); }
a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const kinds = ['image', 'archive', 'font', 'audio', 'video', 'document', 'program', 'database', 'translation'] as const;
type BinaryKind = (typeof kinds)[number];

/** Extensions of files that are never text, by kind. package.json names the same ones for the page of binary files. */
export const binaryExtensions: Readonly<Record<BinaryKind, readonly string[]>> = {
  image: ['png', 'jpg', 'jpeg', 'jpe', 'gif', 'webp', 'avif', 'bmp', 'ico', 'tif', 'tiff', 'heic', 'psd'],
  archive: [
    'zip',
    'tar',
    'gz',
    'tgz',
    'bz2',
    'tbz',
    'tbz2',
    'xz',
    'txz',
    'zst',
    '7z',
    'rar',
    'jar',
    'war',
    'ear',
    'phar',
  ],
  font: ['woff', 'woff2', 'ttf', 'otf', 'eot'],
  audio: ['mp3', 'wav', 'ogg', 'oga', 'flac', 'm4a'],
  video: ['mp4', 'webm', 'mov', 'avi', 'mkv'],
  document: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp', 'epub'],
  program: ['exe', 'dll', 'so', 'dylib', 'class', 'pyc', 'wasm', 'deb', 'rpm'],
  database: ['sqlite', 'sqlite3', 'mdb', 'ibd', 'rdb'],
  translation: ['mo'],
};

/** Returns the kind of a file that is never text, or `undefined` if its name doesn't tell. */
function kindOf(extension: string): BinaryKind | undefined {
  return kinds.find((kind) => binaryExtensions[kind].includes(extension));
}

function isNeverText(name: string): boolean {
  return kindOf(extensionOf(name)) !== undefined;
}

/** Names what a file is, such as "PNG image", if its name tells. */
export function fileKindText(name: string): string | undefined {
  const extension = extensionOf(name);
  const kind = kindOf(extension);
  return kind && kindTexts[kind](extension.toUpperCase());
}

const kindTexts: Readonly<Record<BinaryKind, (type: string) => string>> = {
  image: (type) => l10n.t('{0} image', type),
  archive: (type) => l10n.t('{0} archive', type),
  font: (type) => l10n.t('{0} font', type),
  audio: (type) => l10n.t('{0} audio', type),
  video: (type) => l10n.t('{0} video', type),
  document: (type) => l10n.t('{0} document', type),
  program: (type) => l10n.t('{0} program file', type),
  database: (type) => l10n.t('{0} database file', type),
  translation: (type) => l10n.t('{0} translation file', type),
};

function extensionOf(name: string): string {
  return /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

import { l10n } from 'vscode';

const kinds = ['image', 'archive', 'font', 'audio', 'video', 'document', 'program', 'database'] as const;
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
  database: ['sqlite', 'sqlite3', 'mdb', 'ibd', 'rdb', 'mo'],
};

/** Returns the kind of a file that is never text, or `undefined` if its name doesn't tell. */
function kindOf(extension: string): BinaryKind | undefined {
  return kinds.find((kind) => binaryExtensions[kind].includes(extension));
}

export function isNeverText(name: string): boolean {
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
};

function extensionOf(name: string): string {
  return /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

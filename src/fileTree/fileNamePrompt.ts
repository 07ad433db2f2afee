import { l10n, window } from 'vscode';

const longest = 255;

export interface NameQuestion {
  readonly title: string;
  readonly prompt: string;
  /** Shown at first, with the part before the extension marked. */
  readonly value?: string;
  /** What is there already. */
  readonly taken: (name: string) => boolean;
  /** Whether `a/b` is a name too: folders on the way are made. */
  readonly path?: boolean;
}

/** Asks for the name of a file or folder, and says while it is typed why it would not do. */
export async function askName({
  title,
  prompt,
  value = '',
  taken,
  path = false,
}: NameQuestion): Promise<string | undefined> {
  const end = value.lastIndexOf('.');
  const entered = await window.showInputBox({
    title,
    prompt,
    value,
    valueSelection: [0, end > 0 ? end : value.length],
    ignoreFocusOut: true,
    validateInput: (text) => (text === value && value !== '' ? undefined : nameProblem(text, { path, taken })),
  });
  return entered === value || entered === '' ? undefined : entered;
}

export function nameProblem(text: string, { path, taken }: Pick<NameQuestion, 'path' | 'taken'>): string | undefined {
  if (text === '') {
    return l10n.t('Enter a name.');
  }
  if (text.includes('/') && path !== true) {
    return l10n.t('A name cannot hold a slash.');
  }
  const parts = text.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
    return l10n.t('“{0}” is no name of a file or folder.', text);
  }
  if (parts.some((part) => Buffer.byteLength(part) > longest)) {
    return l10n.t('This name is too long.');
  }
  return taken(text) ? l10n.t('“{0}” is already there.', text) : undefined;
}

/** As VS Code's own Explorer names a copy: `site.conf`, `site copy.conf`, `site copy 2.conf`. */
export function nameOfCopy(
  { name, isFolder }: { readonly name: string; readonly isFolder: boolean },
  taken: (name: string) => boolean,
): string {
  const end = isFolder ? -1 : name.lastIndexOf('.');
  const [stem, extension] = end > 0 ? [name.slice(0, end), name.slice(end)] : [name, ''];
  for (let n = 1; ; n += 1) {
    const copy = `${stem} copy${n === 1 ? '' : ` ${n}`}${extension}`;
    if (!taken(copy)) {
      return copy;
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Disposable, languages, type Memento, type TextDocument, workspace } from 'vscode';
import * as v from 'valibot';
import { type FilePlace, filePlaceOf, keyOf } from '../containers/place';
import { BoundedMap } from './boundedMap';
import { languagesFor } from './configurationLanguages';

/** What VS Code chooses if it doesn't know better: plain text, and `properties` for every `.conf`. */
const unspecific = ['plaintext', 'properties'];
const memoryKey = 'gantry.chosenLanguages';
const stored = v.array(v.tuple([v.string(), v.string()]));
const maxChosen = 200;

/**
 * Opens well-known configuration files in a fitting language. Changes neither what `files.associations` says nor a
 * language that the user selected, also when the file is opened again.
 */
export class LanguageModes implements Disposable {
  /** Languages that the user selected, by file. */
  private readonly chosen = new BoundedMap<string, string>(maxChosen);
  /** Files whose language Gantry is changing. */
  private readonly changing = new Set<string>();
  /** Files that were closed in this turn. VS Code closes and opens a document to change its language. */
  private readonly closed = new Set<string>();
  private readonly following = Disposable.from(
    workspace.onDidOpenTextDocument((document) => this.opened(document)),
    workspace.onDidCloseTextDocument((document) => this.noteClosed(document)),
  );

  constructor(
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly report: (error: unknown) => void,
  ) {
    const known = v.safeParse(stored, memory.get(memoryKey));
    for (const [key, language] of known.success ? known.output : []) {
      this.chosen.set(key, language);
    }
    workspace.textDocuments.forEach((document) => this.opened(document));
  }

  async forgetAccount(account: string): Promise<void> {
    for (const key of [...this.chosen.keys()].filter((one) => one.startsWith(`${account}/`))) {
      this.chosen.delete(key);
    }
    await this.remember();
  }

  dispose(): void {
    this.following.dispose();
  }

  private opened(document: TextDocument): void {
    const place = filePlaceOf(document.uri);
    if (place === undefined || languagesFor(place.path).length === 0) {
      return;
    }
    const key = keyOf(place);
    if (!this.closed.has(key)) {
      this.improve(document, place).catch(this.report);
    } else if (!this.changing.has(key)) {
      this.chosen.set(key, document.languageId);
      this.remember().then(undefined, this.report);
    }
  }

  private noteClosed({ uri }: TextDocument): void {
    const place = filePlaceOf(uri);
    if (place !== undefined) {
      const key = keyOf(place);
      this.closed.add(key);
      void nextTurn().then(() => this.closed.delete(key));
    }
  }

  private async improve(document: TextDocument, place: FilePlace): Promise<void> {
    const key = keyOf(place);
    const chosen = this.chosen.get(key);
    const wanted = chosen === undefined ? languagesFor(place.path) : [chosen];
    const installed = await languages.getLanguages();
    const language = wanted.find((one) => installed.includes(one));
    const isUnspecific = unspecific.includes(document.languageId);
    if (language === undefined || language === document.languageId || !isUnspecific || hasAssociation(document)) {
      return;
    }
    // A document with unsaved text keeps its events undisturbed.
    if (document.isClosed || document.isDirty) {
      return;
    }
    this.changing.add(key);
    try {
      await languages.setTextDocumentLanguage(document, language);
    } finally {
      this.changing.delete(key);
    }
  }

  private remember(): Thenable<void> {
    return this.memory.update(memoryKey, [...this.chosen]);
  }
}

/** Whether the user's settings say which language the file has. */
function hasAssociation(document: TextDocument): boolean {
  const associations = workspace.getConfiguration('files', document).get<Record<string, string>>('associations', {});
  return Object.keys(associations).some((pattern) => {
    const anywhere = inAnyCase(pattern.includes('/') ? pattern : `**/${pattern}`);
    return languages.match({ pattern: anywhere }, document) > 0;
  });
}

/** VS Code ignores case in associations, but not in the patterns of `languages.match`. */
function inAnyCase(pattern: string): string {
  return pattern.replace(/\[[^\]]*\]|[a-z]/gi, (found) =>
    found.length > 1 ? found : `[${found.toLowerCase()}${found.toUpperCase()}]`,
  );
}

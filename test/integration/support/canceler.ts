import {
  CancellationError,
  commands,
  env,
  type InputBox,
  type InputBoxOptions,
  type QuickPick,
  type QuickPickItem,
  type QuickPickOptions,
  type TerminalOptions,
  Uri,
  window,
} from 'vscode';

/**
 * A person who cancels whatever is asked, and notes it, with what would be shown or opened. Commands of VS Code don't run.
 * In the extension host, the extension and its tests share the objects whose functions are replaced here.
 */
export class Canceler {
  private noted: string[] = [];
  private readonly openExternal = env.openExternal;
  private readonly executeCommand = commands.executeCommand;
  private readonly windows: object;

  constructor() {
    const {
      createInputBox,
      createQuickPick,
      showInputBox,
      showQuickPick,
      showOpenDialog,
      showSaveDialog,
      showWorkspaceFolderPick,
    } = window;
    const { showInformationMessage, showWarningMessage, showErrorMessage, setStatusBarMessage } = window;
    const { createTerminal, showTextDocument } = window;
    this.windows = {
      createInputBox,
      createQuickPick,
      showInputBox,
      showQuickPick,
      showOpenDialog,
      showSaveDialog,
      showWorkspaceFolderPick,
      showInformationMessage,
      showWarningMessage,
      showErrorMessage,
      setStatusBarMessage,
      createTerminal,
      showTextDocument,
    };
    const dialog = (name: string) => () => this.note(`asks for ${name}`);
    const message = (text: string, ...rest: readonly unknown[]) =>
      this.note([`${isModal(rest[0]) ? 'asks' : 'says'} ${text}`, ...rest.map(shownOf)].filter(Boolean).join(' | '));
    Object.assign(window, {
      createInputBox: () => this.canceled(createInputBox()),
      createQuickPick: () => this.canceled(createQuickPick()),
      showInputBox: ({ title, prompt, placeHolder, value }: InputBoxOptions = {}) =>
        this.noteQuestion(title, prompt, placeHolder, value),
      showQuickPick: async (items: unknown, { title, placeHolder }: QuickPickOptions = {}) => {
        await items;
        return this.noteQuestion(title, placeHolder);
      },
      showOpenDialog: dialog('files'),
      showSaveDialog: dialog('a file to save'),
      showWorkspaceFolderPick: dialog('a folder of the workspace'),
      showInformationMessage: message,
      showWarningMessage: message,
      showErrorMessage: message,
      setStatusBarMessage: (text: string) => {
        void this.note(`says in the status bar ${text}`);
        return { dispose: () => undefined };
      },
      createTerminal: ({ name = '', shellArgs = [] }: TerminalOptions) => {
        void this.note(`opens the terminal ${name}: ${[shellArgs].flat().join(' ')}`);
        throw new CancellationError();
      },
      showTextDocument: (shown: unknown) => {
        void this.note(`shows ${wordsOf(shown)}`);
        return Promise.reject(new CancellationError());
      },
    });
    Object.assign(env, { openExternal: (uri: Uri) => this.note(`opens ${uri.toString(true)}`) });
    Object.assign(commands, {
      executeCommand: (id: string, ...rest: readonly unknown[]) => {
        if (/^(gantry\.|setContext$|_)/.test(id)) return this.executeCommand(id, ...rest);
        return this.note(`runs ${[id, ...rest.map(wordsOf)].filter(Boolean).join(' ')}`);
      },
    });
  }

  /** Returns what was noted since the last call. */
  takeNotes(): readonly string[] {
    return this.noted.splice(0);
  }

  leave(): void {
    Object.assign(window, this.windows);
    Object.assign(env, { openExternal: this.openExternal });
    Object.assign(commands, { executeCommand: this.executeCommand });
  }

  private note(text: string): Promise<undefined> {
    this.noted.push(text);
    return Promise.resolve(undefined);
  }

  private noteQuestion(...words: readonly (string | undefined)[]): Promise<undefined> {
    return this.note(`asks ${words.filter(Boolean).join(' | ')}`);
  }

  private canceled<I extends InputBox | QuickPick<QuickPickItem>>(input: I): I {
    const show = input.show.bind(input);
    return Object.assign(input, {
      show: () => {
        const prompt: unknown = 'prompt' in input ? input.prompt : undefined;
        const shown = typeof prompt === 'string' ? prompt : undefined;
        void this.noteQuestion(input.title, shown, input.placeholder, input.value);
        show();
        input.hide();
      },
    });
  }
}

function isModal(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'modal' in options && options.modal === true;
}

/** What a message shows of an argument after its text: details, which often say what a question is about, and buttons. */
function shownOf(argument: unknown): string {
  if (typeof argument === 'string') return `[${argument}]`;
  if (typeof argument !== 'object' || argument === null) return '';
  if ('title' in argument) return `[${String(argument.title)}]`;
  return 'detail' in argument && typeof argument.detail === 'string' ? argument.detail : '';
}

/** Describes an argument by the address or text that it has. */
function wordsOf(argument: unknown): string {
  if (argument instanceof Uri) return argument.toString(true);
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'object' && argument !== null && 'uri' in argument) return wordsOf(argument.uri);
  return '';
}

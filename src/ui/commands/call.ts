import { commands, Uri } from 'vscode';

/** The argument that a keybinding passes to refer to the rows selected in a view. */
export const selected = 'selection';

interface RowsOfView<Row> {
  find(row: object | undefined): Row | undefined;
}

/**
 * What a command was called with: by a menu, a key, a link, a button, or another extension. Anyone can pass anything, and
 * only here that is unknown. What is of another type is as if it hadn't been passed.
 */
export class Call {
  constructor(private readonly passed: readonly unknown[]) {}

  /** Nothing was passed, as in the Command Palette. */
  get isBare(): boolean {
    return this.passed[0] === undefined;
  }

  get isOnSelection(): boolean {
    return this.passed[0] === selected;
  }

  /**
   * VS Code passes `undefined` for a row that was reloaded while its menu was open. The command must not fall back to
   * the selection or the active editor then, because the user clicked something else.
   */
  get isRowGone(): boolean {
    const [first, several] = this.passed;
    return this.count > 0 && (first === undefined || (Array.isArray(several) && several.includes(undefined)));
  }

  get count(): number {
    return this.passed.length;
  }

  /** A row, a URI, or what a button or link passes. */
  get object(): object | undefined {
    return this.objects.find((one) => one === this.passed[0]);
  }

  get objects(): readonly object[] {
    return this.passed.filter(isObject);
  }

  get uri(): Uri | undefined {
    const { object } = this;
    return object instanceof Uri ? object : undefined;
  }

  /** A URI, or the text of one, which is what a link can pass. */
  get linked(): Uri | undefined {
    return this.text === undefined ? this.uri : Uri.parse(this.text);
  }

  get text(): string | undefined {
    const [first] = this.passed;
    return typeof first === 'string' ? first : undefined;
  }

  get number(): number | undefined {
    const [first] = this.passed;
    return typeof first === 'number' ? first : undefined;
  }

  /** The rest of what was passed. */
  get rest(): Call {
    return new Call(this.passed.slice(1));
  }

  /** The same for the row that was clicked alone, even if others are selected, too. */
  get alone(): Call {
    return new Call(this.passed.slice(0, 1));
  }

  /** What was clicked in a menu: the rows selected if the one clicked is among them, else that one alone. */
  get clicked(): readonly object[] {
    const [first, several] = this.passed;
    const all: readonly unknown[] = Array.isArray(several) && several.length > 0 ? several : [first];
    return all.filter(isObject);
  }

  /** The rows of a view that it's about, from a menu, by a key, or from the Command Palette. */
  async rows<Row>(view: RowsOfView<Row>, selection: () => readonly Row[]): Promise<readonly Row[]> {
    if (this.isOnSelection) {
      return rowsForKey(selection);
    }
    return this.isBare ? selection() : this.clicked.flatMap((one) => view.find(one) ?? []);
  }
}

/**
 * Returns the rows that a key is for: those selected if the one in focus is among them, else that one alone. VS Code tells
 * only which rows are selected, so the one in focus is added to them, or left out, for a moment.
 */
export async function rowsForKey<Row>(selection: () => readonly Row[]): Promise<readonly Row[]> {
  const before = selection();
  await commands.executeCommand('list.toggleSelection');
  const added = selection().filter((row) => !before.includes(row));
  await commands.executeCommand('list.toggleSelection');
  return added.length > 0 ? added : before;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

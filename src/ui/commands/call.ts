import { Uri } from 'vscode';

/** The argument that a keybinding passes to refer to the rows selected in a view. */
export const selected = 'selection';

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
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

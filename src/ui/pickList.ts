import { type Disposable, type QuickInput, type QuickPick, type QuickPickItem, window } from 'vscode';
import { escapeMarkup, withIcon } from './escapeMarkup';

/** A row of a list. Its texts are shown exactly, because names and the platform's words are among them. */
export interface PickRow extends QuickPickItem {
  /** The name of an icon before the label. */
  readonly icon?: string;
}

/** What VS Code gets for a row. */
interface ShownRow<R extends PickRow> extends QuickPickItem {
  readonly row: R;
}

export function shownRow<R extends PickRow>(row: R): ShownRow<R> {
  const { label, icon, description, detail, kind, iconPath, buttons, picked, alwaysShow } = row;
  return {
    row,
    label: icon === undefined ? escapeMarkup(label) : withIcon(icon, label),
    ...(description === undefined ? {} : { description: escapeMarkup(description) }),
    ...(detail === undefined ? {} : { detail: escapeMarkup(detail) }),
    ...(kind === undefined ? {} : { kind }),
    ...(iconPath === undefined ? {} : { iconPath }),
    ...(buttons === undefined ? {} : { buttons }),
    ...(picked === undefined ? {} : { picked }),
    ...(alwaysShow === undefined ? {} : { alwaysShow }),
  };
}

type PlainProperty =
  'title' | 'placeholder' | 'value' | 'buttons' | 'step' | 'totalSteps' | 'canSelectMany' | 'keepScrollPosition';

/** What a list looks like when it opens. */
export interface ListLook<R extends PickRow> extends Partial<Pick<QuickPick<R>, PlainProperty>> {
  readonly items?: readonly R[];
  readonly activeItems?: readonly R[];
  readonly selectedItems?: readonly R[];
}

/** A quick pick that shows the texts of its rows exactly. Titles and placeholders can't contain links or icons. */
export class PickList<R extends PickRow> {
  private readonly pick = window.createQuickPick<ShownRow<R>>();
  readonly input: QuickInput = this.pick;
  readonly onDidAccept = this.pick.onDidAccept;
  readonly onDidChangeValue = this.pick.onDidChangeValue;
  readonly onDidTriggerButton = this.pick.onDidTriggerButton;

  constructor({ items = [], activeItems, selectedItems, ...look }: ListLook<R>) {
    Object.assign(this.pick, { matchOnDescription: true }, look);
    this.items = items;
    if (activeItems !== undefined) {
      this.activeItems = activeItems;
    }
    if (selectedItems !== undefined) {
      this.pick.selectedItems = this.shown(selectedItems);
    }
  }

  onDidChangeSelection(listener: () => void): Disposable {
    return this.pick.onDidChangeSelection(listener);
  }

  onDidTriggerItemButton(listener: (row: R) => void): Disposable {
    return this.pick.onDidTriggerItemButton(({ item }) => listener(item.row));
  }

  get items(): readonly R[] {
    return this.pick.items.map(({ row }) => row);
  }

  set items(rows: readonly R[]) {
    this.pick.items = rows.map(shownRow);
  }

  get activeItems(): readonly R[] {
    return this.pick.activeItems.map(({ row }) => row);
  }

  set activeItems(rows: readonly R[]) {
    this.pick.activeItems = this.shown(rows);
  }

  get selectedItems(): readonly R[] {
    return this.pick.selectedItems.map(({ row }) => row);
  }

  get value(): string {
    return this.pick.value;
  }

  set value(text: string) {
    this.pick.value = text;
  }

  set placeholder(text: string) {
    this.pick.placeholder = text;
  }

  set title(text: string) {
    this.pick.title = text;
  }

  set busy(isBusy: boolean) {
    this.pick.busy = isBusy;
  }

  private shown(rows: readonly R[]): readonly ShownRow<R>[] {
    return this.pick.items.filter(({ row }) => rows.includes(row));
  }
}

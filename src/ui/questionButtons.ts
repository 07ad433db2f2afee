import { type QuickInputButton, ThemeIcon } from 'vscode';

/** A button in a question's title, or in its input where VS Code can show it there. */
export interface QuestionButton {
  readonly icon: string;
  readonly tooltip: string;
  /** For a button that turns something on and off. */
  readonly isOn?: () => boolean;
  /** @returns `leave` to close the question */
  readonly press: () => 'stay' | 'leave';
}

/** A button as newer versions of VS Code show it. Older ones ignore what they don't know. */
interface ShownButton extends QuickInputButton {
  readonly toggle?: { readonly checked: boolean };
  readonly button: QuestionButton;
}

export function shownButtons(buttons: readonly QuestionButton[]): readonly ShownButton[] {
  return buttons.map((button) => {
    const { icon, tooltip, isOn } = button;
    const toggle = isOn === undefined ? {} : { toggle: { checked: isOn() } };
    return { iconPath: new ThemeIcon(icon), tooltip, button, ...toggle };
  });
}

/** Returns the button that was pressed, or `undefined` for another, such as Back. */
export function pressedButton(pressed: QuickInputButton): QuestionButton | undefined {
  return isShown(pressed) ? pressed.button : undefined;
}

function isShown(pressed: QuickInputButton): pressed is ShownButton {
  return 'button' in pressed;
}

import { l10n } from 'vscode';
import type { TextFlaw } from '../text';

/** Why a text can't be edited, of the file as "it". */
export function flawSentence(flaw: TextFlaw): string {
  switch (flaw) {
    case 'bytes':
      return l10n.t("It isn't UTF-8 text, and the platform can only return UTF-8 text.");
    case 'replacement':
      return l10n.t(
        "It contains the replacement character U+FFFD, which the platform also returns for bytes that aren't UTF-8.",
      );
    case 'lineEnds':
      return l10n.t('Its lines end with CRLF, and the platform returns LF instead.');
    case 'mark':
      return l10n.t('It begins with a byte-order mark, which the platform leaves out.');
    case 'lineEndsAndMark':
      return l10n.t(
        'It begins with a byte-order mark, which the platform leaves out, and its lines end with CRLF, for which the platform returns LF.',
      );
    case 'missing':
      return l10n.t(
        "The platform's text is shorter than the file. A byte-order mark, CRLF line ends, or bytes that aren't UTF-8 may be missing from it.",
      );
    case 'nul':
      return l10n.t("It contains NUL bytes, so it's probably a binary file.");
    case 'changing':
      return l10n.t('It changed while Gantry was reading it.');
    case 'growing':
      return l10n.t("It's still growing, so the end may be missing.");
    case 'unmeasured':
      return l10n.t("The platform doesn't report its actual size, so part of it may be missing.");
  }
}

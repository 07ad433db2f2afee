import { l10n } from 'vscode';
import type { AddressProblem } from '../platform/address';

/** What is wrong with an address that somebody typed. */
const sentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of the hoster's dashboard or API, such as app.hoster.example."),
  notAnAddress: () => l10n.t('This is no web address. Enter one such as https://app.hoster.example.'),
  scheme: () => l10n.t('The address must begin with https://.'),
  credentials: () => l10n.t('The address must not hold a login or password. Enter it without them.'),
  plainHttp: () => l10n.t('Plain http would send your password readable by everyone on the way. Use https://.'),
};

export function addressSentence(problem: AddressProblem): string {
  return sentences[problem]();
}

import { l10n } from 'vscode';
import { methodOf, type OperationName } from '../platform/contract';

interface Lacking {
  lackOf(operation: OperationName): 'token' | 'platform' | undefined;
}

/** The words that hide commands in menus, such as `noWrite`. */
export function lackWords(account: { readonly lacking: readonly string[] } | undefined): readonly string[] {
  return (account?.lacking ?? []).map((operation) => `no${operation}`);
}

/** Returns why a command isn't offered, if the token or the platform is known to lack its operation. */
export function lackText(account: Lacking | undefined, operation: OperationName): string | undefined {
  const method = methodOf(operation);
  switch (account?.lackOf(operation)) {
    case 'token':
      return l10n.t(
        "The access token doesn't permit {0}. Add it to the token in the dashboard, then refresh the Environments view.",
        method,
      );
    case 'platform':
      return l10n.t("The platform doesn't offer {0}. To try again, refresh.", method);
    case undefined:
      return undefined;
  }
}

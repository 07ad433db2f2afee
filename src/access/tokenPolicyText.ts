import { l10n } from 'vscode';
import type { AnswerOf } from '../platform/contract';
import { textTable } from '../ui/textTable';

/** What the platform lets access tokens call at all, as a text to read. */
export function tokenPolicyText(
  { label, host }: { readonly label: string; readonly host: string },
  policy: AnswerOf<'GetPolicyMethods'>,
): string {
  const { behavior, roleId, tokenPermissions } = policy;
  const rule =
    behavior === 'DENY'
      ? l10n.t('Access tokens of {0} on {1} may not call these methods.', label, host)
      : l10n.t('Access tokens of {0} on {1} may call these methods.', label, host);
  const role = roleId === undefined ? [] : [l10n.t('Role {0}', roleId)];
  const answer = (flag: boolean | undefined) => (flag === undefined ? '' : flag ? l10n.t('yes') : l10n.t('no'));
  const titles = [l10n.t('Method'), l10n.t('Safe'), l10n.t('For collaborators'), l10n.t('Uses an object hash')];
  const rows = [...tokenPermissions]
    .sort((one, other) => (one.method ?? '').localeCompare(other.method ?? ''))
    .map(({ method, isSafe, isCollaborationAccessible, useObjectHash }) => [
      ...[method ?? '', answer(isSafe), answer(isCollaborationAccessible), answer(useObjectHash)],
    ]);
  const table = rows.length === 0 ? l10n.t('None.') : textTable([titles, ...rows]);
  return [rule, ...role, '', table, ''].join('\n');
}

import type { l10n } from 'vscode';
import type { CheckResult } from '../../compatibility/compatibilityStore';
import { explain } from '../../compatibility/fact';
import { factNames, foundFacts, missingFacts } from '../../compatibility/facts';

/** l10n-dev finds texts only in files that import `l10n`. */
type Localizer = Pick<typeof l10n, 't'>;

/** A report for the user: what works, what is limited, and what is switched off because it isn't safe. */
export function reportText(check: CheckResult, account: string, l10n: Localizer): string {
  const found = foundFacts(check.facts);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => `- ${line}`), ''];
  const at = (level: 'works' | 'limited' | 'unsafe') => found.filter((fact) => fact.level === level);
  return [
    `# ${l10n.t('Platform Compatibility: {0}', account)}`,
    '',
    check.hasWritten
      ? l10n.t('Gantry read from the platform, and wrote to a scratch folder that it created for this.')
      : l10n.t('Gantry only read from the platform and changed nothing.'),
    ...(check.isIncomplete ? [l10n.t('The write check ended early.')] : []),
    '',
    ...section(
      l10n.t('Unsafe and turned off'),
      at('unsafe').map((fact) => explain(fact, l10n)),
    ),
    ...section(
      l10n.t('Limited'),
      at('limited').map((fact) => explain(fact, l10n)),
    ),
    ...section(
      l10n.t('Works'),
      at('works').map(({ label }) => label(l10n)),
    ),
    ...section(
      l10n.t("Couldn't be checked"),
      missingFacts(check.facts).map((label) => label(l10n)),
    ),
  ].join('\n');
}

/**
 * A report for an issue, in English: the facts by their fixed words, then each request with its code and the shape of
 * its response. Nothing in it comes from a value, a name or an address.
 */
export function redactedReport({ facts, observations, ...check }: CheckResult, version: string): string {
  const found = new Map(foundFacts(facts).map((fact) => [fact.name, fact]));
  const lines = factNames.map((name) => {
    const { word = 'not found out', level = 'works' } = found.get(name) ?? {};
    return `- ${name}: ${word}${level === 'works' ? '' : ` (${level})`}`;
  });
  const steps = observations.map(({ step, code, status, shape, failure }) => {
    const outcome = code === undefined ? (failure ?? 'no code') : `code ${code}`;
    const http = status === undefined || status === 200 ? '' : `, HTTP ${status}`;
    return `- ${step}: ${outcome}${http}${shape === undefined ? '' : `, ${shape}`}`;
  });
  return [
    `# Platform compatibility, Gantry ${version}`,
    '',
    check.hasWritten ? 'Checked by reading and writing.' : 'Checked by reading only.',
    ...(check.isIncomplete ? ['The write check ended early.'] : []),
    ...(check.leftFolders > 0 ? [`Scratch folders not removed: ${check.leftFolders}.`] : []),
    '',
    '## Facts',
    '',
    ...lines,
    '',
    '## Requests',
    '',
    ...steps,
    '',
  ].join('\n');
}

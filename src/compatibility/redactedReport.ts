import type { CheckResult } from './checkSchema';
import { factNames, levelOf } from './facts';

/**
 * A report for an issue, in English: the facts by their fixed words, then each request with its code and the shape of
 * its response. Nothing in it comes from a value, a name or an address.
 */
export function redactedReport({ facts, observations, ...check }: CheckResult, version: string): string {
  const found = factNames.map((name) => {
    const word = facts[name];
    const level = word === undefined ? '' : levelOf(name, word);
    return `${name}: ${word ?? 'not found out'}${level === '' || level === 'works' ? '' : ` (${level})`}`;
  });
  const steps = observations.map(({ step, code, status, shape, failure }) => {
    const outcome = code === undefined ? (failure ?? 'no code') : `code ${code}`;
    const http = status === undefined || status === 200 ? '' : `, HTTP ${status}`;
    return `${step}: ${outcome}${http}${shape === undefined ? '' : `, ${shape}`}`;
  });
  return [
    `# Platform compatibility, Gantry ${version}`,
    '',
    check.hasWritten ? 'Checked by reading and writing.' : 'Checked by reading only.',
    ...(check.isIncomplete ? ['The part that writes ended early.'] : []),
    ...(check.leftFolders > 0 ? [`Scratch folders not removed: ${check.leftFolders}.`] : []),
    '',
    '## Facts',
    '',
    ...found.map((line) => `- ${line}`),
    '',
    '## Requests',
    '',
    ...steps.map((line) => `- ${line}`),
    '',
  ].join('\n');
}

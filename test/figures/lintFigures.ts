import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import type { SourceText } from './sources';

export const mostComplex = 12;

export interface LintFigures {
  /** Functions above the complexity, by file. */
  readonly complex: readonly string[];
  /** The lines of the longest function, and where it is. */
  readonly longest: { readonly lines: number; readonly where: string };
}

/** Counts with the linter's own rules. */
export function lintFigures(files: readonly SourceText[]): LintFigures {
  const linter = new Linter();
  const config: Linter.Config[] = [
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser, sourceType: 'module' },
      // A comment that turns a rule off doesn't make a function simpler.
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
      rules: { complexity: ['error', mostComplex], 'max-lines-per-function': ['error', 1] },
    },
  ];
  const complex: string[] = [];
  let longest = { lines: 0, where: '' };
  for (const { path, text } of files) {
    for (const { ruleId, message, line, fatal } of linter.verify(text, config, { filename: path })) {
      if (fatal === true) throw new Error(`${path}: ${message}`);
      if (ruleId === 'complexity') complex.push(`${path}:${line} ${message}`);
      const lines = ruleId === 'max-lines-per-function' ? Number(/\((\d+)\)/.exec(message)?.[1]) : 0;
      if (lines > longest.lines) longest = { lines, where: `${path}:${line}` };
    }
  }
  return { complex, longest };
}

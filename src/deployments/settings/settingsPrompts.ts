import { l10n } from 'vscode';
import type { Entered, Question } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { suggestionQuestion } from '../../ui/suggestionPrompt';
import type { RepositorySuggestions } from '../repositories/repositorySuggestions';
import type { LayerRules } from './fieldChecks';
import { problemWith } from './fieldChanges';
import { type FieldName, type FieldOwner, type ProjectFields, projectFields } from './projectFields';

interface SettingsPromptDeps {
  readonly suggestions: RepositorySuggestions;
  readonly rules: LayerRules;
  readonly of: FieldOwner;
}

/** Returns the questions for a field. `fieldsFromAnswers` reads the answers. */
export function questionsFor(
  name: FieldName,
  fields: ProjectFields,
  { suggestions, rules, of }: SettingsPromptDeps,
): readonly Question[] {
  const { prompt = '', example = '', isSecret = false, ask } = projectFields[name];
  const asking = ask?.(fields, suggestions);
  const current = fields[name];
  const value = current === undefined || typeof current === 'object' ? '' : String(current);
  const shownPrompt = typeof prompt === 'string' ? prompt : prompt[of];
  switch (asking?.kind) {
    case 'text':
      return [
        {
          key: name,
          prompt: shownPrompt,
          placeholder: example,
          value,
          masked: isSecret,
          problem: (typed) => problemWith(name, fieldsFromAnswers(name, fields, { [name]: typed }), rules),
          ...asking,
        },
      ];
    case 'choice':
      return [{ key: name, prompt: shownPrompt, value, ...asking }];
    case 'suggestion': {
      const { choices, use } = asking;
      const typedValue = (typed: string): readonly Choice[] | string =>
        problemWith(name, { ...fields, [name]: typed }, {}) ?? [
          { label: use(typed), icon: 'arrow-right', value: typed },
        ];
      const unlisted = { label: value, description: l10n.t('current value'), value };
      const isListed = value === '' || choices.some((choice) => choice.value === value);
      return [
        suggestionQuestion({
          key: name,
          prompt: asking.prompt,
          choices: isListed ? choices : [unlisted, ...choices],
          value,
          typed: typedValue,
        }),
      ];
    }
    case undefined:
      return [];
  }
}

/** Returns the fields with the answers for one field applied. */
export function fieldsFromAnswers(name: FieldName, fields: ProjectFields, entered: Entered): ProjectFields {
  const answer = entered[name];
  const { parsed } = projectFields[name];
  return answer === undefined || parsed === undefined ? fields : { ...fields, [name]: parsed(answer) };
}

import { l10n } from 'vscode';
import type { ChoiceQuestion, Entered, Question, TextQuestion } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { suggestionQuestion } from '../../ui/suggestionPrompt';
import type { RepositorySuggestions } from '../repositories/repositorySuggestions';
import { type LayerRules, problemWith } from './fieldProblems';
import { type FieldOwner, fieldExample, fieldPrompt, fieldValue, problemSentence } from './fieldText';
import type { FieldName, ProjectFields } from './projectFields';

export interface SettingsPromptDeps {
  readonly suggestions: RepositorySuggestions;
  readonly rules: LayerRules;
  readonly of: FieldOwner;
}

/** Returns the questions for a field. `fieldsFromAnswers` reads the answers. */
export function questionsFor(name: FieldName, fields: ProjectFields, asking: SettingsPromptDeps): readonly Question[] {
  const { suggestions } = asking;
  switch (name) {
    case 'type': {
      const types = ['GIT', 'SVN'] as const;
      return [
        choice(
          name,
          fields,
          types.map((type) => ({ label: fieldValue(name, { ...fields, type }), value: type })),
        ),
      ];
    }
    case 'url':
      return [urlQuestion(fields, suggestions)];
    case 'branch':
      return fields.type === 'SVN' ? [] : [branchQuestion(fields, suggestions)];
    case 'autoupdate':
      return [
        choice(name, fields, [
          { label: l10n.t('Off'), description: l10n.t('deploy new commits only when you redeploy'), value: 'false' },
          { label: l10n.t('On'), description: l10n.t('check for new commits regularly'), value: 'true' },
        ]),
      ];
    case 'autoResolveConflict': {
      const words = (value: boolean) => fieldValue(name, { ...fields, autoResolveConflict: value });
      return [
        choice(name, fields, [
          { label: words(false), value: 'false' },
          { label: words(true), value: 'true' },
        ]),
      ];
    }
    case 'zdt':
      return [
        choice(name, fields, [
          { label: l10n.t('Off'), value: 'false' },
          { label: l10n.t('On'), description: l10n.t('switch to the new version without interruption'), value: 'true' },
        ]),
      ];
    case 'interval':
      return fields.autoupdate ? [text(name, fields, asking, { value: fields.interval || fieldExample(name) })] : [];
    case 'password':
      return [text(name, fields, asking, { masked: true, mayBeEmpty: true, value: '' })];
    case 'repoHash':
    case 'login':
    case 'keyId':
    case 'delay':
      return [text(name, fields, asking, { mayBeEmpty: true })];
    case 'context':
      return [text(name, fields, asking, {})];
    case 'hooks':
      // Scripts are edited in editors.
      return [];
  }
}

/** Returns the fields with the answers for one field applied. */
export function fieldsFromAnswers(name: FieldName, fields: ProjectFields, entered: Entered): ProjectFields {
  const answer = entered[name];
  return answer === undefined || name === 'hooks' ? fields : { ...fields, [name]: parsedValue(name, answer) };
}

function parsedValue(name: Exclude<FieldName, 'hooks'>, answer: string): string | number | boolean | undefined {
  const value = answer.trim();
  switch (name) {
    case 'type':
      return value === 'SVN' ? 'SVN' : 'GIT';
    case 'autoupdate':
    case 'autoResolveConflict':
    case 'zdt':
      return value === 'true';
    case 'password':
      // Don't trim: a password may start or end with a space.
      return answer === '' ? undefined : answer;
    case 'keyId':
    case 'delay':
      return value === '' ? undefined : Number(value);
    default:
      return value;
  }
}

function choice(
  name: 'type' | 'autoupdate' | 'autoResolveConflict' | 'zdt',
  fields: ProjectFields,
  choices: readonly Choice[],
): ChoiceQuestion {
  return {
    kind: 'choice',
    key: name,
    prompt: fieldPrompt(name, 'existing'),
    choices,
    value: String(fields[name] ?? ''),
  };
}

function text(
  name: FieldName,
  fields: ProjectFields,
  { rules, of }: SettingsPromptDeps,
  rest: Partial<TextQuestion>,
): TextQuestion {
  const value = fields[name];
  return {
    key: name,
    prompt: fieldPrompt(name, of),
    placeholder: fieldExample(name),
    value: typeof value === 'string' || typeof value === 'number' ? String(value) : '',
    problem: (typed) => {
      const problem = problemWith(name, fieldsFromAnswers(name, fields, { [name]: typed }), rules);
      return problem === undefined ? undefined : problemSentence(problem, rules.contextPattern);
    },
    ...rest,
  };
}

/** Offers the repositories of the same type. */
function urlQuestion(fields: ProjectFields, { repositories }: RepositorySuggestions): Question {
  const known = repositories.filter(({ type }) => type === fields.type);
  const example = fields.type === 'GIT' ? fieldExample('url') : 'https://svn.example.com/shop/trunk';
  return suggestionQuestion({
    key: 'url',
    prompt:
      known.length === 0
        ? l10n.t('Enter the repository URL, for example {0}', example)
        : l10n.t('Select a repository, or enter the URL of another one'),
    choices: withCurrent(
      fields.url,
      known.map(({ url, description }) => ({ label: url, description, value: url })),
    ),
    value: fields.url,
    typed: (typed) => typedValue('url', fields, typed),
  });
}

/** Asks for a branch of the repository: one of the known ones, or any other. */
export function branchQuestion(fields: ProjectFields, { branchesOf }: Pick<RepositorySuggestions, 'branchesOf'>) {
  const known = branchesOf(fields.url);
  return suggestionQuestion({
    key: 'branch',
    prompt:
      known.length === 0
        ? l10n.t('Enter the branch to deploy, for example {0}', fieldExample('branch'))
        : l10n.t('Select the branch to deploy, or enter another one'),
    choices: withCurrent(
      fields.branch,
      known.map((value) => ({ label: value, icon: 'git-branch', value })),
    ),
    value: fields.branch,
    typed: (typed) => typedValue('branch', fields, typed),
  });
}

function withCurrent(current: string, choices: readonly Choice[]): readonly Choice[] {
  return current === '' || choices.some(({ value }) => value === current)
    ? choices
    : [{ label: current, description: l10n.t('current value'), value: current }, ...choices];
}

function typedValue(name: 'url' | 'branch', fields: ProjectFields, typed: string): readonly Choice[] | string {
  const problem = problemWith(name, { ...fields, [name]: typed }, {});
  const label = name === 'url' ? l10n.t('Use {0}', typed) : l10n.t('Use branch {0}', typed);
  return problem === undefined ? [{ label, icon: 'arrow-right', value: typed }] : problemSentence(problem);
}

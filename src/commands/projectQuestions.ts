import { l10n } from 'vscode';
import { type ContextRules, problemWith } from '../projects/fieldProblems';
import { fieldLabel, fieldValue, problemSentence } from '../projects/fieldWords';
import type { FieldName, ProjectFields } from '../projects/projectFields';
import type { Choice, ChoiceQuestion, Entered, Question, TextQuestion } from '../ui/prompts';
import type { ProjectOffers } from './projectOffers';

export interface Asking {
  readonly offers: ProjectOffers;
  readonly rules: ContextRules;
}

/** Chosen where none of the offered values is meant. */
const other = '\u0000other';

/** The questions for one field, given what was entered so far. Their answers are read by `answered`. */
export function questionsFor(
  name: FieldName,
  fields: ProjectFields,
  entered: Entered,
  asking: Asking,
): readonly Question[] {
  switch (name) {
    case 'type':
      return [
        choice('type', fields, [
          ['GIT', 'Git'],
          ['SVN', 'Subversion'],
        ]),
      ];
    case 'url':
      return offered('url', fields, entered, asking, asking.offers.addresses);
    case 'branch':
      return fields.type === 'SVN'
        ? []
        : offered('branch', fields, entered, asking, asking.offers.branchesOf(fields.url));
    case 'autoupdate':
      return [
        choice('autoupdate', fields, yesOrNo(l10n.t('Look for new commits by itself'), l10n.t('Only by Redeploy'))),
      ];
    case 'autoResolveConflict': {
      const words = (value: boolean) => fieldValue(name, { ...fields, autoResolveConflict: value });
      return [choice(name, fields, yesOrNo(words(true), words(false)))];
    }
    case 'zdt':
      return [choice('zdt', fields, yesOrNo(l10n.t('Yes: switch to the new release at once'), l10n.t('No')))];
    case 'interval':
      return fields.autoupdate ? [text(name, fields, asking, { placeholder: '5' })] : [];
    case 'password':
      return [text(name, fields, asking, { masked: true, mayBeEmpty: true, value: '' })];
    case 'repoHash':
    case 'login':
    case 'keyId':
    case 'delay':
      return [text(name, fields, asking, { mayBeEmpty: true })];
    case 'context':
      return [text(name, fields, asking, { placeholder: 'ROOT' })];
    case 'hooks':
      // Scripts are written in editors.
      return [];
  }
}

/** The fields with a field's answer in its place. */
export function answered(name: FieldName, fields: ProjectFields, entered: Entered): ProjectFields {
  const chosen = entered[name];
  const said = (chosen === other ? entered[typed(name)] : chosen) ?? undefined;
  if (said === undefined) {
    return fields;
  }
  const value = said.trim();
  switch (name) {
    case 'type':
      return { ...fields, type: value === 'SVN' ? 'SVN' : 'GIT' };
    case 'autoupdate':
    case 'autoResolveConflict':
    case 'zdt':
      return { ...fields, [name]: value === 'true' };
    case 'password':
      // A password may begin or end with a space.
      return { ...fields, password: said === '' ? undefined : said };
    case 'keyId':
    case 'delay':
      return { ...fields, [name]: value === '' ? undefined : Number(value) };
    case 'url':
    case 'branch':
    case 'repoHash':
    case 'login':
    case 'context':
    case 'interval':
      return { ...fields, [name]: value };
    case 'hooks':
      return fields;
  }
}

function typed(name: FieldName): string {
  return `${name} typed`;
}

function choice(
  name: 'type' | 'autoupdate' | 'autoResolveConflict' | 'zdt',
  fields: ProjectFields,
  values: readonly (readonly [string, string])[],
): ChoiceQuestion {
  const choices = values.map(([value, label]): Choice => ({ label, value }));
  return { kind: 'choice', key: name, prompt: fieldLabel(name), choices, value: String(fields[name] ?? '') };
}

function yesOrNo(yes: string, no: string): readonly (readonly [string, string])[] {
  return [
    ['false', no],
    ['true', yes],
  ];
}

function text(
  name: FieldName,
  fields: ProjectFields,
  { rules }: Asking,
  rest: Partial<TextQuestion>,
  key: string = name,
): TextQuestion {
  const value = fields[name];
  return {
    key,
    prompt: promptFor(name),
    value: typeof value === 'string' || typeof value === 'number' ? String(value) : '',
    problem: (said) => {
      const problem = problemWith(name, answered(name, fields, { [name]: said }), rules);
      return problem === undefined ? undefined : problemSentence(problem, rules.contextPattern);
    },
    ...rest,
  };
}

/** Values to choose from, and a last choice that leads to typing one; only typing where there is none. */
function offered(
  name: 'url' | 'branch',
  fields: ProjectFields,
  entered: Entered,
  asking: Asking,
  values: readonly string[],
): readonly Question[] {
  if (values.length === 0) {
    return [text(name, fields, asking, {})];
  }
  const choices: Choice[] = [
    ...values.map((value): Choice => ({ label: value, value })),
    { label: l10n.t('$(edit) Another…'), value: other },
  ];
  const isOffered = values.includes(fields[name]);
  const value = isOffered || fields[name] === '' ? fields[name] : other;
  const choose: ChoiceQuestion = { kind: 'choice', key: name, prompt: promptFor(name), choices, value };
  return entered[name] === other ? [choose, text(name, fields, asking, {}, typed(name))] : [choose];
}

function promptFor(name: FieldName): string {
  switch (name) {
    case 'url':
      return l10n.t("The repository's address, with its protocol");
    case 'branch':
      return l10n.t('The branch that is deployed');
    case 'repoHash':
      return l10n.t('The commit or revision to stay at; empty for the newest');
    case 'login':
      return l10n.t('The login at the repository; empty for none');
    case 'password':
      return l10n.t('The password or token at the repository; empty to leave it as it is');
    case 'keyId':
      return l10n.t('The number of a private SSH key on your account; empty for none');
    case 'context':
      return l10n.t('The context: the folder that the project is deployed to, and its place in the address');
    case 'interval':
      return l10n.t('Minutes from one look to the next');
    case 'delay':
      return l10n.t('Seconds from one node to the next; empty for nothing set from here');
    case 'type':
    case 'autoupdate':
    case 'autoResolveConflict':
    case 'zdt':
    case 'hooks':
      return fieldLabel(name);
  }
}

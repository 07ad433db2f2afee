import { l10n } from 'vscode';
import { type ContextRules, problemWith } from './fieldProblems';
import { type FieldOwner, fieldPrompt, fieldValue, problemSentence } from './fieldText';
import type { FieldName, ProjectFields } from './projectFields';
import type { Choice } from '../../ui/quickPick';
import type { ChoiceQuestion, Entered, Question, TextQuestion } from '../../ui/prompts';
import type { LocalRepositories } from '../repositories/localRepositories';
import { normalizeRepositoryUrl, sameRepository } from '../repositories/repositoryUrl';

export interface SettingsPromptDeps {
  readonly offers: RepositorySuggestions;
  readonly rules: ContextRules;
  readonly of: FieldOwner;
}

/** The value of the choice to type something else. */
const other = '\u0000other';

/** Returns the questions for a field, given the answers so far. `fieldsFromAnswers` reads the answers. */
export function questionsFor(
  name: FieldName,
  fields: ProjectFields,
  entered: Entered,
  asking: SettingsPromptDeps,
): readonly Question[] {
  switch (name) {
    case 'type':
      return [choice(name, fields, [['GIT', 'Git'] as const, ['SVN', 'Subversion'] as const])];
    case 'url':
      return offered('url', fields, entered, asking);
    case 'branch':
      return fields.type === 'SVN' ? [] : offered('branch', fields, entered, asking);
    case 'autoupdate':
      return [
        choice(
          name,
          fields,
          yesOrNo(l10n.t('Yes, check for new commits regularly'), l10n.t('No, only when you redeploy')),
        ),
      ];
    case 'autoResolveConflict': {
      const words = (value: boolean) => fieldValue(name, { ...fields, autoResolveConflict: value });
      return [choice(name, fields, yesOrNo(words(true), words(false)))];
    }
    case 'zdt':
      return [
        choice(name, fields, yesOrNo(l10n.t('Yes, switch to the new release without interruption'), l10n.t('No'))),
      ];
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
      // Scripts are edited in editors.
      return [];
  }
}

/** Returns the fields with the answers for one field applied. */
export function fieldsFromAnswers(name: FieldName, fields: ProjectFields, entered: Entered): ProjectFields {
  const chosen = entered[name];
  const said = chosen === other ? entered[typed(name)] : chosen;
  return said === undefined || name === 'hooks' ? fields : { ...fields, [name]: parsedValue(name, said) };
}

function parsedValue(name: Exclude<FieldName, 'hooks'>, said: string): string | number | boolean | undefined {
  const value = said.trim();
  switch (name) {
    case 'type':
      return value === 'SVN' ? 'SVN' : 'GIT';
    case 'autoupdate':
    case 'autoResolveConflict':
    case 'zdt':
      return value === 'true';
    case 'password':
      // Don't trim: a password may start or end with a space.
      return said === '' ? undefined : said;
    case 'keyId':
    case 'delay':
      return value === '' ? undefined : Number(value);
    default:
      return value;
  }
}

function typed(name: FieldName): string {
  return `${name} typed`;
}

function choice(
  name: 'type' | 'autoupdate' | 'autoResolveConflict' | 'zdt',
  fields: ProjectFields,
  values: readonly (readonly [value: string, label: string])[],
): ChoiceQuestion {
  const choices = values.map(([value, label]): Choice => ({ label, value }));
  const value = String(fields[name] ?? '');
  return { kind: 'choice', key: name, prompt: fieldPrompt(name, 'existing'), choices, value };
}

const yesOrNo = (yes: string, no: string) => [['false', no] as const, ['true', yes] as const];

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
    value: typeof value === 'string' || typeof value === 'number' ? String(value) : '',
    problem: (said) => {
      const problem = problemWith(name, fieldsFromAnswers(name, fields, { [name]: said }), rules);
      return problem === undefined ? undefined : problemSentence(problem, rules.contextPattern);
    },
    ...rest,
  };
}

/** Offers suggested values and typing another one. If there are no suggestions, only typing. */
function offered(
  name: 'url' | 'branch',
  fields: ProjectFields,
  entered: Entered,
  asking: SettingsPromptDeps,
): readonly Question[] {
  const { offers, of } = asking;
  const isGit = fields.type === 'GIT';
  const url = isGit ? 'https://git.example.com/shop.git' : 'https://svn.example.com/shop/trunk';
  const placeholder = name === 'url' ? url : 'master';
  // Subversion has no branches, and the open repositories are Git's.
  const suggested = !isGit ? [] : name === 'url' ? offers.addresses : offers.branchesOf(fields.url);
  if (suggested.length === 0) {
    return [text(name, fields, asking, { placeholder })];
  }
  const present = of === 'existing' && !suggested.includes(fields[name]) ? [fields[name]] : [];
  const values = [...present, ...suggested];
  const choices: Choice[] = [
    ...values.map((value): Choice => ({ label: value, value })),
    { label: l10n.t('$(edit) Enter another…'), value: other },
  ];
  const value = values.includes(fields[name]) ? fields[name] : (values[0] ?? other);
  const choose: ChoiceQuestion = { kind: 'choice', key: name, prompt: fieldPrompt(name, of), choices, value };
  return entered[name] === other ? [choose, text(name, fields, asking, { placeholder, key: typed(name) })] : [choose];
}

export interface RepositorySuggestions {
  readonly addresses: readonly string[];
  readonly branchesOf: (url: string) => readonly string[];
}

/** Leaves out the developer's login: the platform has its own credentials. */
export async function repositorySuggestions(repositories: LocalRepositories): Promise<RepositorySuggestions> {
  await repositories.ready;
  const known = await Promise.all(
    repositories.all.map(async (repository) => ({ urls: repository.urls, branches: await repository.branches() })),
  );
  const addresses = known.flatMap(({ urls }) => urls.flatMap(addressesFor));
  return {
    addresses: [...new Set(addresses)],
    branchesOf: (url) => known.find(({ urls }) => urls.some((one) => sameRepository(one, url)))?.branches ?? [],
  };
}

/** Suggests https for an ssh remote too, because the platform has an ssh key only if it's given one. */
function addressesFor(remote: string): readonly string[] {
  const plain = remote.replace(/^(\w[\w+.-]*:\/\/)(?:[^/@\s]*:[^/@\s]*|(?!git@)[^/@\s]+)@/, '$1');
  const normal = normalizeRepositoryUrl(remote);
  if (normal === undefined) {
    return [];
  }
  return /^(?:ssh|git\+ssh):|^[^/]+@[^/]+:/.test(plain)
    ? [`https://${normal.replace(/:\d+\//, '/')}.git`, plain]
    : [plain];
}

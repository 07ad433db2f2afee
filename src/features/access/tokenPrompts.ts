import { l10n, type QuickPickItem } from 'vscode';
import {
  type AccessReader,
  barredMethods,
  byService,
  countEffects,
  customTemplate,
  effectOf,
  methodsForTask,
  missingFrom,
  neededMethods,
  partsOf,
  type PasswordOperations,
  permitsTheSame,
  type TokenTask,
  tokenTasks,
} from '../../accounts/tokens';
import type { TokenTemplateEntry } from '../../platform/wire/tokens';
import { writeTimestamp } from '../../platform/wire/scalars';
import {
  askByPick,
  type ChoiceQuestion,
  type Entered,
  type Question,
  type QuestionFrame,
  type Step,
} from '../../ui/prompts';
import { type Choice, underHeading } from '../../ui/quickPick';
import { formatDate } from '../../ui/relativeTime';
import { expirationDate, lifetimeQuestion } from '../../ui/commands/accountPrompt';
import type { Account } from '../../accounts/accounts';
import { withCancelableRead } from '../../ui/progress';

/** The templates and methods that the platform offers for tokens. */
interface TokenCatalog {
  readonly templates: readonly TokenTemplateEntry[];
  readonly methods: readonly string[];
  /** Those that no token may call. */
  readonly barred: readonly string[];
}

interface CurrentToken {
  readonly description?: string | undefined;
  readonly template: string | undefined;
  readonly apiList: readonly string[];
  readonly expiresAt?: Date | undefined;
}

export interface TokenSettings {
  readonly description: string;
  readonly tokenTemplate: string;
  readonly methods: readonly string[];
  readonly expiresAt: Date | undefined;
}

export async function tokenCatalog(reading: AccessReader, { host }: Account): Promise<TokenCatalog> {
  const [templates, methods, policy] = await withCancelableRead(l10n.t('Getting token options from {0}', host), () =>
    Promise.all([
      reading.getTokenTemplates(),
      reading.getTokenApiList({ showPrivate: true }),
      // It only adds a remark.
      reading.getPolicyMethods().catch(() => undefined),
    ]),
  );
  return { templates, methods, barred: policy === undefined ? [] : barredMethods(policy, methods) };
}

export function tokenQuestions(offer: TokenCatalog, held?: CurrentToken): (entered: Entered) => readonly Question[] {
  return (entered) => [
    {
      key: 'description',
      prompt: l10n.t('Token name'),
      placeholder: l10n.t('Build server'),
      value: held?.description ?? '',
    },
    templateQuestion(offer, held),
    ...(entered['template'] === customTemplate ? [askMethodsQuestion('methods', offer, held?.apiList ?? [])] : []),
    endQuestion(held),
    ...(entered['lifetime'] === onADate ? [dateQuestion()] : []),
  ];
}

export function settingsIn(entered: Entered, catalog: TokenCatalog, held?: CurrentToken): TokenSettings {
  const { description = '', template = customTemplate, lifetime, date = '' } = entered;
  return {
    description: description.trim(),
    tokenTemplate: taskOf(template) === undefined ? template : customTemplate,
    methods: methodsOf(template, entered, catalog, held),
    expiresAt:
      lifetime === asItIs
        ? held?.expiresAt
        : lifetime === onADate
          ? endOfDay(date)
          : expirationDate(lifetime, Date.now()),
  };
}

function methodsOf(
  template: string,
  entered: Entered,
  { templates, methods: offered }: TokenCatalog,
  held: CurrentToken | undefined,
): readonly string[] {
  const task = taskOf(template);
  if (task !== undefined) {
    return methodsForTask(task, offered);
  }
  return template === customTemplate
    ? methodsIn(entered['methods'])
    : (templates.find(({ name }) => name === template)?.apiList ?? held?.apiList ?? []);
}

/** Converts settings to operation parameters. A template implies its methods. */
export function parametersOf(settings: TokenSettings): Parameters<PasswordOperations['createToken']>[0] {
  const { description, tokenTemplate, methods, expiresAt } = settings;
  return {
    description,
    tokenTemplate,
    ...(tokenTemplate === customTemplate ? { apiList: methods.join(',') } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt: writeTimestamp(expiresAt) }),
  };
}

/** The tasks come first, because the platform's templates don't say what they permit. */
function templateQuestion({ templates, methods }: TokenCatalog, held: CurrentToken | undefined): ChoiceQuestion {
  const tasks = tokenTasks.map((task): Choice => ({ value: valueOf(task), ...taskTexts(task) }));
  // Methods are chosen with a choice of ours, whatever the platform calls that.
  const all = templates.filter(({ name }) => name !== customTemplate);
  const named = all.map(({ name, apiList }): Choice => {
    return {
      value: name,
      label: name,
      description: effectsText(apiList),
      detail: permitText(apiList),
    };
  });
  const own = {
    value: customTemplate,
    label: l10n.t('Custom methods'),
    detail: l10n.t('Select the methods one by one.'),
  };
  const sameAs = tokenTasks.find((task) => permitsTheSame(methodsForTask(task, methods), held?.apiList ?? []));
  // A template that isn't offered can't be selected, but its methods can.
  const keeps = all.find(({ name }) => name === held?.template)?.name ?? customTemplate;
  const value = held === undefined ? valueOf('read') : keeps === customTemplate && sameAs ? valueOf(sameAs) : keeps;
  return {
    kind: 'choice',
    branches: true,
    key: 'template',
    prompt: l10n.t('Select what the token can do'),
    choices: [...tasks, ...named, own],
    value,
  };
}

/** Tells a task from a template that has the same name. */
function valueOf(task: TokenTask): string {
  return `task ${task}`;
}

function taskOf(value: string): TokenTask | undefined {
  return tokenTasks.find((task) => valueOf(task) === value);
}

function taskTexts(task: TokenTask): Pick<Choice, 'label' | 'detail'> {
  switch (task) {
    case 'read':
      return {
        label: l10n.t('Read only'),
        detail: l10n.t('Browse environments, and read files, projects, and mounts, without changing anything.'),
      };
    case 'edit':
      return {
        label: l10n.t('Read and edit files'),
        detail: l10n.t('Also save, upload, move, unpack, and delete files, and change favorites.'),
      };
    case 'redeploy':
      return {
        label: l10n.t('Read, edit, and redeploy'),
        detail: l10n.t('Also redeploy existing projects, without changing their settings.'),
      };
  }
}

function effectsText(apiList: readonly string[]): string {
  const { all, read, write, unknown } = countEffects(apiList);
  if (all > 1 && read === all) {
    return l10n.t('{0} methods, read-only', all);
  }
  return unknown === 0
    ? l10n.t('{0} methods: {1} read, {2} change', all, read, write)
    : l10n.t('{0} methods: {1} read, {2} change, {3} unknown', all, read, write, unknown);
}

/** What Gantry can do with the methods of a template. */
function permitText(apiList: readonly string[]): string {
  if (missingFrom(apiList, neededMethods.documentedMethods).length === 0) {
    return l10n.t('Permits everything that Gantry can do.');
  }
  const reads = methodsForTask('read', []).filter((method) => neededMethods.documentedMethods.includes(method));
  if (missingFrom(apiList, reads).length > 0) {
    return l10n.t('Permits less than Gantry needs to browse and read.');
  }
  return countEffects(apiList).write === 0
    ? l10n.t('Permits browsing and reading with Gantry.')
    : l10n.t('Permits browsing, reading, and some changes with Gantry.');
}

const asItIs = 'asItIs';
const onADate = 'onADate';

function endQuestion(held: CurrentToken | undefined): ChoiceQuestion {
  const end = held?.expiresAt;
  const keep = {
    value: asItIs,
    label: end === undefined ? l10n.t('Never expires (unchanged)') : l10n.t('Until {0} (unchanged)', formatDate(end)),
  };
  // It isn't documented how to remove a token's expiration date.
  const usual = lifetimeQuestion({ mayBeEndless: held === undefined });
  return {
    ...usual,
    prompt: l10n.t('How long should the token be valid?'),
    branches: true,
    value: held === undefined ? '90' : asItIs,
    choices: [
      ...(held === undefined ? [] : [keep]),
      ...usual.choices,
      { value: onADate, label: l10n.t('Custom date…') },
    ],
  };
}

function dateQuestion(): Question {
  return {
    key: 'date',
    prompt: l10n.t('Expiration date, for example 2027-12-31'),
    placeholder: '2027-12-31',
    problem: (text) => {
      const end = endOfDay(text);
      if (end === undefined) {
        return l10n.t('Enter a date as year-month-day, such as 2027-12-31.');
      }
      return end.getTime() > Date.now() ? undefined : l10n.t('Enter a date in the future.');
    },
  };
}

/** Returns the last second of a day in local time, or `undefined` if the date doesn't exist. */
function endOfDay(text: string): Date | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text) ?? [];
  const end = new Date(Number(year), Number(month) - 1, Number(day), 23, 59, 59);
  return end.getMonth() === Number(month) - 1 && end.getDate() === Number(day) ? end : undefined;
}

interface MethodItem extends QuickPickItem {
  readonly method: string;
}

/** A searchable multi-select of methods, grouped by what they do. The answer is a comma-separated list. */
function askMethodsQuestion(
  key: string,
  { methods: offered, barred }: { readonly methods: readonly string[]; readonly barred: readonly string[] },
  held: readonly string[],
): Question {
  // Keep methods that the token has but the platform no longer offers, so that they aren't removed silently.
  const methods = [...offered, ...missingFrom(offered, held)];
  return { kind: 'own', key, value: held.join(','), ask: (frame) => choose(itemsOf(methods, barred), frame) };
}

function methodsIn(answer: string | undefined): readonly string[] {
  return (answer ?? '').split(',').filter((method) => method !== '');
}

function choose(items: readonly QuickPickItem[], frame: QuestionFrame): Promise<Step> {
  const { value, keep } = frame;
  const chosen = methodsIn(value);
  const look = {
    canSelectMany: true,
    placeholder:
      items.length === 0
        ? l10n.t("The platform doesn't list any methods. Select a template.")
        : l10n.t('Select the methods to permit. Type to filter.'),
    items,
    selectedItems: items.filter((item) => isMethod(item) && missingFrom(chosen, [item.method]).length === 0),
  };
  return askByPick<QuickPickItem>(frame, look, (pick, resolve) => {
    const answer = () =>
      pick.selectedItems
        .filter(isMethod)
        .map(({ method }) => method)
        .join(',');
    return [
      pick.onDidChangeSelection(() => keep(answer())),
      pick.onDidAccept(() => {
        if (answer() === '' && items.length > 0) {
          // A filter would hide the placeholder.
          pick.value = '';
          pick.placeholder = l10n.t('Select at least one method.');
        } else if (answer() !== '') {
          keep(answer());
          resolve({ kind: 'answer', text: answer() });
        }
      }),
    ];
  });
}

/** What reads, then what changes something, then what Gantry doesn't know, by service. */
function itemsOf(methods: readonly string[], barred: readonly string[]): readonly QuickPickItem[] {
  const methodItem = (method: string, description: string): MethodItem => ({
    label: partsOf(method).name,
    description: barred.includes(method) ? l10n.t('{0} · not allowed for tokens', description) : description,
    method,
  });
  const services = [...byService(methods)];
  const known = (effect: 'read' | 'write', heading: string, word: string) =>
    underHeading(
      heading,
      services.flatMap(([service, ofService]) =>
        // Filtering hides headings, so each row has the word, too.
        ofService.filter(has(effect)).map((method) => methodItem(method, `${service} · ${word}`)),
      ),
    );
  return [
    ...known('read', l10n.t('Read'), l10n.t('reads')),
    ...known('write', l10n.t('Change'), l10n.t('changes')),
    ...services.flatMap(([service, ofService]) =>
      underHeading(
        service,
        ofService.filter(has(undefined)).map((method) => methodItem(method, service)),
      ),
    ),
  ];
}

function has(effect: ReturnType<typeof effectOf>) {
  return (method: string): boolean => effectOf(method) === effect;
}

function isMethod(item: QuickPickItem): item is MethodItem {
  return 'method' in item;
}

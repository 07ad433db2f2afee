import { l10n, Uri, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environments } from '../environments/environments';
import type { ContextRules } from '../projects/fieldProblems';
import { draftOf } from '../projects/hookDocuments';
import { fieldsOf, newProject } from '../projects/projectFields';
import { projectKey, type ProjectPlace, takesProjects } from '../projects/projectPlace';
import type { DeployHistory } from '../projects/deployHistory';
import type { Environment, Layer } from '../environments/environment';
import { askInTurn, type Entered, type Question } from '../ui/prompts';
import { withProgress } from '../ui/progress';
import type { DeploymentsView } from '../views/deploymentsView';
import type { ProjectChooser } from './projectChooser';
import { offersOf, type ProjectOffers } from './projectOffers';
import { leaveHook, type ProjectPageParts, type ProjectPages } from './projectPages';
import { answered, questionsFor } from './projectQuestions';
import type { RedeployFlow } from './redeployFlow';
import { rollBack } from './rollBack';

export interface ProjectSettingParts extends ProjectPageParts {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly chooser: ProjectChooser;
  readonly view: DeploymentsView;
  readonly pages: ProjectPages;
  readonly flow: RedeployFlow;
  readonly history: DeployHistory;
}

interface Home {
  readonly environment: Environment;
  readonly layer: Layer;
}

const wizardFields = [
  ...['type', 'url', 'branch', 'login', 'password', 'keyId', 'context', 'autoupdate', 'interval'],
  ...['autoResolveConflict'],
] as const satisfies readonly string[];

export function projectSettingCommands(parts: ProjectSettingParts) {
  const { chooser, pages, projects, setHere, drafts, work, history } = parts;
  return {
    async 'gantry.project.create'(received: unknown) {
      const id = await newDraft(received, parts);
      const created = id === undefined ? undefined : await pages.run(id);
      if (created !== undefined) {
        await offerToDeploy(created.place, parts);
      }
    },

    async 'gantry.project.edit'(received: unknown) {
      if (received instanceof Uri) {
        const resumed = draftOf(received);
        await leaveHook(received);
        const sent = resumed === undefined ? undefined : await pages.run(resumed);
        if (sent !== undefined && resumed?.startsWith(newDraftId) === true) {
          await offerToDeploy(sent.place, parts);
        }
        return;
      }
      const place = await chooser.choose(received, l10n.t("Which project's settings?"));
      if (place === undefined) {
        return;
      }
      const id = projectKey(place);
      if (drafts.find(id) === undefined) {
        const { settings } = await projects.read(place);
        const base = fieldsOf(place.context, settings, await setHere.of(place));
        drafts.keep({ id, place, isNew: false, base, fields: base, rules: await rulesOf(place, parts) });
      }
      await pages.run(id);
    },

    async 'gantry.project.rollBack'(received: unknown) {
      const place = await chooser.choose(received, l10n.t('Which project shall go back?'));
      if (place !== undefined) {
        await rollBack(place, parts);
      }
    },

    async 'gantry.project.delete'(received: unknown) {
      const place = await chooser.choose(received, l10n.t('Which project shall be deleted?'));
      if (place === undefined || !(await confirmDelete(place))) {
        return;
      }
      await withProgress(l10n.t('Deleting {0}…', place.context), () => work.delete(place));
      await history.forget(place);
    },
  };
}

const newDraftId = 'new/';

/** Asks what a new project needs, and keeps the answers as a draft, which the page shows as a whole. */
async function newDraft(received: unknown, parts: ProjectSettingParts): Promise<string | undefined> {
  const homes = await homesIn(received, parts);
  if (homes.length === 0) {
    throw new Error(l10n.t('There is no environment that could hold a project.'));
  }
  const offers = await offersOf(parts.repositories);
  const entered = await askInTurn(l10n.t('New Project'), (soFar) => wizard(homes, offers, soFar));
  const home = homes[Number(entered?.['home'] ?? 0)];
  if (entered === undefined || home === undefined) {
    return undefined;
  }
  const { environment, layer } = home;
  const fields = wizardAnswers(entered);
  const place = {
    account: environment.account,
    environment: environment.name,
    layer: layer.id,
    context: fields.context,
  };
  const id = newDraftId + projectKey(place);
  parts.drafts.keep({ id, place, isNew: true, base: newProject, fields, rules: rulesFor(layer) });
  return id;
}

function wizard(homes: readonly Home[], offers: ProjectOffers, entered: Entered): readonly Question[] {
  const choices = homes.map(({ environment, layer }, index) => ({
    label: environment.title,
    description: `${environment.name} · ${layer.name}`,
    value: String(index),
  }));
  const where: Question = { kind: 'choice', key: 'home', prompt: l10n.t('Where shall it be deployed?'), choices };
  const home = homes[Number(entered['home'] ?? 0)];
  const asking = { offers, rules: home === undefined ? noRules : rulesFor(home.layer) };
  const fields = wizardAnswers(entered);
  const access: Question = {
    kind: 'choice',
    key: 'access',
    prompt: l10n.t('How does the platform get at the repository?'),
    choices: [
      { label: l10n.t('Without credentials'), description: l10n.t('it is public'), value: 'none' },
      { label: l10n.t('With a login and a password or token'), value: 'password' },
      { label: l10n.t('With an SSH key of the account'), value: 'key' },
    ],
  };
  const secret = { none: [], password: ['login', 'password'], key: ['login', 'keyId'] } as const;
  const chosen = entered['access'] === 'password' || entered['access'] === 'key' ? entered['access'] : 'none';
  const skipped: readonly string[] = ['login', 'password', 'keyId'].filter(
    (name) => !(secret[chosen] as readonly string[]).includes(name),
  );
  return [
    ...(homes.length === 1 ? [] : [where]),
    ...wizardFields.flatMap((name) => [
      ...(name === 'login' ? [access] : []),
      ...(skipped.includes(name) ? [] : questionsFor(name, fields, entered, asking)),
    ]),
  ];
}

function wizardAnswers(entered: Entered) {
  return wizardFields.reduce((fields, name) => answered(name, fields, entered), newProject);
}

const noRules: ContextRules = { contextPattern: undefined, singleContext: false };

function rulesFor({ nodes }: Layer): ContextRules {
  return {
    contextPattern: nodes.find(({ contextPattern }) => contextPattern !== undefined)?.contextPattern,
    singleContext: nodes.some(({ singleContext }) => singleContext),
  };
}

async function rulesOf(place: ProjectPlace, parts: ProjectSettingParts): Promise<ContextRules> {
  const account = parts.accounts.find(place.account);
  const all = account === undefined ? [] : await parts.environments.of(account);
  const layers = all.find(({ name }) => name === place.environment)?.layers ?? [];
  const layer = layers.find(({ id }) => id === place.layer);
  return layer === undefined ? noRules : rulesFor(layer);
}

async function homesIn(received: unknown, parts: ProjectSettingParts): Promise<readonly Home[]> {
  const element = parts.view.find(received);
  const environments =
    element?.kind === 'environment' || element?.kind === 'noProject'
      ? [element.environment]
      : (await Promise.all(parts.accounts.list.map((account) => parts.environments.of(account)))).flat();
  return environments.flatMap((environment) =>
    environment.layers.filter(takesProjects).map((layer) => ({ environment, layer })),
  );
}

async function offerToDeploy(place: ProjectPlace, { flow }: ProjectSettingParts): Promise<void> {
  const now = l10n.t('Deploy Now');
  const text = l10n.t('{0} was created on {1}. It is not deployed yet.', place.context, place.environment);
  if ((await window.showInformationMessage(text, now)) === now) {
    await flow.redeploy({ place });
  }
}

async function confirmDelete({ context, environment }: ProjectPlace): Promise<boolean> {
  const typed = await window.showInputBox({
    title: l10n.t('Delete {0} on {1}', context, environment),
    prompt: l10n.t(
      'The deployed files go with it. Enter {0} to delete the project and all that is deployed of it.',
      context,
    ),
    ignoreFocusOut: true,
    validateInput: (text) => (text === context || text === '' ? undefined : l10n.t('This is not {0}.', context)),
  });
  return typed === context;
}

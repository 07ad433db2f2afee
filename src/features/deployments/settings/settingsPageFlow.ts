import { isDeepStrictEqual } from 'node:util';
import { projectText } from '../projectText';
import { l10n, window, TabInputText, workspace } from 'vscode';
import { isCanceled, isPlatformError, type PlatformError } from '../../../platform/errors';
import { problemsIn, rebase } from './fieldChanges';
import { compareScripts, hookUri, hookOf, tellWhereHookDiffers } from './hookDocuments';
import { editedHooks, type HookName } from './hooks';
import { confirmCreation } from './newProjectFlow';
import { rulesFor } from './newProjectInput';
import type { DeploymentParts } from '../parts';
import { isChanged, type ProjectDraft } from './projectDrafts';
import { type FieldName, fieldLabel, projectFields } from './projectFields';
import { type CurrentSettings, NothingSent } from './projectOperations';
import { projectKey, type ProjectPlace } from '../projectPlace';
import type { Project } from '../projects';
import { confirmChange } from '../../../ui/commands/protectedPrompt';
import type { RedeployRequest } from '../redeploy/plan';
import { showInformationMessage, showWarningMessage } from '../../../ui/notifications';
import { askInTurn } from '../../../ui/prompts';
import { withProgress } from '../../../ui/progress';
import { failureMessage } from '../../../ui/failureMessages';
import { suggestRepositories } from '../repositories/repositorySuggestions';
import { fieldsFromAnswers, type PageChoice, type PageProblem, questionsFor, showPage } from './settingsPrompts';
import {
  changeLines,
  saveSettings,
  showHooksButton,
  checkSettingsChange,
  type CheckedSettingsChange,
  currentSettings,
} from './saveSettingsFlow';

export interface SentPage {
  readonly kind: 'created' | 'changed';
  readonly project: Project;
  /** How to redeploy right away. */
  readonly deploys: Pick<RedeployRequest, 'consent'> | undefined;
}

/** Shows a draft's page again and again, until it's sent, discarded or closed. */
export class SettingsPages {
  /** What the platform and the first node showed, by the draft that started from it. */
  private readonly current = new Map<string, CurrentSettings>();

  constructor(private readonly deps: DeploymentParts) {}

  /** Opens a project's settings page, with unsent changes from before, at the row of a setting. */
  async open(place: ProjectPlace, name?: FieldName): Promise<SentPage | undefined> {
    const { drafts } = this.deps;
    const id = projectKey(place);
    const draft = await drafts.refresh(id);
    if (draft === undefined || !isChanged(draft)) {
      const current = await currentSettings(place, this.deps);
      this.current.set(id, current);
      // If someone else set another key, that's said before a change.
      const base = { ...current.fields, keyId: current.kept?.keyId };
      const rules = await rulesFor(place, this.deps);
      const now = drafts.find(id);
      // A hook may have been saved meanwhile.
      if (now === undefined || !isChanged(now)) {
        drafts.keep({ id, place, isNew: false, base, fields: base, lacksPassword: false, rules });
      }
    }
    return this.run(id, name && { kind: 'field', name });
  }

  /**
   * Returns `undefined` if nothing was sent. Closing the page keeps the draft.
   * @param start the row to select first
   */
  async run(id: string, start?: PageChoice): Promise<SentPage | undefined> {
    const { drafts } = this.deps;
    await drafts.restored();
    const begun = drafts.find(id);
    if (!(await saveHooks(id))) {
      return undefined;
    }
    let problem: PageProblem | undefined;
    let at = start;
    for (;;) {
      const shown = await this.show({ id, begun }, problem, at);
      if (shown === undefined) {
        return undefined;
      }
      const { draft, choice } = shown;
      at = choice;
      switch (choice.kind) {
        case 'field':
          await this.ask(draft, choice.name);
          break;
        case 'hook':
          await openHook(draft, choice.hook, this.deps);
          return undefined;
        case 'discard':
          // Discard first, because closing a tab of an unsent draft would prompt the user.
          drafts.discard(id);
          await this.close(id);
          return undefined;
        case 'problem':
          break;
        case 'apply':
        case 'applyAndDeploy': {
          const outcome = await this.send(draft, choice.kind === 'applyAndDeploy');
          if (outcome.sent !== undefined) {
            const { draft: sent, ...page } = outcome.sent;
            drafts.sent(sent, page.project.place);
            await this.close(id);
            return page;
          }
          ({ problem, at = choice } = outcome);
        }
      }
    }
  }

  /** Shows the page once. Returns `undefined` if it's closed, or if there's no draft anymore, which is said. */
  private async show(
    { id, begun }: { readonly id: string; readonly begun: ProjectDraft | undefined },
    problem: PageProblem | undefined,
    at: PageChoice | undefined,
  ) {
    const { drafts, containers } = this.deps;
    const draft = await drafts.refresh(id);
    if (draft === undefined) {
      if (begun !== undefined) {
        // Throws if its account was signed out, which discards its drafts, too.
        containers.account(begun.place.account);
      }
      void showInformationMessage(
        l10n.t(
          'This draft was already applied or discarded, maybe in another window. To see the current settings, use Project Settings.',
        ),
      );
      return undefined;
    }
    const title = titleOf(draft, this.deps);
    const choice = await showPage({ draft, problem, at, title, current: this.current.get(id) });
    return choice && { draft, choice };
  }

  /** Forgets what a draft started from, and closes the editors of its hooks. */
  private async close(id: string): Promise<void> {
    this.current.delete(id);
    await closeHooks(id);
  }

  private async ask({ id, fields, rules, isNew }: ProjectDraft, name: FieldName): Promise<void> {
    const { repositories, finder, environments } = this.deps;
    const suggestions = await suggestRepositories(repositories, finder.named({}), environments);
    const asking = { suggestions, rules, of: isNew ? 'new' : 'existing' } as const;
    const names = [name, ...(projectFields[name].next?.(asking.of) ?? [])];
    const entered = await askInTurn(fieldLabel(name), (soFar) =>
      names.flatMap((one) => questionsFor(one, fieldsFromAnswers(name, fields, soFar), asking)),
    );
    if (entered !== undefined) {
      const answered = names.reduce((soFar, one) => fieldsFromAnswers(one, soFar, entered), fields);
      // The others may have changed meanwhile, in the editor of a hook or in another window.
      const now = this.deps.drafts.find(id)?.fields ?? fields;
      this.deps.drafts.change(id, rebase(fields, answered, now));
      if (names.includes('password')) {
        this.deps.drafts.passwordEntered(id);
      }
    }
  }

  private async send(draft: ProjectDraft, deploysNow: boolean): Promise<Outcome> {
    const incomplete = await this.complete(draft);
    if (incomplete !== undefined) {
      return incomplete;
    }
    return (draft.isNew ? this.create(draft, deploysNow) : this.edit(draft)).catch((error: unknown) =>
      // Nothing was sent, so the page is shown again as it was.
      isCanceled(error) && !error.isOutcomeUnknown ? {} : { at: { kind: 'problem' }, problem: problemOf(error) },
    );
  }

  /** Asks for values that the platform would reject before sending anything. */
  private async complete(draft: ProjectDraft): Promise<Outcome | undefined> {
    const [problem] = problemsIn(draft.fields, draft.rules);
    const name = problem?.name ?? (draft.lacksPassword ? 'password' : undefined);
    if (name === undefined) {
      return undefined;
    }
    await this.ask(draft, name);
    return { at: { kind: 'field', name } };
  }

  /** Why not to send a draft: another window, or a hook's editor, has changed it since it was shown. */
  private async changedMeanwhile({ id, fields }: ProjectDraft): Promise<Outcome | undefined> {
    const now = await this.deps.drafts.refresh(id);
    return now !== undefined && isDeepStrictEqual(now.fields, fields)
      ? undefined
      : {
          problem: {
            kind: 'changed',
            sentence: l10n.t(
              'The draft was changed in another editor or window, so nothing was sent. Check it, then select Apply again.',
            ),
          },
        };
  }

  private async create(draft: ProjectDraft, deploysNow: boolean): Promise<Outcome> {
    const { place, fields } = draft;
    const agreed = await confirmCreation(draft, deploysNow, this.deps);
    if (agreed === undefined) {
      return {};
    }
    const changed = await this.changedMeanwhile(draft);
    if (changed !== undefined) {
      return changed;
    }
    const project = await withProgress(l10n.t('Creating {0}', fields.context), ({ signal }) =>
      this.deps.projectOperations.create(place, fields, { signal }),
    );
    return { sent: { kind: 'created', project, draft, deploys: deploysNow ? agreed : undefined } };
  }

  private async edit(draft: ProjectDraft): Promise<Outcome> {
    const change = await checkSettingsChange(draft, this.deps);
    if (change === undefined) {
      return {};
    }
    const changed = await this.changedMeanwhile(draft);
    if (changed !== undefined) {
      return changed;
    }
    const checked = { ...draft, base: change.base, fields: change.fields };
    this.deps.drafts.keep(checked);
    // While the question is open, another window may write the file, too.
    await this.deps.drafts.settled();
    const incomplete = await this.complete(checked);
    if (incomplete !== undefined) {
      return incomplete;
    }
    if (!isChanged(checked) || !(await confirmSettings(change, this.deps))) {
      return {};
    }
    const changedSince = await this.changedMeanwhile(checked);
    if (changedSince !== undefined) {
      return changedSince;
    }
    const project = await saveSettings(change, this.deps);
    // The settings take effect with a redeploy, which is offered afterward.
    return project === undefined ? {} : { sent: { kind: 'changed', project, draft: checked, deploys: undefined } };
  }
}

function titleOf({ isNew, place }: ProjectDraft, { environments }: DeploymentParts): string {
  return isNew
    ? l10n.t('New Project on {0}', environments.titleOf(place))
    : l10n.t('Settings of {0}', projectText(place, environments));
}

async function openHook(draft: ProjectDraft, hook: HookName, deps: DeploymentParts): Promise<void> {
  // In another encoding, which a person may have set for all files, it would have other characters, and couldn't be saved.
  const document = await workspace.openTextDocument(hookUri(draft.id, hook), { encoding: 'utf8' });
  await window.showTextDocument(document, { preview: false });
  if (!draft.isNew) {
    void tellWhereHookDiffers(draft, hook, deps);
  }
}

/** What was sent, or why nothing was, and the row that the person finds in front then. */
interface Outcome {
  readonly sent?: SentPage & { readonly draft: ProjectDraft };
  readonly problem?: PageProblem;
  readonly at?: PageChoice;
}

/** What the page says about why nothing was sent, or that it may not have been saved. Throws what isn't about that. */
function problemOf(error: unknown): PageProblem {
  if (error instanceof NothingSent) {
    return { kind: error.kind, sentence: error.onPage };
  }
  if (isPlatformError(error)) {
    return { kind: kindOf(error), sentence: failureMessage(error) };
  }
  throw error;
}

function kindOf({ operation, isOutcomeUnknown, result, status }: PlatformError): PageProblem['kind'] {
  if (operation !== 'CreateProject' && operation !== 'EditProject') {
    // It is compared with the current settings before it is sent.
    return 'notRead';
  }
  const isAnswered = result !== undefined || status !== undefined;
  return isOutcomeUnknown ? 'unknown' : isAnswered ? 'refused' : 'notSent';
}

/** Shows the changes for confirmation. Before the first one, also explains what isn't known. */
function confirmSettings(change: CheckedSettingsChange, { texts, environments }: DeploymentParts): Promise<boolean> {
  const { place, base, fields, warnings, resent, leftOut } = change;
  const project = projectText(place, environments);
  const hooks = editedHooks(base.hooks, fields.hooks);
  const compare = () =>
    compareScripts(
      l10n.t('Hook Script Changes: {0}', project),
      hooks.map((hook) => [base, fields].map(({ hooks: scripts }) => texts.add(`${hook}.sh`, scripts?.[hook] ?? ''))),
    );
  return confirmChange([place], environments, {
    question: l10n.t('Change the settings of {0}?', project),
    paragraphs: [changeLines(base, fields).join('\n'), [...resent, ...leftOut].join('\n'), ...warnings],
    button: l10n.t('Apply'),
    others: new Map([
      ...(hooks.length === 0 ? [] : [[l10n.t('Compare Scripts'), compare] as const]),
      ...showHooksButton(change, { texts }),
    ]),
  });
}

/** Saves the editors of a draft's hooks, which puts their text into the draft. If one can't be saved, says so. */
async function saveHooks(draft: string): Promise<boolean> {
  const edited = workspace.textDocuments.filter(
    (document) => document.isDirty && hookOf(document.uri)?.draft === draft,
  );
  const saved = await Promise.all(edited.map(async (document) => ((await document.save()) ? [] : [document])));
  const [unsaved] = saved.flat();
  if (unsaved !== undefined) {
    const name = unsaved.uri.path.slice(unsaved.uri.path.lastIndexOf('/') + 1);
    void showWarningMessage(l10n.t("{0} isn't saved, so nothing was done. Save the script, then try again.", name));
    await window.showTextDocument(unsaved);
  }
  return unsaved === undefined;
}

async function closeHooks(draft: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap(({ tabs: all }) => all);
  const ofDraft = tabs.filter(({ input }) => input instanceof TabInputText && hookOf(input.uri)?.draft === draft);
  await window.tabGroups.close(ofDraft);
}

import { commands, l10n, type Uri, window } from 'vscode';
import { isPlatformError } from '../platform/errors';
import { problemsIn } from '../projects/fieldProblems';
import { fieldLabel, fieldValue, hookLabel } from '../projects/fieldWords';
import { hookUri } from '../projects/hookDocuments';
import type { LocalRepositories } from '../projects/localRepositories';
import { isChanged, type ProjectDraft, type ProjectDrafts } from '../projects/projectDrafts';
import { differences, type FieldName, fieldsOf, hookNames, rebase } from '../projects/projectFields';
import type { Project, Projects } from '../projects/projects';
import type { ProjectWork } from '../projects/projectWork';
import type { SetHereStore } from '../projects/setHereStore';
import { askInTurn } from '../ui/prompts';
import { sentenceOf } from '../ui/sentences';
import { withProgress } from '../ui/progress';
import { offersOf } from './projectOffers';
import { type PageChoice, showPage } from './projectPage';
import { answered, questionsFor } from './projectQuestions';

export interface ProjectPageParts {
  readonly drafts: ProjectDrafts;
  readonly projects: Projects;
  readonly work: ProjectWork;
  readonly setHere: SetHereStore;
  readonly repositories: LocalRepositories;
}

/** The page of a draft, from row to row, until it is sent, discarded or closed. */
export class ProjectPages {
  constructor(private readonly parts: ProjectPageParts) {}

  /** Answers the project when the page was sent; a page that is closed keeps its draft. */
  async run(id: string): Promise<Project | undefined> {
    const { drafts } = this.parts;
    let refusal: string | undefined;
    let at: PageChoice | undefined;
    for (;;) {
      const draft = drafts.find(id);
      const choice = draft && (await showPage({ draft, refusal, at }));
      if (draft === undefined || choice === undefined) {
        return undefined;
      }
      at = choice;
      switch (choice.kind) {
        case 'field':
          await this.ask(draft, choice.name);
          break;
        case 'hook':
          await window.showTextDocument(hookUri(id, choice.hook), { preview: false });
          return undefined;
        case 'discard':
          drafts.discard(id);
          return undefined;
        case 'refused':
          break;
        case 'apply': {
          const outcome = await this.send(draft);
          if (outcome.kind === 'sent') {
            drafts.discard(id);
            return outcome.project;
          }
          refusal = outcome.kind === 'refused' ? outcome.sentence : undefined;
          at = outcome.kind === 'incomplete' ? { kind: 'field', name: outcome.name } : at;
        }
      }
    }
  }

  private async ask(draft: ProjectDraft, name: FieldName): Promise<void> {
    const offers = await offersOf(this.parts.repositories);
    const { fields, rules, id } = draft;
    const entered = await askInTurn(fieldLabel(name), (soFar) =>
      // A kind of value that follows from this one is asked for with it.
      [name, ...(name === 'autoupdate' ? (['interval'] as const) : [])].flatMap((one) =>
        questionsFor(one, answered(name, fields, soFar), soFar, { offers, rules }),
      ),
    );
    if (entered !== undefined) {
      const changed = answered(name, fields, entered);
      this.parts.drafts.change(id, name === 'autoupdate' ? answered('interval', changed, entered) : changed);
    }
  }

  private async send(draft: ProjectDraft): Promise<Sent> {
    const [problem] = problemsIn(draft.fields, draft.rules);
    if (problem !== undefined) {
      await this.ask(draft, problem.name);
      return { kind: 'incomplete', name: problem.name };
    }
    try {
      return draft.isNew ? await this.create(draft) : await this.edit(draft);
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      return { kind: 'refused', sentence: sentenceOf(error) };
    }
  }

  private async create({ place, fields }: ProjectDraft): Promise<Sent> {
    const create = () => this.parts.work.create(place, fields);
    return { kind: 'sent', project: await withProgress(l10n.t('Creating {0}…', fields.context), create) };
  }

  private async edit(draft: ProjectDraft): Promise<Sent> {
    const { projects, setHere, work, drafts } = this.parts;
    const { place } = draft;
    const known = await setHere.find(place);
    const { settings } = await projects.read(place);
    const now = fieldsOf(place.context, settings, await setHere.of(place));
    const { fields, theirs } = rebase(draft.base, draft.fields, now);
    if (theirs.length > 0 && !(await takeOver(draft, now, theirs))) {
      return { kind: 'stayed' };
    }
    const rebased = { ...draft, base: now, fields };
    drafts.keep(rebased);
    if (!isChanged(rebased) || !(await confirm(rebased, { isFirst: known === undefined }))) {
      return { kind: 'stayed' };
    }
    const edit = () => work.edit(place, now, fields);
    return { kind: 'sent', project: await withProgress(l10n.t('Changing {0}…', place.context), edit) };
  }
}

type Sent =
  | { readonly kind: 'sent'; readonly project: Project }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'incomplete'; readonly name: FieldName }
  | { readonly kind: 'stayed' };

/** Somebody else changed settings since the page was opened: the person sees what, and decides. */
async function takeOver(
  { base, fields }: ProjectDraft,
  now: ProjectDraft['fields'],
  theirs: readonly FieldName[],
): Promise<boolean> {
  const mine = differences(base, fields);
  const rows = theirs.map((name) => {
    const row = `${fieldLabel(name)}: ${fieldValue(name, base)} → ${fieldValue(name, now)}`;
    return mine.includes(name) ? l10n.t('{0} (you: {1})', row, fieldValue(name, fields)) : row;
  });
  const goOn = l10n.t('Go On');
  const text = l10n.t('Somebody else has changed this project since you opened its settings.');
  const explained = l10n.t('Where you changed the same, your values are sent; all else stays as it is now.');
  const detail = [...rows, '', explained].join('\n');
  return (await window.showWarningMessage(text, { modal: true, detail }, goOn)) === goOn;
}

/** Shows old → new. Before the first time it also says what cannot be known. */
async function confirm(
  { place, base, fields }: ProjectDraft,
  { isFirst }: { readonly isFirst: boolean },
): Promise<boolean> {
  const rows = differences(base, fields).flatMap((name) =>
    name === 'hooks'
      ? hookNames
          .filter((hook) => base.hooks?.[hook] !== fields.hooks?.[hook])
          .map((hook) => l10n.t('{0}: another script', hookLabel(hook)))
      : [`${fieldLabel(name)}: ${fieldValue(name, base)} → ${fieldValue(name, fields)}`],
  );
  const warning = l10n.t(
    'Hooks, the SSH key and the delay are never shown by the platform. What was set of them elsewhere may be lost by this; what is set from here is sent again.',
  );
  const apply = l10n.t('Apply');
  const text = l10n.t('Change the settings of {0} on {1}?', place.context, place.environment);
  const detail = [...rows, ...(isFirst ? ['', warning] : [])].join('\n');
  return (await window.showWarningMessage(text, { modal: true, detail }, apply)) === apply;
}

/** Closes the editor of a hook when its page is gone on with. */
export async function leaveHook(uri: Uri): Promise<void> {
  const isOpen = window.activeTextEditor?.document.uri.toString() === uri.toString();
  if (isOpen && window.activeTextEditor?.document.isDirty === true) {
    await window.activeTextEditor.document.save();
  }
  if (isOpen) {
    await commands.executeCommand('workbench.action.closeActiveEditor');
  }
}

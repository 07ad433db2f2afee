import { commands, env, l10n, window, workspace } from 'vscode';
import { accountCommand } from '../../ui/commands/accountPrompt';
import type { Account, Accounts } from '../../accounts/accounts';
import type { CheckResult, CompatibilityStore, LeftFolders } from '../../compatibility/compatibilityStore';
import { mayChange } from '../../containers/environmentIndex';
import { type Container, containersIn, startIn } from '../../containers/environmentPart';
import { listParts, partAt, partChoices } from '../../ui/commands/environmentPartPrompts';
import { type ContainerNames, locationText } from '../../containers/locationText';
import { pathQuestion } from '../../ui/commands/pathPrompt';
import { type FilePlace, nameOf, parentOrSelf, placeOnLayer } from '../../containers/place';
import { confirmChange, confirmInProduction } from '../../ui/commands/protectedPrompt';
import type { CommandId } from '../../manifest';
import { isCanceled } from '../../platform/errors';
import type { Services } from '../../services';
import { modalLines, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { askChoice } from '../../ui/quickPick';
import { showStatusMessage } from '../../ui/statusBar';
import { checkByReading } from './checkByReading';
import { checkByWriting, type WrittenCheck } from './checkByWriting';
import { redactedReport, reportText } from './report';
import { isRemoved, isScratchName, isThere, scratchName } from './scratchFolder';

/** The check of what a platform can do. */
export function createCompatibility(services: Services) {
  const { accounts } = services;
  return {
    commands: compatibilityCommands(services),
    warnAboutUnreadableChecks: () => warnAboutUnreadableChecks(services),
    mentionLeftFolders: async () => {
      await accounts.untilRead();
      await Promise.all(accounts.list.map((account) => mentionLeftFolders(services, account)));
    },
  };
}

function compatibilityCommands(services: Services) {
  const { accounts, compatibility, version } = services;
  return {
    'gantry.platform.checkCompatibility': accountCommand(
      accounts,
      l10n.t('Select an account to check its platform'),
      (account) => checkCompatibility(services, account),
    ),
    'gantry.platform.copyReport': accountCommand(
      accounts,
      l10n.t('Select an account to copy its report'),
      async ({ slug }) => {
        await compatibility.loaded;
        const check = compatibility.of(slug);
        if (check === undefined) {
          await offerCheck(slug);
          return;
        }
        await env.clipboard.writeText(redactedReport(check, version));
        showStatusMessage('check', l10n.t('Report copied'), 3000);
      },
    ),
  };
}

async function offerCheck(slug: string): Promise<void> {
  const check = l10n.t('Check Compatibility…');
  if ((await showInformationMessage(l10n.t("This platform hasn't been checked yet."), check)) === check) {
    const command: CommandId = 'gantry.platform.checkCompatibility';
    await commands.executeCommand(command, slug);
  }
}

/** Checks by reading. Writes only after the user has selected a folder and agreed. */
async function checkCompatibility(services: Services, account: Account): Promise<void> {
  const container = await askNode(services, account);
  if (container === undefined) {
    return;
  }
  // What the platform didn't offer before, it may offer now.
  services.accounts.forgetRights();
  await mentionLeftFolders(services, account);
  const node = startIn(container);
  const nodes = mayChange(container.layer)
    ? [node, ...container.layer.nodes.filter(({ id }) => id !== node.target.nodeId).map(nodePlaceIn(container))]
    : [node];
  const title = l10n.t('Checking the platform of {0}', account.label);
  const result = await withProgress(title, ({ signal }) => checkByReading({ account, signal }, node));
  // Throws if it was signed out meanwhile, because requests that failed say nothing of the platform.
  services.containers.account(account.slug);
  const save = async (found: CheckResult) =>
    services.accounts.isForgotten(account.slug) ? found : services.compatibility.save(account.slug, found);
  const saved = await save(result);
  const written = await writePart(services, account, { node, nodes, before: result });
  const check = written === undefined ? saved : await save(written.result);
  await showReport(services, account, check);
  warnAboutLeftFolders(written?.left ?? [], services.environments);
  const error = written?.error;
  // That the check was canceled isn't reported.
  if (error instanceof Error && !isCanceled(error) && !(error instanceof DOMException)) {
    throw error;
  }
}

async function askNode({ accounts, environments }: Services, account: Account) {
  const only = { list: [account], find: (slug: string) => accounts.find(slug) };
  const nodes = await listParts({ accounts: only, environments }, (environment) =>
    containersIn(environment).filter(({ node }) => node !== undefined),
  );
  const placeHolder = l10n.t('Select a node to check. Gantry only reads at first.');
  return partAt(nodes, await askChoice<string>(partChoices(nodes), { placeHolder }));
}

function nodePlaceIn({ environment, layer }: Container) {
  return ({ id }: { readonly id: number }): FilePlace => placeOnLayer(environment, layer.id, id);
}

interface WritePart {
  readonly node: FilePlace;
  readonly nodes: readonly FilePlace[];
  readonly before: CheckResult;
}

/** Returns undefined if nothing was written. */
async function writePart(
  services: Services,
  account: Account,
  { node, nodes, before }: WritePart,
): Promise<WrittenCheck | undefined> {
  const wanted = await askChoice<'write' | 'report'>(
    [
      {
        value: 'write',
        label: l10n.t('Run Write Check…'),
        icon: 'edit',
        detail: l10n.t('In a new folder that Gantry removes afterward. You choose where.'),
      },
      {
        value: 'report',
        label: l10n.t('Show Report'),
        icon: 'output',
        detail: l10n.t('Nothing has been changed so far.'),
      },
    ],
    { placeHolder: l10n.t('Some behavior shows only when Gantry writes') },
  );
  if (wanted !== 'write') {
    return undefined;
  }
  const title = l10n.t('Check Platform Compatibility');
  const prompt = l10n.t('Folder in which to create the scratch folder');
  const { listings, compatibility, presence } = services;
  const answers = await askInTurn(title, [
    pathQuestion({ key: 'folder', prompt, start: node, listings, wanted: 'folder' }),
  ]);
  const folder = answers?.['folder'];
  if (folder === undefined || !(await confirmWriting(services, nodes, folder))) {
    return undefined;
  }
  const parents = nodes.map((place) => ({ ...place, path: folder }));
  const progress = l10n.t('Running write check on {0}', account.label);
  const name = scratchName();
  const record = compatibility.scratchRecord(account.slug, name, presence);
  return withProgress(progress, ({ signal }) =>
    checkByWriting({ account, signal, parents, record }, before, name),
  ).finally(() => {
    for (const parent of parents) {
      listings.forget(parent);
    }
  });
}

function confirmWriting({ environments }: Services, nodes: readonly FilePlace[], folder: string) {
  const [first] = nodes;
  const environment = first === undefined ? '' : environments.titleOf(first);
  return confirmChange(nodes, environments, {
    question: l10n.t('Write test files to {0} on {1}?', folder, environment),
    paragraphs: [
      l10n.t(
        'Gantry creates a new folder there, and about 20 files of up to 200 KB in it. It writes, renames, copies, and deletes only these, then removes the folder.',
      ),
      l10n.t('On these nodes:'),
      modalLines(nodes.map((node) => locationText(node, environments))),
    ],
    button: l10n.t('Write Test Files'),
  });
}

async function showReport({ texts, version }: Services, { label, host }: Account, check: CheckResult): Promise<void> {
  const name = l10n.t('Platform Compatibility');
  const uri = texts.add(`${name}.md`, reportText(check, `${label}, ${host}`, l10n));
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: false });
  const copy = l10n.t('Copy Redacted Report');
  const text = l10n.t('The check is done. The redacted report has no names, addresses, or file contents.');
  // The report is already shown, so nothing waits for this.
  void Promise.resolve(showInformationMessage(text, copy)).then(async (chosen) => {
    if (chosen === copy) {
      await env.clipboard.writeText(redactedReport(check, version));
    }
  });
}

/** Warns once per window that a stored check can't be read, so that changes it found unsafe are possible again. */
export async function warnAboutUnreadableChecks({
  accounts,
  compatibility,
}: {
  readonly accounts: {
    readonly list: readonly Pick<Account, 'slug' | 'label'>[];
    untilRead: Accounts['untilRead'];
  };
  readonly compatibility: Pick<CompatibilityStore, 'loaded' | 'isUnreadable'>;
}): Promise<void> {
  await Promise.all([accounts.untilRead(), compatibility.loaded]);
  const unread = accounts.list.filter(({ slug }) => compatibility.isUnreadable(slug));
  const [first, ...others] = unread;
  if (first === undefined) {
    return;
  }
  const text = l10n.t(
    "Couldn't read the last compatibility check of {0}, so Gantry allows all changes there. Check again to make sure they're safe.",
    unread.map(({ label }) => label).join(', '),
  );
  const [check, copy] = [l10n.t('Check Compatibility…'), l10n.t('Copy Diagnostics')];
  const chosen = await showWarningMessage(text, check, copy);
  const run = (command: CommandId, ...args: readonly string[]) => commands.executeCommand(command, ...args);
  if (chosen === check) {
    await run('gantry.platform.checkCompatibility', ...(others.length === 0 ? [first.slug] : []));
  } else if (chosen === copy) {
    await run('gantry.diagnostics.copy');
  }
}

/** Mentions the scratch folders that checks of an account left because their windows closed, and offers to delete them. */
async function mentionLeftFolders(services: Services, account: Account): Promise<void> {
  const found = await findLeftFolders(services, account);
  if (found.length > 0) {
    // The message may stay for hours.
    void offerRemoval(found, services, account).catch(services.report);
  }
}

async function offerRemoval(found: readonly LeftFolders[], services: Services, account: Account): Promise<void> {
  const { environments, listings, compatibility } = services;
  const folders = found.flatMap((one) => one.folders);
  const text = l10n.t("A compatibility check didn't remove its scratch folder {0}.", placesText(folders, environments));
  const [remove, keep] = [l10n.t('Delete'), l10n.t('Keep')];
  const chosen = await showWarningMessage(text, remove, keep);
  if (chosen === keep) {
    await Promise.all(found.map(({ key }) => compatibility.setLeft(key, [])));
  }
  const question = { question: text, paragraphs: [], button: remove };
  if (chosen !== remove || !(await confirmInProduction(folders, environments, question))) {
    return;
  }
  // Meanwhile, another window may have removed them.
  for (const { key, folders: left } of await findLeftFolders(services, account)) {
    const remaining: FilePlace[] = [];
    for (const folder of left) {
      remaining.push(...((await isRemoved({ account }, folder)) ? [] : [folder]));
      listings.forget(parentOrSelf(folder));
    }
    await compatibility.setLeft(key, remaining);
    warnAboutLeftFolders(remaining, environments);
  }
}

/** Returns the folders that still exist. Whatever is recorded, these are only scratch folders of this account. */
async function findLeftFolders(
  { compatibility, presence }: Services,
  account: Account,
): Promise<readonly LeftFolders[]> {
  const found: LeftFolders[] = [];
  const records = account.isSignedOut ? [] : await compatibility.leftFolders(account.slug, presence);
  for (const { key, folders } of records) {
    const states = await Promise.all(
      folders.map(async (folder) => ({
        folder,
        isThere: isOurs(folder, account) && (await isThere({ account }, folder, { unattended: true })),
      })),
    );
    const withState = (state: boolean | undefined) =>
      states.filter((one) => one.isThere === state).map(({ folder }) => folder);
    const [existing, unknown] = [withState(true), withState(undefined)];
    if (existing.length > 0) {
      found.push({ key, folders: existing });
    } else if (unknown.length === 0) {
      await compatibility.setLeft(key, []);
    }
  }
  return found;
}

function isOurs(place: FilePlace, { slug }: Account): boolean {
  const { account, target } = place;
  return account === slug && target.nodeId !== undefined && isScratchName(nameOf(place));
}

function warnAboutLeftFolders(left: readonly FilePlace[], environments: ContainerNames): void {
  if (left.length > 0) {
    void showWarningMessage(
      l10n.t(
        "Couldn't remove the scratch folder {0}. Delete it in the Environments view.",
        placesText(left, environments),
      ),
    );
  }
}

function placesText(folders: readonly FilePlace[], environments: ContainerNames): string {
  return folders.map((folder) => `${folder.path} (${locationText(folder, environments)})`).join(', ');
}

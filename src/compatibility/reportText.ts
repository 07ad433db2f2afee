import { l10n } from 'vscode';
import type { CheckResult } from './checkSchema';
import { type FactName, factNames, type Facts, levelOf } from './facts';

function label(name: FactName): string {
  const labels: Readonly<Record<FactName, string>> = {
    transport: l10n.t('How requests are sent'),
    spelling: l10n.t('Parameter names'),
    urlLength: l10n.t('URL length'),
    environmentList: l10n.t('List of environments'),
    uploader: l10n.t('Uploads of binary files'),
    fileTimes: l10n.t('Modification times'),
    accountTimes: l10n.t('Token and session times'),
    listingKeys: l10n.t('Groups in folder listings'),
    listingSelf: l10n.t('The folder itself in its listing'),
    permissionForm: l10n.t('File permissions'),
    filter: l10n.t('Listing filters'),
    lengths: l10n.t('File sizes'),
    missingPath: l10n.t("Paths that don't exist"),
    tokenLists: l10n.t('List of tokens'),
    methodLists: l10n.t('List of methods'),
    privateMethods: l10n.t('Private methods'),
    enums: l10n.t('Fixed values in responses'),
    clock: l10n.t("The platform's clock"),
    overwriting: l10n.t('Overwriting a file'),
    appendMode: l10n.t('Writing in append mode'),
    append: l10n.t('Appending to a file'),
    readTexts: l10n.t('Reading text'),
    writeLineEnds: l10n.t('Writing CRLF line endings'),
    writeMark: l10n.t('Writing a byte-order mark'),
    writeNonAscii: l10n.t('Writing non-ASCII characters'),
    writeLong: l10n.t('Writing long text'),
    createOnto: l10n.t('Creating a file that exists'),
    renameOnto: l10n.t('Renaming onto a file that exists'),
    copyOnto: l10n.t('Copying onto a file that exists'),
    renameAcrossFolders: l10n.t('Moving to another folder'),
    deleting: l10n.t('Deleting'),
    masterOnly: l10n.t('Changes on all nodes of a layer'),
    oneNode: l10n.t('Changes on one node'),
    nodeFailures: l10n.t('Errors on one of several nodes'),
    fileClock: l10n.t("The node's clock"),
  };
  return labels[name];
}

/** Explains an unexpected fact, and how Gantry behaves because of it. */
function consequence(name: FactName, word: string): string {
  const textsChange = l10n.t(
    'The platform changes some text when it returns it. Files that it would change open read-only or not at all.',
  );
  const written = l10n.t('The platform changes this kind of text when it stores it. Gantry refuses to save it.');
  const replaces = l10n.t(
    'The platform replaces the existing file without a warning. Gantry looks first, and refuses if the file exists.',
  );
  const texts: Readonly<Partial<Record<FactName, string>>> = {
    transport: l10n.t(
      'The platform accepts parameters only in URLs, which servers can log. Long text is sent in several requests.',
    ),
    urlLength: l10n.t("The platform's URL length limit is lower than documented. Requests with long paths can fail."),
    environmentList: l10n.t("The platform doesn't list environments. Add them by name."),
    uploader: l10n.t('The platform has no upload service. Gantry can only upload UTF-8 text.'),
    fileTimes:
      word === 'minutes'
        ? l10n.t("They don't include seconds. Gantry also compares the content before each save.")
        : l10n.t("Gantry can't interpret them. It only checks whether they changed."),
    accountTimes: l10n.t("Gantry can't read them and shows none."),
    permissionForm: l10n.t("Gantry can't read them and shows none."),
    filter: l10n.t('The platform ignores filters, so large folders are listed completely.'),
    lengths: l10n.t(
      "They don't always match the content. Gantry opens a file for editing only if its size confirms that it read the whole file.",
    ),
    missingPath: l10n.t("The platform reports them in an unknown way, so Gantry can't tell them from other errors."),
    tokenLists: l10n.t("Gantry can't read it, so the Access view doesn't show tokens."),
    methodLists: l10n.t("Gantry can't read it, so you can select only templates for a token, not individual methods."),
    clock: l10n.t("It differs from this computer's by more than five minutes, so expiration dates can be off."),
    fileClock: l10n.t("It differs from this computer's by more than five minutes, so modification times can be off."),
    readTexts: textsChange,
    renameAcrossFolders: l10n.t('The platform refuses it. Gantry copies, compares, and then deletes the original.'),
    overwriting: l10n.t("The platform doesn't replace the file's content. Gantry refuses to save."),
    append: l10n.t("The platform doesn't add the text at the end. Gantry refuses to append."),
    writeLineEnds: written,
    writeMark: written,
    writeNonAscii: written,
    writeLong: written,
    createOnto: l10n.t("The platform doesn't report that the file exists. Gantry looks before it creates one."),
    renameOnto: replaces,
    copyOnto: replaces,
    deleting: l10n.t('The platform reports success and deletes nothing. Gantry refuses to delete.'),
    masterOnly: l10n.t("They don't reach every node. Gantry refuses them. Change the nodes one by one."),
    oneNode: oneNodeText(word),
  };
  return texts[name] ?? '';
}

function oneNodeText(word: string): string {
  switch (word) {
    case 'ignored':
      return l10n.t(
        'The platform ignores which node a request names. Gantry refuses changes in layers with several nodes, and comparisons of their nodes. What it shows for one of these nodes may be from another.',
      );
    case 'sameFolder':
      return l10n.t(
        "A folder created on one node also appeared on another. Either the nodes share it, or changes on one node don't stay there. To find out, check again in a folder that the nodes don't share, such as /tmp.",
      );
    default:
      return l10n.t('They also change other nodes. Gantry refuses all changes on this platform.');
  }
}

/** A report for the user: what works, what is limited, and what is switched off because it isn't safe. */
export function reportText(check: CheckResult, account: string): string {
  const { facts } = check;
  const withLevel = (level: Level) => factNames.filter((name) => levelIn(facts, name) === level);
  const explained = (names: readonly FactName[]) =>
    names.map((name) => `- ${label(name)}: ${consequence(name, facts[name] ?? '')}`);
  const missing = factNames.filter((name) => facts[name] === undefined);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  return [
    `# ${l10n.t('Platform Compatibility: {0}', account)}`,
    '',
    check.hasWritten
      ? l10n.t('Gantry read from the platform, and wrote to a scratch folder that it created for this.')
      : l10n.t('Gantry only read from the platform and changed nothing.'),
    ...(check.isIncomplete ? [l10n.t('The write check ended early.')] : []),
    '',
    ...section(l10n.t('Unsafe and turned off'), explained(withLevel('unsafe'))),
    ...section(l10n.t('Limited'), explained(withLevel('limited'))),
    ...section(
      l10n.t('Works'),
      withLevel('works').map((name) => `- ${label(name)}`),
    ),
    ...section(
      l10n.t("Couldn't be checked"),
      missing.map((name) => `- ${label(name)}`),
    ),
  ].join('\n');
}

type Level = ReturnType<typeof levelOf>;

function levelIn(facts: Facts, name: FactName): Level | undefined {
  const word = facts[name];
  return word === undefined ? undefined : levelOf(name, word);
}

/** Why a change is refused, for its error message. */
export function dangerText(name: FactName, word: string): string {
  return l10n.t('{0}: {1}', label(name), consequence(name, word));
}

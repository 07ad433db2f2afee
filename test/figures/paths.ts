import type { ImportGraph } from './structure';

/**
 * How to count the files that one needs to read to follow what a click does. Names are those of files, so that folders may
 * move, with as much of the folder as it takes to name one.
 */
export interface PathRule {
  /** Where the click begins: their imports are followed, type imports, too, because injected parts are known by type. */
  readonly entries: readonly string[];
  /** Imports are followed only into these folders. */
  readonly into: RegExp;
  /** On the path, but their own imports aren't followed: they import everything. */
  readonly carriers: readonly string[];
  /** Imported, but not read to follow the click: pure helpers, texts, and what acts in other cases or only listens. */
  readonly leftOut: readonly string[];
}

/**
 * A file that is new counts, unless it's added here with a reason that `leftOut` allows. Every path ends where it leaves its
 * subject: no path goes beyond the client's call, because what a request passes through is the same for each operation, nor
 * into promises that are shared or queued by key.
 */
export const pathRules = {
  save: {
    // VS Code's call arrives in lazy.ts. The features are registered when Gantry starts, and the file system isn't one of them.
    entries: ['containerFileSystem', 'saves', 'saveFile'],
    into: /^src\/(features\/saving|files\/(provider|saving|watching|journal)|containers|accounts|storage|platform\/client\.ts)/,
    carriers: ['src/lazy', 'files/text', 'services/files', 'compatibility/dangers', 'connections'],
    leftOut: [
      // Reading, moving, and deleting.
      'statAndList',
      'moves',
      'deleteAndMove',
      'readFile',
      'readOnlyFiles',
      'previousContent',
      'largeFiles',
      'listedFolders',
      // Cases other than a text that is open and wasn't changed by others.
      'baseVersionBackups',
      'textSnapshots',
      'saveDecisions',
      'saveProblems',
      'outcomeTexts',
      // The account signs in earlier.
      'accounts/accounts',
      'accountStore',
      'storedAccount',
      'signInCoordinator',
      'environmentMemory',
      'storageKeys',
      // Listeners: what the platform lists also passes through the watcher, which changes none of it.
      'watchFolders',
      'saveNotice',
      'savedConfigurations',
      // Pure helpers, and tables.
      'place',
      'uris',
      'locationText',
      'environment',
      'fileSystemErrors',
    ],
  },
  redeploy: {
    // The rule for a Git project with an open clone and a question: files that ask, decide, change, or carry what one click
    // needs, and the readers whose answer decides.
    // The command gets the flow as one of the parts, whose types aren't followed.
    entries: ['projectCommands', 'redeploy/redeploy'],
    into: /^src\/features\/deployments\//,
    carriers: [],
    leftOut: [
      // Listeners, and other commands.
      'deployedStates',
      'deployedState',
      'stateTexts',
      'deployLogDocuments',
      'deployedVersions',
      'deploymentRows',
      'deploymentsView',
      'rollBackFlow',
      'rollBackPrompt',
      'rollBackPlan',
      'rollBackBranch',
      'projectOperations',
      'projectDrafts',
      'projectFields',
      'writeOnlySettings',
      'hooks',
      'settingsPageFlow',
      'fieldChanges',
      'fieldChecks',
      'technology',
      // Only with edits on nodes, or after a lost response.
      'nodeEditLog',
      'nodeEdit',
      'editFates',
      'takeEdit',
      'watchLostUpdate',
      // Pure helpers.
      'projectPlace',
      'projectText',
      'projectFinder',
      'results',
      'repositoryUrl',
      'gitFiles',
      'deployLog',
      'commits',
      'pinEvidence',
      'gitExtension',
      // Texts.
      'redeployResultText',
      // Only types.
      'parts',
    ],
  },
  signIn: {
    entries: ['signIn/signIn'],
    into: /^src\/(features\/signIn|accounts|storage|ui|platform\/(address|client)\.ts)/,
    carriers: ['ui/commands/command', 'src/gantry', 'src/features'],
    leftOut: [
      // Other commands on accounts.
      'accountPrompt',
      'signedInCommands',
      'unlocking',
      // It only listens.
      'accountNotices',
      // Texts, and pure helpers.
      'failureMessages',
      'notifications',
      'relativeTime',
      'expectedError',
      'operationLabels',
      'escapeMarkup',
      'recentErrors',
      'storageKeys',
      'plainText',
    ],
  },
} as const satisfies Readonly<Record<string, PathRule>>;

/** Returns the files on the path. Throws if a name of the rule isn't that of one file: then something else is counted. */
export function filesOnPath(graph: ImportGraph, { entries, into, carriers, leftOut }: PathRule): readonly string[] {
  const found = (names: readonly string[]) => names.map((name) => fileNamed(name, graph.files));
  const [starts, carrying, unread] = [found(entries), found(carriers), found(leftOut)];
  const onPath = new Set(carrying);
  const follow = (path: string): void => {
    if (onPath.has(path) || !into.test(path) || unread.includes(path)) return;
    onPath.add(path);
    for (const { from, to } of graph.imports) if (from === path) follow(to);
  };
  for (const path of starts) follow(path);
  return [...onPath].sort();
}

function fileNamed(name: string, files: readonly string[]): string {
  const [path, ...others] = files.filter((one) => `/${one}`.endsWith(`/${name}.ts`));
  if (path === undefined || others.length > 0) {
    const found = path === undefined ? 'no file' : [path, ...others].join(', ');
    throw new Error(`test/figures/paths.ts must name exactly one file each. It names ${name}, which is ${found}.`);
  }
  return path;
}

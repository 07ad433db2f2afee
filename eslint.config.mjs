import { importX, createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// The house, top to bottom. A folder may import from itself, from the folders it names here, and from the leaves.
const below = {
  features: ['trees', 'ui/commands', 'containers', 'accounts', 'platform'],
  files: ['ui/commands', 'containers', 'accounts', 'storage', 'platform'],
};
// What a feature that registers itself gets: the type that it registers with, and the types of services.
const registering = ['gantry.ts', 'lazy.ts', 'services.ts', 'featureApis.ts'];
const rooms = {
  'features.ts': [...registering, 'features'],
  'gantry.ts': ['featureApis.ts', 'services.ts', 'lazy.ts', 'ui/commands'],
  services: [
    'services.ts',
    'gantry.ts',
    'lazy.ts',
    'compatibility',
    'trees',
    'files',
    'ui/commands',
    'containers',
    'accounts',
    'storage',
    'platform',
  ],
  'services.ts': [
    'featureApis.ts',
    'lazy.ts',
    'trees',
    'compatibility',
    'files',
    'containers',
    'accounts',
    'storage',
    'platform',
  ],
  'featureApis.ts': ['trees', 'compatibility', 'files', 'ui/commands', 'containers', 'accounts', 'platform'],
  'lazy.ts': ['containers', 'platform'],
  'manifest.ts': ['commands.ts'],
  'commands.ts': [],
  'features/deployments': [...registering, 'files', 'storage', ...below.features],
  'features/tree': [...registering, 'files', ...below.features],
  'features/search': [...registering, 'files', 'storage', ...below.features],
  'features/favorites': [...registering, 'files', ...below.features],
  'features/mounts': [...registering, 'files', ...below.features],
  'features/access': [...registering, ...below.features],
  'features/signIn': [...registering, 'ui/commands', 'accounts', 'platform'],
  'features/logs': [...registering, 'files', ...below.features],
  'features/versions': [...registering, 'files', 'storage', ...below.features],
  'features/terminal': [...registering, 'storage', ...below.features],
  'features/variables': [...registering, 'files', ...below.features],
  'features/restart': [...registering, 'files', ...below.features],
  'features/tasks': [...registering, 'storage'],
  'features/agents': [...registering, 'files', 'storage', ...below.features],
  'features/compatibility': [...registering, 'compatibility', ...below.features],
  'features/diagnostics': [...registering, 'files/gitExtension.ts', 'ui/commands', 'platform'],
  compatibility: ['storage', 'containers', 'accounts', 'platform'],
  trees: ['files/tabs.ts', 'ui/commands', 'containers', 'accounts', 'platform'],
  files: below.files,
  containers: ['accounts', 'storage', 'platform'],
  accounts: ['storage', 'platform'],
  storage: [],
  // The words for a person: they know what the platform says, and nothing else of ours.
  'ui/*.ts': ['platform'],
  // What a command was called on, and what is asked, shown, and said around its work.
  'ui/commands': ['lazy.ts', 'containers', 'accounts', 'platform'],
  platform: [],
  // Promises shared and queued by key.
  async: [],
};
const leaves = ['ui', 'async', 'manifest.ts', 'commands.ts'];

const arrows = Object.entries(rooms).flatMap(([room, named]) => {
  const imported = [...named, ...(room === 'platform' ? [] : leaves)];
  const zone = {
    target: `./src/${room}`,
    message: `src/${room} may import ${imported.join(', ') || 'nothing of ours'}.`,
  };
  const except = [...new Set([room, ...imported])].map((name) => `./${name}`);
  // Inside a leaf, but not one itself.
  const knowsCommands = [room, ...named].includes('ui/commands');
  return [{ ...zone, from: './src', except }, ...(knowsCommands ? [] : [{ ...zone, from: './src/ui/commands' }])];
});

const once = (callee, home) => ({
  selector: `CallExpression[callee.property.name='${callee}']`,
  message: `${callee} is called in ${home} alone.`,
});
const setContext = {
  selector: "CallExpression[callee.property.name='executeCommand'][arguments.0.value='setContext']",
  message: 'setContext is called in src/ui/contextKeys.ts alone.',
};
const showMessage = {
  selector:
    ":matches(MemberExpression[property.name=/^show(Information|Warning|Error)Message$/], VariableDeclarator[init.name='window'] > ObjectPattern)",
  message: 'What is told goes through src/ui/notifications.ts, where no name of others makes a link.',
};
const createTerminal = {
  selector:
    ':matches(CallExpression[callee.property.name=/^(createTerminal|sendText)$/], NewExpression[callee.name=/^(Shell|Process)Execution$/])',
  message: 'The product starts no programs, except ssh in src/features/terminal/terminal.ts.',
};
// Terminals get a list of arguments. A line would be parsed by a shell.
const sendText = {
  selector: "CallExpression[callee.property.name='sendText']",
  message: 'Nothing is typed into a terminal.',
};
const importProgram = {
  selector: 'ImportExpression[source.value=/^(node:)?child_process$/]',
  message: 'The product starts no programs.',
};
const registerCommand = once('registerCommand', 'src/ui/commands/command.ts');
const stringDecision = {
  selector:
    "CallExpression[callee.property.name=/^(includes|match|startsWith)$/][callee.object.property.name='message']",
  message: 'Errors are told apart by kind or code, never by their text.',
};
const ownSentence = {
  selector: "NewExpression[callee.name='Error'] CallExpression[callee.object.name='l10n']",
  message: 'A sentence for the user is an ExpectedError. Other errors offer the diagnostics.',
};
const doubleCast = {
  selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
  message: 'Parse it; do not cast through unknown.',
};
const rawMemory = {
  selector:
    ":matches(MemberExpression[property.name='globalState']:not(NewExpression[callee.name='LastingMemory'] > MemberExpression), ObjectPattern > Property[key.name='globalState'])",
  message: 'VS Code loses changes of the state that all windows share. Use it through LastingMemory.',
};
// `{ ...{ a, b }, c }` says nothing that `{ a, b, c }` doesn't.
const spreadLiteral = {
  selector:
    ':matches(ObjectExpression > SpreadElement > ObjectExpression.argument, SpreadElement > ArrayExpression.argument)',
  message: 'Write the properties or elements themselves.',
};
/** The runner learns a limit when the test or hook starts, and gives up on a silence that is longer. */
const timeoutInside = {
  selector:
    "CallExpression[callee.name=/^(it|before|beforeEach|after|afterEach)$/] MemberExpression[object.type='ThisExpression'][property.name='timeout']",
  message: 'Set the limit outside: it(…).timeout(…), or this.timeout(…) in describe.',
};

/** Zero is no limit at all, for what must never end. */
const timeoutUnscaled = {
  selector:
    "CallExpression[callee.property.name=/^(timeout|setDefaultTimeout)$/][callee.object.name!='AbortSignal'] > :matches(Literal:not([raw='0']), BinaryExpression).arguments",
  message: 'A slow machine needs more time: timeout(limit(…)).',
};

// VS Code opens links and commands in texts below inputs, in messages and in progress, and shows `$(name)` as an icon.
const showQuestion = {
  selector: 'MemberExpression[property.name=/^(show|create)(QuickPick|InputBox)$/]',
  message: 'Questions go through src/ui/quickPick.ts and prompts.ts, which show texts of others exactly.',
};
const inputText = {
  selector: [
    "AssignmentExpression[left.property.name=/^(prompt|validationMessage)$/]:not([right.callee.name='escapeMarkup'])",
    "CallExpression[callee.object.name='Object'][callee.property.name='assign'] > ObjectExpression > Property[key.name=/^(prompt|validationMessage)$/]",
  ].join(),
  message: 'Below an input, links open. Use escapeMarkup.',
};
const showProgress = {
  selector: "MemberExpression[property.name='withProgress']",
  message: 'Progress goes through src/ui/progress.ts, where no name of others makes a link.',
};
const showStatus = {
  selector: "MemberExpression[property.name='setStatusBarMessage']",
  message: 'Messages in the status bar go through src/ui/statusBar.ts, where no name of others makes an icon.',
};
const ownIcon = {
  selector: ':matches(Literal[value=/\\$\\([a-z]/], TemplateElement[value.raw=/\\$\\(([a-z]|$)/])',
  message: "An icon is a row's `icon`, or made by withIcon, which shows the text after it exactly.",
};
const ownMarkdown = {
  selector:
    "CallExpression[callee.property.name='appendMarkdown'] > :not(Literal).arguments, NewExpression[callee.name='MarkdownString'] > :not(Identifier[name='undefined']).arguments:first-child",
  message: 'Texts in Markdown go through appendPlain or plainMarkdown.',
};
// A name that isn't written out can't be checked.
const anyFunction = {
  selector: "MemberExpression[computed=true][object.name='window']",
  message: 'Call functions of window by name.',
};

// What may have versions is deleted by one function, which returns what is to be announced.
const deleteUnannounced = {
  selector:
    "CallExpression[callee.property.name=/^(delete|rename)$/]:matches([callee.object.name='containers'], [callee.object.property.name='containers'])",
  message:
    'Delete with fileSystem.deleteInTurn, and rename through VS Code, so that the versions of the file are found.',
};

const restrictedSyntax = [
  deleteUnannounced,
  registerCommand,
  setContext,
  showMessage,
  showQuestion,
  inputText,
  showProgress,
  showStatus,
  ownIcon,
  ownMarkdown,
  anyFunction,
  createTerminal,
  importProgram,
  stringDecision,
  doubleCast,
  ownSentence,
  rawMemory,
  spreadLiteral,
];
const restrictedExcept = (...allowed) => ['error', ...restrictedSyntax.filter((rule) => !allowed.includes(rule))];

// What asks, shows a list or progress, or says something. These folders return a result, throw, or fire an event instead.
const silent = ['platform', 'async', 'storage', 'compatibility', 'containers', 'files/provider'];
const talking = ['prompts', 'quickPick', 'notifications', 'progress', 'statusBar', 'batchOutcomes'].map((name) => ({
  group: [`**/ui/${name}`],
  allowTypeImports: true,
  message: `Nothing in ${silent.join(', ')} talks to a person.`,
}));

// No command is ever made of an address or a name: what is to be done with a repository, the Git extension does, and
// `ssh` gets a list of checked arguments in src/features/terminal.
const noPrograms = ['child_process', 'node:child_process'].map((name) => ({
  name,
  message: 'The product starts no programs.',
}));

const noTests = { group: ['**/test/**'], message: 'The product does not know its tests.' };

export default tseslint.config(
  { ignores: ['dist/', '.cache/', 'node_modules/', 'test/localPlatform/sample/'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
      'import-x/extensions': ['.ts'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'import-x/no-self-import': 'error',
      'import-x/no-default-export': 'error',
      'no-restricted-syntax': ['error', ...restrictedSyntax],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: arrows }],
      'import-x/no-extraneous-dependencies': 'error',
      'no-console': 'error',
      // A cast that adds members could use proposed APIs, some of which no VS Code refuses.
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      'max-lines': ['error', { max: 350 }],
      'no-restricted-imports': ['error', { patterns: [noTests], paths: noPrograms }],
    },
  },
  {
    files: ['src/*/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [noTests],
          paths: [
            {
              name: 'vscode',
              importNames: ['ExtensionContext'],
              message: 'Below extension.ts take only the part you use.',
            },
            ...noPrograms,
          ],
        },
      ],
    },
  },
  {
    files: ['src/platform/**/*.ts', 'src/manifest.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [noTests], paths: [{ name: 'vscode', message: 'This part knows no VS Code.' }, ...noPrograms] },
      ],
    },
  },
  {
    // It imports the type of `l10n`, so that its texts can be extracted.
    files: ['src/platform/failureTexts.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [noTests],
          paths: [{ name: 'vscode', allowImportNames: ['l10n'], message: 'Only the type of l10n.' }, ...noPrograms],
        },
      ],
    },
  },
  {
    files: silent.map((folder) => `src/${folder}/**/*.ts`),
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: talking }] },
  },
  {
    files: ['src/ui/commands/command.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(registerCommand) },
  },
  {
    files: ['src/ui/contextKeys.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(setContext) },
  },
  {
    files: ['src/ui/notifications.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(showMessage, anyFunction) },
  },
  {
    files: ['quickPick', 'prompts'].map((name) => `src/ui/${name}.ts`),
    rules: { 'no-restricted-syntax': restrictedExcept(showQuestion) },
  },
  {
    files: ['src/ui/progress.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(showProgress) },
  },
  {
    files: ['src/ui/statusBar.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(showStatus) },
  },
  {
    files: ['src/ui/escapeMarkup.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(ownIcon) },
  },
  {
    // The tools make the Markdown of their questions with plainMarkdown and diffBlock.
    files: ['src/ui/plainText.ts', 'src/features/agents/agents.ts'],
    rules: { 'no-restricted-syntax': restrictedExcept(ownMarkdown) },
  },
  {
    files: [
      // Announces it.
      'src/files/provider/deleteAndMove.ts',
      // Part of a rename, which is announced.
      'src/files/provider/moves.ts',
      // Part of a deletion, which is announced: names of what was deleted, which others don't see.
      'src/files/provider/previousContent.ts',
      // The redeploy that follows clones the deleted repository again.
      'src/features/deployments/redeploy/wedgedClones.ts',
    ],
    rules: { 'no-restricted-syntax': restrictedExcept(deleteUnannounced) },
  },
  {
    files: ['src/features/terminal/terminal.ts'],
    rules: { 'no-restricted-syntax': [...restrictedExcept(createTerminal), sendText] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // mocha's `describe` and node's `test` bodies are not awaited by their callers; assertions on values may be loose.
      '@typescript-eslint/no-unused-expressions': 'off',
      'no-restricted-syntax': ['error', doubleCast, timeoutInside, timeoutUnscaled],
    },
  },
);

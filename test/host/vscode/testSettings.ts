export type Settings = Readonly<Record<string, unknown>>;

/** Settings for a quiet VS Code: no requests, no welcome page, and nothing that saves or changes by itself. */
export const quietSettings: Settings = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.acceptSuggestionOnEnter': 'off',
  // Animations would take more time than everything else in the window.
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  // It would search all processes of this computer for ports every few seconds, and say in a message which are available.
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** Without a pause and a question of Gantry that only their own tests are about. People who try it get its defaults. */
export const onlyInTests: Settings = {
  'gantry.restart.delay': 0,
  'gantry.versionHistory.keep': 'off',
  // Tests read what a terminal shows from the page.
  'terminal.integrated.gpuAcceleration': 'off',
};

/** Leaves out what editors draw beside and around the text, where nobody looks at it: a tenth of a window's work. */
export const plainEditors: Settings = {
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.guides.indentation': false,
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.selectionHighlight': false,
  'editor.stickyScroll.enabled': false,
};

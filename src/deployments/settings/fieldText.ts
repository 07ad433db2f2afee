import { l10n } from 'vscode';
import type { FieldProblem } from './fieldProblems';
import type { FieldName, HookName, ProjectFields } from './projectFields';
import { withoutSecret } from '../repositories/repositoryUrl';

export function fieldLabel(name: FieldName): string {
  return labels()[name];
}

function labels(): Readonly<Record<FieldName, string>> {
  return {
    type: l10n.t('Kind of repository'),
    url: l10n.t('Address'),
    branch: l10n.t('Branch'),
    repoHash: l10n.t('Commit'),
    login: l10n.t('Login'),
    password: l10n.t('Password or token'),
    keyId: l10n.t('SSH key'),
    context: l10n.t('Context'),
    autoupdate: l10n.t('Auto-update'),
    interval: l10n.t('Auto-update interval'),
    autoResolveConflict: l10n.t('On conflict'),
    zdt: l10n.t('Without downtime'),
    hooks: l10n.t('Hooks'),
    delay: l10n.t('Delay between nodes'),
  };
}

export function hookLabel(name: HookName): string {
  switch (name) {
    case 'preDeploy':
      return l10n.t('Hook before the deployment');
    case 'postDeploy':
      return l10n.t('Hook after the deployment');
    case 'preBuild':
      return l10n.t('Hook before the build');
    case 'postBuild':
      return l10n.t('Hook after the build');
  }
}

/** A field's value in words. A password is never shown, and neither is what a script says. */
export function fieldValue(name: FieldName, fields: ProjectFields, of: 'new' | 'existing' = 'existing'): string {
  const notSet = of === 'new' ? l10n.t('none') : l10n.t('nothing set from here');
  switch (name) {
    case 'type':
      return fields.type === 'GIT' ? 'Git' : 'Subversion';
    case 'url':
      return withoutSecret(fields.url);
    case 'context':
      return fields.context;
    case 'branch':
      return fields.branch === '' ? l10n.t('the usual one') : fields.branch;
    case 'repoHash':
      return fields.repoHash === '' ? l10n.t('the newest') : fields.repoHash;
    case 'login':
      return fields.login === '' ? l10n.t('none') : fields.login;
    case 'password':
      return fields.password === undefined ? (of === 'new' ? notSet : l10n.t('as it is')) : '•••';
    case 'keyId':
      return fields.keyId === undefined ? notSet : String(fields.keyId);
    case 'autoupdate':
      return fields.autoupdate ? l10n.t('on') : l10n.t('off');
    case 'interval':
      return minutesWord(fields.interval);
    case 'autoResolveConflict':
      return fields.autoResolveConflict
        ? l10n.t('the repository wins: edits in the container are thrown away')
        : l10n.t('the update stops: edits in the container stay');
    case 'zdt':
      return zdtWord(fields.zdt);
    case 'hooks':
      return fields.hooks === undefined ? notSet : Object.keys(fields.hooks).join(', ');
    case 'delay':
      return fields.delay === undefined ? notSet : l10n.t('{0} s', String(fields.delay));
  }
}

function minutesWord(minutes: string): string {
  switch (minutes) {
    case '':
      return l10n.t('not said');
    case '1':
      return l10n.t('one minute');
    default:
      return l10n.t('{0} minutes', minutes);
  }
}

function zdtWord(zdt: boolean | undefined): string {
  switch (zdt) {
    case true:
      return l10n.t('yes');
    case false:
      return l10n.t('no');
    case undefined:
      return l10n.t('the platform does not say');
  }
}

export function problemSentence(problem: FieldProblem, pattern?: string): string {
  switch (problem) {
    case 'urlMissing':
      return l10n.t("Enter the repository's address.");
    case 'urlWithoutProtocol':
      return l10n.t('Enter the whole address, with its protocol, such as https://git.example.com/shop.git.');
    case 'urlWithLogin':
      return l10n.t('Leave login and password out of the address: they have steps of their own.');
    case 'branch':
      return l10n.t('This is no name of a branch.');
    case 'loginCharacters':
      return l10n.t('The platform refuses logins with any of {0}', '~ ! # $ % ^ & * ( ) { } \\ / = -');
    case 'passwordAndKey':
      return l10n.t('The platform refuses a password together with an SSH key. Take one of them away.');
    case 'keyId':
      return l10n.t('Enter the number of an SSH key on your account.');
    case 'contextPattern':
      return pattern === undefined
        ? l10n.t('The platform refuses this name: letters, digits, dots and underscores are safe.')
        : l10n.t("The layer's nodes refuse this name; they take {0}", pattern);
    case 'rootOnly':
      return l10n.t('This layer takes one project only, in the context ROOT.');
    case 'contextTaken':
      return l10n.t('The layer has a project in this context already.');
    case 'interval':
      return l10n.t('Enter a number of minutes, at least 1.');
    case 'delay':
      return l10n.t('Enter a number of seconds.');
    case 'commit':
      return l10n.t('Enter the hash of a commit, at least its first seven characters.');
    case 'revision':
      return l10n.t('Enter the number of a revision.');
    case 'zdtUnknown':
      return l10n.t('The platform does not say whether this project is deployed without downtime: choose.');
  }
}

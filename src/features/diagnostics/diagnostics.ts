import { commands, env, l10n, UIKind, version as vsCodeVersion, workspace } from 'vscode';
import { findGit } from '../../files/gitExtension';
import type { FeatureHandles, Levels } from '../../services';
import type { Call } from '../../ui/commands/call';
import { command } from '../../ui/commands/command';
import { showInformationMessage } from '../../ui/notifications';
import type { ShownTexts } from '../../ui/shownTexts';
import { declaredSettings, relatedSettings } from './changedSettings';
import { type ChangedSetting, type Diagnostics, diagnosticsText, type HostFacts } from './diagnosticsText';

/** What a person copies for an issue. */
export function createDiagnostics(host: Levels['host']) {
  return {
    commands: {
      'gantry.diagnostics.copy': command('raw', errorsIn, async (errors) => {
        errors.forEach((error) => host.recent.note(error));
        const text = await currentDiagnostics(host);
        await env.clipboard.writeText(text);
        // Nothing waits for this.
        void offerToShow(text, host.texts);
      }),
    },
  };
}

/** Returns the errors of a row that shows one, or of the details of a batch. */
function errorsIn({ object = {} }: Call): readonly unknown[] {
  const errors: unknown = 'errors' in object ? object.errors : 'error' in object ? [object.error] : [];
  return Array.isArray(errors) ? errors : [];
}

/** People may want to read the text before they share it. */
async function offerToShow(text: string, texts: ShownTexts): Promise<void> {
  const show = l10n.t('Show Diagnostics');
  const copied = l10n.t(
    'Copied diagnostics, without environment or file names, paths, addresses, file contents, or secrets.',
  );
  if ((await showInformationMessage(copied, show)) === show) {
    await commands.executeCommand('vscode.open', texts.add(l10n.t('Gantry diagnostics.md'), text));
  }
}

type FeatureStates = Diagnostics['features'];

/** Returns what a person copies for an issue. It reads what is known, and sends nothing. */
async function currentDiagnostics(host: Levels['host']): Promise<string> {
  const { version, packageJson, recent, features } = host;
  const account = await features.accounts.load().catch(() => undefined);
  const text = diagnosticsText({
    host: hostFacts(version),
    settings: changedSettings(packageJson),
    features: await featureStates(host),
    failedRequests: account?.failedRequests ?? [],
    errors: recent.list,
    bundleFolder: __dirname,
  });
  return account?.connections.redact(text) ?? text;
}

function hostFacts(gantry: string): HostFacts {
  return {
    gantry,
    vsCode: vsCodeVersion,
    appName: env.appName,
    appHost: env.appHost,
    remoteName: env.remoteName,
    isWeb: env.uiKind === UIKind.Web,
    language: env.language,
    node: process.version,
    platform: process.platform,
    architecture: process.arch,
  };
}

function changedSettings(packageJson: unknown): readonly ChangedSetting[] {
  const configuration = workspace.getConfiguration();
  return Object.entries({ ...declaredSettings(packageJson), ...relatedSettings }).flatMap(([name, schema]) => {
    const { defaultValue } = configuration.inspect(name) ?? {};
    const value: unknown = configuration.get(name);
    const isDefault = JSON.stringify(value) === JSON.stringify(defaultValue);
    return isDefault ? [] : [{ name, value, schema }];
  });
}

async function featureStates({ features, hostLacks }: Levels['host']): Promise<FeatureStates> {
  const loaded = Object.entries(features).flatMap(([name, { loaded: isLoaded }]) =>
    isLoaded === undefined || name === 'diagnostics' ? [] : [name],
  );
  const schemes = new Set(workspace.workspaceFolders?.map(({ uri }) => uri.scheme));
  const folders = ['file', 'gantry', 'vscode-remote'].filter((scheme) => schemes.has(scheme));
  const otherSchemes = schemes.size > folders.length ? ['other'] : [];
  return [
    ['Loaded', loaded.join(', ') || 'nothing'],
    ['Open folders', [...folders, ...otherSchemes].join(', ') || 'none'],
    ['Trusted window', workspace.isTrusted ? 'yes' : 'no'],
    ['Git extension', (await findGit()).state],
    ['Accounts menu', hostLacks.has('authentication') ? 'absent' : 'works'],
    ['Language model tools', hostLacks.has('languageModelTools') ? 'absent' : 'works'],
    ...(await accountStates(features)),
  ];
}

async function accountStates({ accounts, files }: FeatureHandles): Promise<FeatureStates> {
  const account = await accounts.load().catch(() => undefined);
  if (account === undefined) {
    return [['Accounts', 'not loaded']];
  }
  await account.accounts.firstRead;
  const { list, state } = account.accounts;
  const file = list.length === 0 ? undefined : await files.load().catch(() => undefined);
  await file?.compatibility.loaded;
  return [
    ['Secret storage', account.secretStorage()],
    ['Network stack', account.connections.usesOwnNetworkStack ? 'own' : 'vscode'],
    ['Accounts', `${list.length}, ${state.kind}`],
    ...list.map(({ slug, isSignedOut, transport, expiresAt }, index): FeatureStates[number] => {
      const check = file?.compatibility.of(slug);
      const off = file?.compatibility.switchedOff(slug) ?? [];
      const isUnreadable = file?.compatibility.isUnreadable(slug) === true;
      const checked = isUnreadable ? 'unreadable' : check === undefined ? 'no' : 'yes';
      const states = [
        isSignedOut ? 'signed out' : 'signed in',
        `transport ${transport}`,
        expiresAt === undefined ? 'no known expiration' : expiresAt.getTime() < Date.now() ? 'expired' : 'expires',
        `compatibility checked: ${checked}`,
        `switched off: ${off.join(', ') || 'nothing'}`,
      ];
      return [`Account ${index + 1}`, states.join('; ')];
    }),
  ];
}

import { env, UIKind, version as vsCodeVersion, workspace } from 'vscode';
import { findGit } from '../../files/gitExtension';
import { type ChangedSetting, type Diagnostics, diagnosticsText, type HostFacts } from './diagnosticsText';
import type { FeatureHandles, Levels } from '../../services';
import { relatedSettings, declaredSettings } from './changedSettings';

type FeatureStates = Diagnostics['features'];

/** Returns what a person copies for an issue. It reads what is known, and sends nothing. */
export async function currentDiagnostics(host: Levels['host']): Promise<string> {
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
    ...{ gantry, vsCode: vsCodeVersion, appName: env.appName, appHost: env.appHost, remoteName: env.remoteName },
    ...{ isWeb: env.uiKind === UIKind.Web, language: env.language },
    ...{ node: process.version, platform: process.platform, architecture: process.arch },
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
  await account.accounts.loaded;
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

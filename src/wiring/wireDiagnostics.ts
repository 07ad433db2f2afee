// Already loaded at this point. The imports keep the bundler from splitting shared code into many small files.
import '../async/sharedCalls';
import '../async/pendingWork';
import '../containers/openFolders';
import '../containers/place';
import '../platform/address';
import '../platform/sending/sender';
import '../storage/storageKeys';
import '../ui/contextKeys';
import { env, UIKind, version as vsCodeVersion, workspace } from 'vscode';
import { unsafeFacts } from '../compatibility/switchedOff';
import { findGit } from '../deployments/repositories/gitExtension';
import { diagnosticsCommands } from '../diagnostics/diagnosticsCommands';
import { type ChangedSetting, type Diagnostics, diagnosticsText, type HostFacts } from '../diagnostics/diagnosticsText';
import { relatedSettings, declaredSettings } from '../diagnostics/changedSettings';
import type { RecentErrors } from '../ui/recentErrors';
import type { Lazy } from '../lazy';
import type { AccountParts } from './wireAccounts';
import type { FileParts } from './wireFiles';
import type { WiringDeps } from './wiringDeps';

interface DescribedFeatures {
  readonly accounts: Lazy<AccountParts>;
  readonly files: Lazy<FileParts>;
  /** Only whether they're loaded matters. */
  readonly others: Readonly<Record<string, { readonly loaded: unknown }>>;
}

interface DiagnosticsWiringDeps extends Pick<WiringDeps, 'hostLacks' | 'texts'> {
  readonly version: string;
  readonly packageJson: unknown;
  readonly recent: RecentErrors;
  readonly features: DescribedFeatures;
}

type FeatureStates = Diagnostics['features'];

/** What a person copies for an issue. It reads what is known, and sends nothing. */
export function wireDiagnostics({ version, packageJson, recent, features, hostLacks, texts }: DiagnosticsWiringDeps) {
  const describe = async () => {
    const account = await features.accounts.load().catch(() => undefined);
    const text = diagnosticsText({
      host: hostFacts(version),
      settings: changedSettings(packageJson),
      features: await featureStates(features, hostLacks),
      failedRequests: account?.failedRequests ?? [],
      errors: recent.list,
      bundleFolder: __dirname,
    });
    return account?.connections.redact(text) ?? text;
  };
  return { commands: diagnosticsCommands(describe, { recent, texts }), disposables: [] };
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

async function featureStates(
  features: DescribedFeatures,
  hostLacks: DiagnosticsWiringDeps['hostLacks'],
): Promise<FeatureStates> {
  const { others, ...described } = features;
  const loaded = Object.entries({ ...described, ...others }).flatMap(([name, feature]) =>
    feature.loaded === undefined ? [] : [name],
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

async function accountStates({ accounts, files }: DescribedFeatures): Promise<FeatureStates> {
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
      const off = unsafeFacts(check?.facts ?? {});
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

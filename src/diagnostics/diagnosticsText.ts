import type { RecentError } from '../ui/recentErrors';
import type { FailedRequest } from '../ui/trafficLog';
import { errorText, failedRequestText } from './errorText';
import { type SettingSchema, settingText } from './changedSettings';

/** Where Gantry runs, as VS Code and Node report it. */
export interface HostFacts {
  readonly gantry: string;
  readonly vsCode: string;
  readonly appName: string;
  readonly appHost: string;
  readonly remoteName: string | undefined;
  readonly isWeb: boolean;
  readonly language: string;
  readonly node: string;
  readonly platform: string;
  readonly architecture: string;
}

export interface ChangedSetting {
  readonly name: string;
  readonly value: unknown;
  readonly schema: SettingSchema;
}

export interface Diagnostics {
  readonly host: HostFacts;
  readonly settings: readonly ChangedSetting[];
  /** Only fixed words and numbers. */
  readonly features: readonly (readonly [name: string, state: string])[];
  readonly failedRequests: readonly FailedRequest[];
  readonly errors: readonly RecentError[];
  /** The folder of Gantry's own code. */
  readonly bundleFolder: string;
}

const appHosts = ['desktop', 'web', 'codespaces', 'github.dev', 'server-distro', 'vscode.dev', 'tunnel'];
/** VS Code's own kinds of remote windows. Without a kind, it returns the address. */
const remoteNames = [
  'ssh-remote',
  'wsl',
  'dev-container',
  'attached-container',
  'codespaces',
  'tunnel',
  'k8s-container',
];

/**
 * The text for an issue, in English. It contains only versions, fixed words and numbers: no names, paths, addresses,
 * file contents, or secrets.
 */
export function diagnosticsText({ host, settings, features, errors, ...rest }: Diagnostics): string {
  const lastErrors = errors.map(({ at, error }) => ({ at, text: errorText(error, rest.bundleFolder) }));
  const requests = rest.failedRequests.map((request) => ({ at: request.at, text: failedRequestText(request) }));
  return [
    '# Gantry diagnostics',
    ...section('Versions', versionLines(host)),
    ...section(
      'Settings that differ from the default',
      settings.map(({ name, value, schema }) => `${name}: ${settingText(value, schema)}`),
    ),
    ...section(
      'Features',
      features.map(([name, state]) => `${name}: ${state}`),
    ),
    ...section('Last errors', timed(lastErrors)),
    ...section('Last failed requests', timed(requests)),
    '',
  ].join('\n');
}

function versionLines(host: HostFacts): readonly string[] {
  const remote = host.remoteName;
  return [
    `Gantry ${version(host.gantry)}`,
    `VS Code ${version(host.vsCode)}, ${/^[\w .+-]{1,60}$/.test(host.appName) ? host.appName : 'other app'}`,
    `Host: ${oneOf(appHosts, host.appHost)}, ${host.isWeb ? 'in a browser' : 'on a desktop'}`,
    `Remote: ${remote === undefined ? 'no' : oneOf(remoteNames, remote)}`,
    `Node ${version(host.node)}, ${host.platform} ${host.architecture}`,
    `Language: ${/^[A-Za-z]{2,3}(-[A-Za-z]{2,8})*$/.test(host.language) ? host.language : 'other'}`,
  ];
}

function version(text: string): string {
  return /^v?\d+(\.\d+){0,3}(-[a-z]+)?/.exec(text)?.[0] ?? 'unknown';
}

function oneOf(words: readonly string[], word: string): string {
  return words.includes(word) ? word : 'other';
}

function timed(entries: readonly { readonly at: Date; readonly text: string }[]): readonly string[] {
  return entries.map(({ at, text }) => `${at.toISOString().replace(/\.\d+Z$/, 'Z')} ${text}`);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', `## ${title}`, '', ...(lines.length === 0 ? ['- none'] : lines.map((line) => `- ${line}`))];
}

import { basename, dirname } from 'node:path';
import type { RecentError } from '../../ui/recentErrors';
import type { FailedRequest } from '../../ui/trafficLog';
import { type SettingSchema, settingText } from './changedSettings';
import { isPlatformError } from '../../platform/errors';

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

/** The names that Gantry gives its operations. */
const operationName = /^[A-Za-z][A-Za-z.]{0,40}$/;
/** The names of errors, and of their codes. */
const errorName = /^[A-Za-z_][A-Za-z0-9_]{0,40}$/;
/** The parts of the bundle. */
const partName = /^[A-Za-z]+(-[A-Z0-9]{8})?\.js$/;
const maxFrames = 4;

/** Describes an error without its message, which may contain names, paths, and addresses. */
function errorText(error: unknown, bundleFolder: string): string {
  if (isPlatformError(error)) {
    const { operation, kind, obstacle, result, reason, status, isOutcomeUnknown } = error;
    return [
      `${known(operation, operationName)}: ${kind}`,
      obstacle,
      result !== undefined && `result ${result}`,
      reason !== undefined && `reason ${reason}`,
      status !== undefined && `HTTP ${status}`,
      isOutcomeUnknown && 'outcome unknown',
    ]
      .filter(Boolean)
      .join(', ');
  }
  if (!(error instanceof Error)) {
    return `not an error object but a ${typeof error}`;
  }
  const code = 'code' in error && typeof error.code === 'string' ? ` ${known(error.code, errorName)}` : '';
  const frames = framesIn(error, bundleFolder);
  return `${known(error.name, errorName)}${code}${frames === '' ? '' : `, at ${frames}`}`;
}

/** Describes a request without its target. */
function failedRequestText({ operation, outcome, result, status, attempt, milliseconds }: FailedRequest): string {
  return [
    `${known(operation, operationName)}: ${outcome}`,
    result !== undefined && `result ${result}`,
    status !== undefined && status !== 200 && `HTTP ${status}`,
    attempt !== 1 && `attempt ${attempt}`,
    `${Math.round(milliseconds)} ms`,
  ]
    .filter(Boolean)
    .join(', ');
}

function known(name: string, form: RegExp): string {
  return form.test(name) ? name : 'unnamed';
}

/** Returns where in Gantry's own files an error was thrown. A message in the stack may look like one of its lines. */
function framesIn({ stack = '', message }: Error, bundleFolder: string): string {
  const start = message === '' ? 0 : stack.indexOf(message) + message.length;
  const lines = start < message.length ? [] : stack.slice(start).split('\n');
  const frames = lines.flatMap((line) => {
    const [, path = '', at = ''] = /^ +at (?:.* \(|async )?(\/.+|[A-Za-z]:\\.+):(\d+:\d+)\)?$/.exec(line) ?? [];
    const isOurs = dirname(path) === bundleFolder && partName.test(basename(path));
    return isOurs ? [`${basename(path)}:${at}`] : [];
  });
  return frames.slice(0, maxFrames).join(', ');
}

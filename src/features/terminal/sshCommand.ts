// What `ssh` is started with. Names of the platform and of files can become neither options nor commands here.

/** Where a platform takes SSH connections. */
export interface SshGate {
  readonly host: string;
  readonly port: number;
}

interface SshDestination {
  readonly gate: SshGate;
  readonly login: string;
  /** Where the shell starts. Without it, in the user's home folder. */
  readonly folder: string | undefined;
}

/** The part of a destination that can't be sent safely. */
export type UnsafePart = 'gate' | 'login' | 'folder';

const usualPort = 3022;
const highestPort = 65_535;
const longestHost = 253;
const hostName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
/** Programs read such names as IP addresses, in notations as surprising as 127.1 for 127.0.0.1. */
const numericName = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
const ipAddress = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;
const loginName = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Control characters, and halves of characters, which no file name on the node can have. */
const unsafeInFolder = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** The program's exit code if it couldn't connect or sign in, or lost its connection. */
export const connectionFailedCode = 255;

/** Parses `host` or `host:port`. */
export function parseGate(text: string): SshGate | undefined {
  const [, host = '', digits] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text.trim().toLowerCase()) ?? [];
  const port = digits === undefined ? usualPort : Number(digits);
  return isGate({ host, port }) ? { host, port } : undefined;
}

/** Returns the gate next to a dashboard at `app.…`, as far as known platforms name it. */
export function usualGate(dashboard: string): SshGate | undefined {
  const [, domain] = /^app\.([^:]+)(?::\d+)?$/i.exec(dashboard) ?? [];
  return domain === undefined ? undefined : parseGate(`gate.${domain}`);
}

/** Returns the user name by which a gate knows a node and a person. */
export function loginAt(nodeId: number, userId: number): string {
  return `${nodeId}-${userId}`;
}

/** Returns the ID in what a person typed: the number alone, or as part of the command that the dashboard shows. */
export function userIdIn(text: string): number | undefined {
  const [, digits] = /^\s*(?:(?:ssh\s+)?\d+-(?=\d+@))?(\d{1,15})(?:@\S+(?:\s+-p\s*\d+)?)?\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the arguments of `ssh`, or which part of the destination it can't safely get. */
export function sshArguments({
  gate,
  login,
  folder,
}: SshDestination): { readonly ok: readonly string[] } | { readonly unsafe: UnsafePart } {
  if (!isGate(gate)) {
    return { unsafe: 'gate' };
  }
  if (!loginName.test(login)) {
    return { unsafe: 'login' };
  }
  if (folder !== undefined && (!folder.startsWith('/') || unsafeInFolder.test(folder))) {
    return { unsafe: 'folder' };
  }
  const command = folder === undefined ? [] : [commandIn(folder)];
  return { ok: ['-p', String(gate.port), '-t', '--', `${login}@${gate.host}`, ...command] };
}

/** Returns `ssh` and its arguments as one line for a POSIX shell. */
export function posixLine(args: readonly string[]): string {
  return ['ssh', ...args].map(quoteForPosix).join(' ');
}

/** The same for PowerShell, or `undefined` if that can't pass an argument on unchanged in each of its versions. */
export function powerShellLine(args: readonly string[], folder: string | undefined): string | undefined {
  return folder?.includes('"') === true ? undefined : ['ssh', ...args].map(quoteForPowerShell).join(' ');
}

function isGate({ host, port }: SshGate): boolean {
  const isHost = host.length <= longestHost && hostName.test(host) && (!numericName.test(host) || ipAddress.test(host));
  return isHost && Number.isInteger(port) && port >= 1 && port <= highestPort;
}

/** The gate runs this in the shell of the user on the node. */
function commandIn(folder: string): string {
  return `cd -- ${quoteForPosix(folder)} && exec "\${SHELL:-sh}" -l`;
}

const plainWord = /^[\w@.-]+$/;

function quoteForPosix(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** PowerShell takes typographic quotation marks for straight ones. */
function quoteForPowerShell(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

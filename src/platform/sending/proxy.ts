import { isLoopback } from '../address';

/** The proxy settings of the editor and of the environment. */
export interface ProxySettings {
  /** The editor's own setting; it comes before the environment's variables. */
  readonly proxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Which proxy leads to a target, as the usual tools decide it; undefined to connect directly. */
export function chooseProxy({ proxy, noProxy, environment }: ProxySettings): (target: URL) => string | undefined {
  const variable = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const exceptions = [...(noProxy ?? []), ...variable('NO_PROXY').split(/[\s,]+/)].filter((entry) => entry !== '');
  const anywhere = proxy?.trim() ?? '';
  return (target) => {
    if (isLoopback(target.hostname) || exceptions.some((entry) => covers(entry, target))) return undefined;
    const ofScheme = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    return usable(anywhere === '' ? variable(ofScheme) : anywhere);
  };
}

/** An exception covers a host and all below it; with a port, only that port. */
function covers(entry: string, target: URL): boolean {
  if (entry === '*') return true;
  const [, host = '', port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (port !== undefined && port !== portOf(target)) return false;
  return target.hostname === host || target.hostname.endsWith(`.${host}`);
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

function usable(proxy: string): string | undefined {
  const url = proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`;
  return URL.canParse(url) ? url : undefined;
}

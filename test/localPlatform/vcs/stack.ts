import type { Node } from '../environments/environment';
import { codes, Refusal } from '../refusal';

/** Where a software stack stores deployed files and the logs of deployments. */
export interface Stack {
  /** The folder that contains the folders of contexts, as the container sees it. */
  readonly webroot: string;
  /** Whether a deployment can switch a link from one release to the next. */
  readonly switchesReleases: boolean;
  /** Whether the stack builds projects, and serves none. */
  readonly builds: boolean;
  /** The folder of `vcs_update.log` and the logs beside it, on platforms where stacks have their own. */
  readonly logs: string;
  /** The folder of `hooks.log` there. */
  readonly hookLogs: string;
}

/** The folder of the deployment logs of stacks without their own. */
export const commonLogs = '/var/log/jelastic/vcs';

const usual = { webroot: '/var/www/webroot', switchesReleases: false, builds: false };

/**
 * The stacks by a part of their `nodeType`. The folders of logs are those of envinfo.lib and hooks.lib in the vendor's
 * code (facts J), the first match counts.
 */
const stacks: readonly (readonly [RegExp, Omit<Stack, 'hookLogs'> & { readonly hookLogs?: string }])[] = [
  [/nodejs/u, { ...usual, webroot: '/home/jelastic', logs: '/opt/nodejs/logs' }],
  [/tom(?:cat|ee)/u, { ...usual, webroot: '/opt/tomcat/webapps', logs: commonLogs, hookLogs: '/opt/tomcat/logs' }],
  [/jetty/u, { ...usual, webroot: '/opt/jetty/webapps', logs: commonLogs, hookLogs: '/opt/jetty/logs' }],
  [/glassfish|payara|wildfly/u, { ...usual, logs: commonLogs, hookLogs: '/var/log' }],
  [/maven/u, { ...usual, webroot: '/var/lib/jelastic/PROJECTS', builds: true, logs: '/var/log/maven' }],
  [/cartridge/u, { ...usual, logs: '/opt/repo/logs' }],
  [/nginx.*php/u, { ...usual, switchesReleases: true, logs: '/var/log/nginx' }],
  [/php/u, { ...usual, switchesReleases: true, logs: '/var/log/httpd' }],
  [/nginx/u, { ...usual, logs: '/var/log/nginx' }],
  [/apache|ruby/u, { ...usual, logs: '/var/log/httpd' }],
  [/(?:)/u, { ...usual, logs: commonLogs }],
];

export const stackOf = ({ nodeType }: Node): Stack => {
  const found = stacks.find(([pattern]) => pattern.test(nodeType));
  if (found === undefined) throw new Error('the last pattern matches everything');
  const [, stack] = found;
  return { ...stack, hookLogs: stack.hookLogs ?? stack.logs };
};

const usualContext = /^(?![.])[\w.]{1,50}$/u;

/** Fails with 4079 if the layer's nodes don't allow this context. */
export const demandContext = (nodes: readonly Node[], context: string): void => {
  const fits = nodes.every((node) => {
    if (node.singleContext && context !== 'ROOT') return false;
    const own = node.contextValidatorRegex === undefined ? usualContext : new RegExp(node.contextValidatorRegex, 'u');
    // A node's own pattern may be loose, but a context must be a single folder.
    return own.test(context) && !/[/\\]/u.test(context) && context !== '.' && context !== '..';
  });
  if (!fits) throw new Refusal(codes.badContext, `the context [${context}] is not valid for this layer`);
};

export const logFolder = '/var/log';

/** The logs of deployments. They're in one folder, except that some stacks have another one for the hooks' log. */
export const deployLogNames = {
  update: 'vcs_update.log',
  /** What a reset before an update printed. */
  autoResolve: 'vcs_autoresolve.log',
  hooks: 'hooks.log',
  deploy: 'deploy.log',
} as const;

/** The folder of the logs of deployments on stacks that don't have their own. */
const commonDeployLogs = '/var/log/jelastic/vcs';

interface StackLogs {
  readonly service?: string;
  readonly deployments?: string;
  readonly hooks?: string;
}

/**
 * Where stacks keep logs, by a part of the node's type: those of the service if they aren't in the usual folder, those
 * of deployments if they aren't in the common one, and the hooks' if it isn't beside those. The only source is the
 * vendor's code of 2022, so a log counts only if it was found there.
 */
const stacks: readonly (readonly [RegExp, StackLogs])[] = [
  [/nodejs/, { service: '/opt/nodejs/logs', deployments: '/opt/nodejs/logs' }],
  [/tomcat|tomee/, { service: '/opt/tomcat/logs', hooks: '/opt/tomcat/logs' }],
  [/jetty/, { service: '/opt/jetty/logs', hooks: '/opt/jetty/logs' }],
  [/glassfish/, { service: '/opt/glassfish/glassfish/domains/domain1/logs', hooks: logFolder }],
  [/payara/, { service: '/opt/payara/glassfish/domains/domain1/logs', hooks: logFolder }],
  [/wildfly/, { service: '/opt/wildfly/standalone/log', hooks: logFolder }],
  [/maven/, { deployments: `${logFolder}/maven` }],
  [/cartridge/, { deployments: '/opt/repo/logs' }],
  [/nginx/, { deployments: `${logFolder}/nginx` }],
  [/apache|httpd|php|ruby/, { deployments: `${logFolder}/httpd` }],
  [/postgres/, { service: '/var/lib/pgsql/data/log' }],
];

/** Returns the folders outside the usual one that a node of this type keeps its service's logs in. */
export function serviceLogFolders(type: string | undefined): readonly string[] {
  return stacks.flatMap(([types, { service }]) => (service !== undefined && types.test(type ?? '') ? [service] : []));
}

interface DeployLogFolders {
  /** The most likely first. */
  readonly deployments: readonly string[];
  /** Other folders that may have the hooks' log. */
  readonly hooks: readonly string[];
}

/** Returns the folders to look into on a node of this type: any if the type isn't known. */
export function deployLogFolders(type: string | undefined): DeployLogFolders {
  if (type === undefined) {
    const all = new Set(stacks.flatMap(([, { deployments }]) => deployments ?? []));
    return { deployments: [...all, commonDeployLogs], hooks: [] };
  }
  const { deployments, hooks }: StackLogs = stacks.find(([types]) => types.test(type))?.[1] ?? {};
  return {
    deployments: [...(deployments === undefined ? [] : [deployments]), commonDeployLogs],
    hooks: hooks === undefined ? [] : [hooks],
  };
}

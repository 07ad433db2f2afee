import type { Area, Handler } from '../operation';
import type { Platform } from '../platform';
import { nodeAddress, nodeDomain } from './nodeAddress';
import type { Environment, Node } from './environment';
import { restartServices } from './restartServices';

const nodeRow = (node: Node, platform: Platform): object => ({
  id: node.id,
  name: node.name,
  nodeGroup: node.nodeGroup,
  nodeType: node.nodeType,
  nodemission: node.nodeGroup,
  ismaster: node.ismaster,
  isVcsSupport: node.isVcsSupport,
  status: 1,
  contextValidatorRegex: node.contextValidatorRegex,
  singleContext: node.singleContext,
  address: nodeAddress(node),
  intIP: nodeAddress(node),
  url: `http://${nodeDomain(node, platform.environments)}`,
});

const environmentRow = (environment: Environment, platform: Platform): Readonly<Record<string, unknown>> => ({
  env: {
    envName: environment.envName,
    displayName: environment.displayName,
    domain: environment.domain,
    shortdomain: environment.envName,
    status: environment.status,
    hardwareNodeGroup: 'default_hn_group',
    sslstate: environment.sslstate ?? false,
    ishaenabled: false,
    extdomains: [],
  },
  nodeGroups: environment.layers.map(({ name, displayName }) => ({
    name,
    displayName,
    deployments: platform.projects.deployments(environment.envName, name),
  })),
  nodes: environment.layers.flatMap(({ nodes }) => nodes.map((node) => nodeRow(node, platform))),
  right: 'OWNER',
});

const getEnvs: Handler = ({ account, platform }) => {
  const seen = platform.environments.all.filter(
    ({ envName }) => account.environments === '*' || account.environments.includes(envName),
  );
  return Promise.resolve({
    infos: seen.map((environment) => ({ ...environmentRow(environment, platform), result: 0 })),
  });
};

const getEnvInfo: Handler = (call) => Promise.resolve(environmentRow(call.environment(), call.platform));

/** Publicly documented operations outside the contract. */
export const openControlArea: Area = () =>
  Promise.resolve({ GetEnvs: getEnvs, GetEnvInfo: getEnvInfo, RestartServices: restartServices });

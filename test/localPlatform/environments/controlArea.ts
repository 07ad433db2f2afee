import type { Area, Call, Handler } from '../operation';
import type { Platform } from '../platform';
import { containerVariableOperations } from './containerVariables';
import { getCurrentActions } from './currentActions';
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
  status: node.status,
  contextValidatorRegex: node.contextValidatorRegex,
  singleContext: node.singleContext,
  address: nodeAddress(node),
  intIP: nodeAddress(node),
  url: `http://${nodeDomain(node, platform.environments)}`,
});

const environmentRow = (environment: Environment, { platform, account }: Call): Readonly<Record<string, unknown>> => ({
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
    uid: platform.behaviour.environmentOwner === 'shown' ? account.uid : undefined,
  },
  nodeGroups: environment.layers.map(({ name, displayName }) => ({
    name,
    displayName,
    deployments: platform.projects.deployments(environment.envName, name),
  })),
  nodes: environment.layers.flatMap(({ nodes }) => nodes.map((node) => nodeRow(node, platform))),
  right: 'OWNER',
});

const getEnvs: Handler = (call) => {
  const { account, platform } = call;
  const seen = platform.environments.all.filter(
    ({ envName }) => account.environments === '*' || account.environments.includes(envName),
  );
  return Promise.resolve({
    infos: seen.map((environment) => ({ ...environmentRow(environment, call), result: 0 })),
  });
};

const getEnvInfo: Handler = (call) => Promise.resolve(environmentRow(call.environment(), call));

/** Publicly documented operations outside the contract. */
export const openControlArea: Area = () =>
  Promise.resolve({
    GetEnvs: getEnvs,
    GetEnvInfo: getEnvInfo,
    RestartServices: restartServices,
    GetCurrentActions: getCurrentActions,
    ...containerVariableOperations,
  });

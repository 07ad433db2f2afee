import type { Behaviour } from '../behaviour';
import type { Account } from '../accounts/account';
import type { Parameters } from '../parameters';
import { codes, Refusal } from '../refusal';
import type { Environment, Node } from './environment';
import type { Environments } from './environments';

const usualLayer = 'cp';

/** Returns the environment in a request if the account can access it. */
export const findEnvironment = (environments: Environments, account: Account, parameters: Parameters): Environment => {
  const envName = parameters.text('envName');
  const environment = environments.find(envName);
  if (environment === undefined) {
    throw new Refusal(codes.noEnvironment, `application [${envName}] not exist`);
  }
  if (account.environments !== '*' && !account.environments.includes(envName)) {
    throw new Refusal(codes.badSession, `session has no access to the environment [${envName}]`, {}, 'hx-core');
  }
  return environment;
};

/**
 * Returns the nodes in a request. A node ID takes precedence, unless the platform doesn't honor it. The other three
 * parameters narrow each other.
 */
export const findNodes = (
  environment: Environment,
  parameters: Parameters,
  { masterOnly, nodeIds }: Pick<Behaviour, 'masterOnly' | 'nodeIds'>,
): readonly Node[] => {
  const all = environment.layers.flatMap(({ nodes }) => nodes);
  const id = parameters.optionalIntegerOf('nodeid', 'nodeId');
  if (id !== undefined) {
    const node = all.find((candidate) => candidate.id === id);
    if (node === undefined && nodeIds !== 'ignored') throw new Refusal(codes.notFound, `node [${id}] not found`);
    if (node !== undefined && nodeIds === 'honored') return [node];
  }
  const nodeType = parameters.optionalText('nodeType');
  const nodeGroup = parameters.optionalText('nodeGroup') ?? (nodeType === undefined ? usualLayer : undefined);
  const meant = all
    .filter((node) => nodeGroup === undefined || node.nodeGroup === nodeGroup)
    .filter((node) => nodeType === undefined || node.nodeType === nodeType)
    .filter((node) => parameters.flag('masterOnly') !== (masterOnly === 'honored') || node.ismaster);
  if (meant.length === 0) {
    const named = [
      nodeGroup === undefined ? '' : `nodeGroup ${nodeGroup}`,
      nodeType === undefined ? '' : `nodeType ${nodeType}`,
    ];
    throw new Refusal(codes.notFound, `nodes [${named.filter(Boolean).join(', ')}] not found`);
  }
  const [first] = meant;
  return id === undefined || nodeIds === 'onlyReads' || first === undefined
    ? meant
    : [meant.find(({ ismaster }) => ismaster) ?? first];
};

import type { Containers } from '../containers/containers';
import type { FilePlace } from '../containers/place';
import { changeOnce } from '../platform/changeOnce';
import {
  allNames,
  changesBetween,
  commonVariables,
  stateOf,
  type VariableChanges,
  type VariablesState,
} from './variablesState';

/** Reads and changes the variables of a node, or of all nodes in a layer. */
export class VariableOperations {
  constructor(private readonly containers: Pick<Containers, 'account' | 'nodes'>) {}

  async read(place: FilePlace): Promise<VariablesState> {
    const account = this.containers.account(place.account);
    const nodes = (await this.containers.nodes(place)).flatMap(({ target: { nodeId } }) => nodeId ?? []);
    const read = async (nodeId: number) => {
      const where = { envName: place.environment, nodeId };
      const { object } = await account.call('GetContainerEnvVars', where);
      return { node: nodeId, variables: object };
    };
    return stateOf(await Promise.all(nodes.map(read)));
  }

  /**
   * Sends exactly these changes, each request once. If a response is lost, reads the variables to see whether the
   * change was made.
   */
  async send(place: FilePlace, changes: VariableChanges, wanted: VariablesState): Promise<void> {
    const account = this.containers.account(place.account);
    const { nodeGroup, nodeId } = place.target;
    const where = { envName: place.environment, ...(nodeId === undefined ? { nodeGroup } : { nodeId }) };
    const once = (names: readonly string[], request: () => Promise<unknown>) =>
      changeOnce(request, async () => {
        const missing = allNames(changesBetween(await this.read(place), wanted));
        return !names.some((name) => missing.includes(name));
      });
    const set = [...changes.added, ...changes.changed];
    const values = commonVariables(wanted);
    if (set.length > 0) {
      // A change to all nodes has one value.
      const vars = JSON.stringify(Object.fromEntries(set.map((name) => [name, values.get(name)])));
      await once(set, () => account.call('AddContainerEnvVars', { ...where, vars }));
    }
    const { removed } = changes;
    if (removed.length > 0) {
      const vars = JSON.stringify(removed);
      await once(removed, () => account.call('RemoveContainerEnvVars', { ...where, vars }));
    }
  }
}

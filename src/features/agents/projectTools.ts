import * as v from 'valibot';
import type { ProjectNames, RedeployOutlook } from '../../featureApis';
import type { Services } from '../../services';
import { type AgentTool, confirmationOf, ensureChangesAllowed, parsed, ShownChanges } from './agentTool';
import { enclosed, pageOf, resultText } from './toolText';

const name = v.optional(v.string());
const namesEntries = { account: name, environment: name, layer: name, context: name };

export function deployedCommitTool({ features: { deployments } }: Services): AgentTool {
  const schema = v.object(namesEntries);
  return {
    async invoke(input) {
      const names = parsed(schema, input);
      const found = await deployments.use(({ forTools }) => forTools.list(names));
      const [only, ...others] = found;
      const isOne = only !== undefined && others.length === 0;
      const lines = isOne
        ? await deployments.use(({ forTools }) => forTools.describe(only))
        : found.map((one) => JSON.stringify(one));
      const page = pageOf(lines, {}, isOne ? 'lines' : 'projects');
      // It has no pages: with more names, there are fewer.
      return resultText({ ...page.facts, nextOffset: undefined }, enclosed(page.shown.join('\n')));
    },
  };
}

export function redeployTool({ features: { deployments } }: Services): AgentTool {
  const schema = v.object({ ...namesEntries, discardEdits: v.optional(v.boolean(), false) });
  const shown = new ShownChanges();
  const keyOf = (names: ProjectNames) => JSON.stringify(names);
  return {
    async prepare(input) {
      ensureChangesAllowed();
      const names = parsed(schema, input);
      shown.forget(keyOf(names));
      const outlook = await deployments.use(({ forTools }) => forTools.outlook(names));
      shown.add(keyOf(names), JSON.stringify(outlook));
      return confirmationOf(outlook);
    },
    async invoke(input, signal) {
      ensureChangesAllowed();
      const names = parsed(schema, input);
      const isAsShown = (outlook: RedeployOutlook) => shown.take(keyOf(names), JSON.stringify(outlook));
      const { discardEdits } = names;
      const result = await deployments.use(({ forTools }) =>
        forTools.redeploy(names, { discardEdits, isAsShown, signal }),
      );
      return resultText({ outcome: result.outcome }, enclosed(result.lines.join('\n')));
    },
  };
}

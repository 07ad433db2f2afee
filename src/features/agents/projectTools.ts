import * as v from 'valibot';
import { type AgentTool, ensureChangesAllowed, parsed, ShownChanges } from './agentTool';
import { confirmationOf } from './nodeTools';
import { enclosed, pageOf, resultText } from './toolText';

/** What a model says of a project. */
export interface ProjectNames {
  readonly account?: string | undefined;
  readonly environment?: string | undefined;
  readonly layer?: string | undefined;
  readonly context?: string | undefined;
}

/** What a redeploy would do now. */
export interface RedeployOutlook {
  readonly question: string;
  /** What it deploys, and what would be lost or missed. */
  readonly paragraphs: readonly (string | undefined)[];
  /** What it depends on, of which the question names only a part. Isn't shown. */
  readonly settings: unknown;
}

export interface ProjectToolsDeps {
  readonly projects: {
    /** Returns all projects with these names. */
    list(names: ProjectNames): Promise<readonly ProjectNames[]>;
    /** Returns facts about the only project with these names, one a line. */
    describe(names: ProjectNames): Promise<readonly string[]>;
    outlook(names: ProjectNames): Promise<RedeployOutlook>;
    /**
     * Redeploys if `isAsShown` accepts what it would do now, unless the signal is aborted first. Asks in production.
     * Returns how it ended, and facts, one a line.
     */
    redeploy(
      names: ProjectNames,
      options: {
        readonly discardEdits: boolean;
        readonly isAsShown: (outlook: RedeployOutlook) => boolean;
        readonly signal: AbortSignal;
      },
    ): Promise<{ readonly outcome: string; readonly lines: readonly string[] }>;
  };
}

const name = v.optional(v.string());
const namesEntries = { account: name, environment: name, layer: name, context: name };

export function deployedCommitTool({ projects }: ProjectToolsDeps): AgentTool {
  const schema = v.object(namesEntries);
  return {
    async invoke(input) {
      const names = parsed(schema, input);
      const found = await projects.list(names);
      const isOne = found.length === 1;
      const lines = isOne && found[0] ? await projects.describe(found[0]) : found.map((one) => JSON.stringify(one));
      const page = pageOf(lines, {}, isOne ? 'lines' : 'projects');
      // It has no pages: with more names, there are fewer.
      return resultText({ ...page.facts, nextOffset: undefined }, enclosed(page.shown.join('\n')));
    },
  };
}

export function redeployTool({ projects }: ProjectToolsDeps): AgentTool {
  const schema = v.object({ ...namesEntries, discardEdits: v.optional(v.boolean(), false) });
  const shown = new ShownChanges();
  const keyOf = (names: ProjectNames) => JSON.stringify(names);
  return {
    async prepare(input) {
      ensureChangesAllowed();
      const names = parsed(schema, input);
      shown.forget(keyOf(names));
      const outlook = await projects.outlook(names);
      shown.add(keyOf(names), JSON.stringify(outlook));
      return confirmationOf(outlook);
    },
    async invoke(input, signal) {
      ensureChangesAllowed();
      const names = parsed(schema, input);
      const isAsShown = (outlook: RedeployOutlook) => shown.take(keyOf(names), JSON.stringify(outlook));
      const result = await projects.redeploy(names, { discardEdits: names.discardEdits, isAsShown, signal });
      return resultText({ outcome: result.outcome }, enclosed(result.lines.join('\n')));
    },
  };
}

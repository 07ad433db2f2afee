import { l10n } from 'vscode';
import type { DeployRecord } from '../projects/deployRecord';
import type { ProjectFinder } from '../projects/projectFinder';
import type { ProjectPlace } from '../projects/projectPlace';
import type { Redeploys, Running } from '../projects/redeploys';
import { gravityOf, sentencesOf } from '../projects/verdictWords';
import type { Decide, RedeployFlow } from './redeployFlow';
import { elapsed } from './redeployProgress';
import { askBeforeRedeploy, summaryOf } from './redeployQuestion';

/** What a task says it wants redeployed. */
export interface TaskWish {
  readonly environment: string;
  readonly context: string;
  readonly layer?: string | undefined;
  readonly account?: string | undefined;
  readonly node?: number | undefined;
  readonly delay?: number | undefined;
  readonly ifSomethingIsLost: 'ask' | 'stop' | 'goOn';
}

type Say = (line: string) => void;

/** Redeploys for a build: told in lines, and `deployed` only when it is. */
export function redeployAsTask(parts: {
  readonly finder: ProjectFinder;
  readonly redeploys: Redeploys;
  readonly flow: RedeployFlow;
}) {
  return async (wish: TaskWish, say: Say): Promise<'deployed' | 'notDeployed'> => {
    const place = await placeOf(wish, parts.finder);
    say(l10n.t('Redeploying {0} on {1}', place.context, place.environment));
    const remark = await parts.flow.notLookedFor(place);
    if (remark !== undefined) {
      say(remark);
    }
    const watch = (running: Running) => watchInLines(running, say);
    const running = await joinable(parts.redeploys, place, wish, say);
    const record =
      running === undefined
        ? await parts.flow.perform({ place, nodeId: wish.node, delay: wish.delay }, decideFor(wish, say), watch)
        : await watch(running);
    if (record === undefined) {
      say(l10n.t('It was not redeployed.'));
      return 'notDeployed';
    }
    say(record.log);
    say(sentencesOf(record));
    return gravityOf(record) === 'success' ? 'deployed' : 'notDeployed';
  };
}

/** The redeploy that is under way, if it does what the task wants; one of another node is waited for. */
async function joinable(
  redeploys: Redeploys,
  place: ProjectPlace,
  { node }: TaskWish,
  say: Say,
): Promise<Running | undefined> {
  for (let running = redeploys.running(place); running !== undefined; running = redeploys.running(place)) {
    const { nodeId } = running.request;
    if (nodeId === undefined || nodeId === node) {
      return running;
    }
    say(l10n.t('Waiting for the redeploy of node {0}', String(nodeId)));
    // How it ends is told where it was begun.
    await running.ended.catch(() => undefined);
  }
  return undefined;
}

async function placeOf(wish: TaskWish, finder: ProjectFinder): Promise<ProjectPlace> {
  const fits = (place: ProjectPlace) =>
    place.environment === wish.environment &&
    place.context === wish.context &&
    (wish.layer === undefined || place.layer === wish.layer) &&
    (wish.account === undefined || place.account === wish.account);
  const known = finder.named({}).filter(fits);
  // On a machine where it was never seen before, the platform may know it.
  const [place, other] = known.length > 0 ? known : (await finder.all()).places.filter(fits);
  if (place === undefined) {
    throw new Error(
      l10n.t('No project {0} is known on {1}. Add it in the Deployments view.', wish.context, wish.environment),
    );
  }
  if (other !== undefined) {
    throw new Error(
      l10n.t('Several projects are named {0} on {1}: name the layer or the account.', wish.context, wish.environment),
    );
  }
  return place;
}

function decideFor({ ifSomethingIsLost }: TaskWish, say: Say): Decide {
  return (prepared, preflight) => {
    say(summaryOf(preflight));
    switch (ifSomethingIsLost) {
      case 'ask':
        return askBeforeRedeploy(prepared, preflight);
      case 'stop':
        return Promise.resolve(undefined);
      case 'goOn':
        return Promise.resolve({ push: false, keepPatch: false });
    }
  };
}

async function watchInLines(running: Running, say: Say): Promise<DeployRecord> {
  const ticking = setInterval(() => say(elapsed(running)), 10_000);
  try {
    return await running.ended;
  } finally {
    clearInterval(ticking);
  }
}

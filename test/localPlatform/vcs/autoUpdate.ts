import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import { deploy, logOf, sourcesOf } from './deploy';
import { nodesOfProject } from './layer';
import type { Project } from './project';
import { turnOf } from './projects';
import type { Turns } from './turns';

const minute = 60_000;

const isDue = (platform: Platform, project: Project): boolean => {
  const passed = (platform.clock.now() - project.checkedAt) * platform.behaviour.pollingSpeed;
  return passed >= Number(project.interval) * minute;
};

/** Deploys if the repository has new commits. A project that was never deployed waits for its first Update. */
const follow = async (platform: Platform, project: Project): Promise<void> => {
  project.checkedAt = platform.clock.now();
  const nodes = nodesOfProject(platform, project);
  const sources = await sourcesOf(platform, project);
  try {
    await sources.demandAccess();
    const tip = await sources.tip();
    if (nodes.every(({ id }) => project.deployed[String(id)] === tip)) return;
    // The vendor's code follows branches of the repository, and no commit or branch that is gone.
    if (tip === '' && platform.behaviour.deployments === 'vendor') return;
  } catch (error) {
    if (!(error instanceof Refusal) || platform.periodic.signal.aborted) throw error;
    for (const node of nodes) {
      const log = logOf(platform, project, node);
      log.say(`auto-update of ${project.context}: ${error.message}`);
      await log.write();
    }
    return;
  }
  try {
    await deploy(platform, project, { nodes });
  } catch (error) {
    // The log contains the refusal, and no client waits for a response.
    if (!(error instanceof Refusal)) throw error;
  }
};

/** Checks every minute, shortened by `pollingSpeed`, which projects are due. */
export const startAutoUpdate = (platform: Platform, turns: Turns): void => {
  platform.periodic.every(minute / platform.behaviour.pollingSpeed, async () => {
    const due = platform.projects.all.filter(
      (project) =>
        project.autoupdate &&
        (project.repoHash === undefined || platform.behaviour.deployments === 'vendor') &&
        Object.keys(project.deployed).length > 0 &&
        isDue(platform, project),
    );
    await Promise.all(due.map((project) => turns.take(turnOf(project), () => follow(platform, project))));
  });
};

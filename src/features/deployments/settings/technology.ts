import type { Layer } from '../../../containers/environment';
import { likelyFolders } from '../projectPlace';
import type { HookName } from './hooks';

interface TechnologyTraits {
  /** Its own name, which is the same in every language. */
  readonly software: string;
  /** What the platform calls the software of such nodes, for example `nginxphp`. */
  readonly stacks: RegExp;
  /** Restarts are slow enough that several nodes shouldn't restart at once. */
  readonly restartsSlowly?: true;
  /** Running the project changes its own files, so an update that stops at changed files would rarely succeed. */
  readonly changesOwnFiles?: true;
  /** What is often done after new files arrived, in the project's folder. */
  readonly afterDeploy?: string;
}

export const technologyNames = ['php', 'nodejs', 'ruby', 'python', 'java'] as const;
export type Technology = (typeof technologyNames)[number];

const technologies = {
  php: { software: 'PHP', stacks: /php|llsmp|litespeed/i, afterDeploy: 'composer install --no-dev' },
  nodejs: { software: 'Node.js', stacks: /node-?js/i, changesOwnFiles: true, afterDeploy: 'npm ci --omit=dev' },
  ruby: { software: 'Ruby', stacks: /ruby|passenger/i, changesOwnFiles: true, afterDeploy: 'bundle install' },
  python: { software: 'Python', stacks: /python/i, afterDeploy: 'pip install -r requirements.txt' },
  java: {
    software: 'Java',
    stacks: /tomcat|tomee|jetty|glassfish|payara|wildfly|jboss|spring|java|maven/i,
    restartsSlowly: true,
    changesOwnFiles: true,
  },
} as const satisfies Readonly<Record<Technology, TechnologyTraits>>;

/** Returns what the layer's nodes run; `undefined` for static files and for stacks that aren't known here. */
export function technologyOf({ nodes }: Pick<Layer, 'nodes'>): Technology | undefined {
  const stacks = nodes.map(({ type = '' }) => type);
  return technologyNames.find((name) => stacks.some((stack) => technologies[name].stacks.test(stack)));
}

export function technologyLabel(technology: Technology): string {
  return technologies[technology].software;
}

/** The settings of a new project that fit the technology better than the platform's own defaults. */
export function fittingFields(technology: Technology | undefined, nodes: number) {
  const traits: Partial<TechnologyTraits> = technology === undefined ? {} : technologies[technology];
  return {
    ...(traits.changesOwnFiles === true ? { autoResolveConflict: true } : {}),
    ...(traits.restartsSlowly === true && nodes > 1 ? { delay: 30 } : {}),
  };
}

/** Returns a commented-out example for an empty hook of a new project. It isn't part of the project until it's saved. */
export function hookExample(hook: HookName, technology: Technology | undefined, context: string): string | undefined {
  const traits: Partial<TechnologyTraits> = technology === undefined ? {} : technologies[technology];
  const [folder = ''] = likelyFolders({ context }, technology);
  return hook === 'postDeploy' && traits.afterDeploy !== undefined
    ? `# cd ${folder} && ${traits.afterDeploy}\n`
    : undefined;
}

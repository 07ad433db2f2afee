import type { EnvironmentDescription, Node } from './environments/environment';
import { nodeAddress } from './environments/nodeAddress';
import type { Sample } from './environments/sample';
import { Favorites, type Favorite } from './files/favorites';
import { Mounts, type Mount } from './mounts/mounts';
import type { Platform } from './platform';
import { settingsOf } from './vcs/project';
import type { Place } from './vcs/projects';

// A big account for trying and measuring: the same environments, projects, favorites and mounts at every start.

const places = [
  'Harbor',
  'Juniper',
  'Copper',
  'Lantern',
  'Meadow',
  'Northgate',
  'Orchard',
  'Pinecrest',
  'Quarry',
  'Riverside',
  'Saffron',
  'Tidewater',
  'Umber',
  'Violet',
  'Willow',
  'Bluebird',
  'Cobalt',
  'Driftwood',
  'Ember',
  'Foxglove',
];
const trades = ['Coffee', 'Tiles', 'Books', 'Cycles', 'Bakery', 'Optics', 'Gardens', 'Records', 'Ceramics', 'Outdoors'];

interface Stage {
  readonly suffix: string;
  readonly title: string;
  readonly likeSample: string;
  readonly nodes: Readonly<Record<string, number>>;
  readonly contexts: readonly string[];
  readonly favorites: readonly (readonly [layer: string, path: string, keyword: string, isDir: boolean])[];
}

/** Three environments of each customer: 20 nodes, 5 projects and 10 favorites. */
const stages: readonly [Stage, ...Stage[]] = [
  {
    suffix: '',
    title: '',
    likeSample: 'shop',
    nodes: { bl: 2, cp: 6, sqldb: 2 },
    contexts: ['ROOT', 'stockroom'],
    favorites: [
      ['bl', '/etc/nginx/conf.d', 'load balancer', true],
      ['cp', '/etc/nginx/nginx.conf', 'nginx.conf', false],
      ['cp', '/etc/php.ini', 'php.ini', false],
      ['cp', '/var/log/php', 'PHP logs', true],
      ['sqldb', '/etc/my.cnf', 'my.cnf', false],
    ],
  },
  {
    suffix: '-staging',
    title: ' (staging)',
    likeSample: 'shop',
    nodes: { bl: 1, cp: 4, sqldb: 1 },
    contexts: ['ROOT', 'stockroom'],
    favorites: [
      ['cp', '/var/www/webroot', 'webroot', true],
      ['cp', '/etc/php-fpm.conf', 'php-fpm.conf', false],
      ['cp', '/etc/cron.d/shop', 'cron', false],
    ],
  },
  {
    suffix: '-api',
    title: ' (API)',
    likeSample: 'blog-staging',
    nodes: { cp: 3, sqldb: 1 },
    contexts: ['ROOT'],
    favorites: [
      ['cp', '/home/jelastic/ROOT/settings.js', 'settings', false],
      ['cp', '/var/log/nodejs', 'Node.js logs', true],
    ],
  },
];

interface Described {
  readonly environment: EnvironmentDescription;
  readonly stage: Stage;
}

const statuses = [1, 1, 1, 1, 1, 4, 1, 1, 2, 1, 1];

/** Describes environments like those of the sample. Names repeat with a number after the 200th customer. */
const environmentsLike = (sample: Sample, count: number): readonly Described[] =>
  Array.from({ length: count }, (_, index) => {
    const customer = Math.floor(index / stages.length);
    const stage = stages[index % stages.length] ?? stages[0];
    const round = Math.floor(customer / (places.length * trades.length));
    const [place, trade] = [
      places[customer % places.length],
      trades[Math.floor(customer / places.length) % trades.length],
    ];
    const title = `${place} ${trade}${round === 0 ? '' : ` ${round + 1}`}`;
    const envName = `${title.toLowerCase().replaceAll(' ', '-')}${stage.suffix}`;
    const environment = {
      envName,
      displayName: `${title}${stage.title}`,
      domain: `${envName}.hosting.example`,
      status: stage.suffix === '' ? 1 : (statuses[customer % statuses.length] ?? 1),
      layers: Object.entries(stage.nodes).map(([layer, nodes]) => ({
        ...sample.layer(stage.likeSample, layer),
        nodes,
      })),
    };
    return { environment, stage };
  });

const projectsIn = ({ environment, stage }: Described): readonly Place[] =>
  stage.contexts.map((context) => ({ envName: environment.envName, nodeGroup: 'cp', context }));

const favoritesIn = ({ environment: { envName }, stage }: Described, uid: number): readonly Omit<Favorite, 'id'>[] =>
  stage.favorites.map(([nodeGroup, path, keyword, isDir]) => ({ uid, envName, nodeGroup, path, keyword, isDir }));

/** Each application node but the first mounts the sessions of the first, if the environment is in production. */
const mountsOn = ([source, ...others]: readonly Node[]): readonly Mount[] =>
  source === undefined
    ? []
    : others.map(({ id }) => ({
        nodeId: id,
        path: '/var/lib/php/session',
        name: 'sessions',
        sourceNodeId: source.id,
        readOnly: false,
        sourcePath: '/var/lib/php/session',
        sourceHost: nodeAddress(source),
        sourceAddressType: 'IP' as const,
        protocol: 'NFS',
      }));

/** Adds environments until the platform has `count`, with projects like the sample's, mounts, and favorites of the account `uid`. */
export const addBigAccount = async (
  platform: Platform,
  { sample, count, uid }: { readonly sample: Sample; readonly count: number; readonly uid: number },
): Promise<void> => {
  const { environments, projects, dataFolder, clock } = platform;
  const described = environmentsLike(sample, Math.max(0, count - environments.all.length));
  await environments.addLikeSample(
    described.map(({ environment, stage: { likeSample } }) => ({ environment, likeSample })),
  );
  const [project] = projects.all;
  if (project !== undefined) {
    await projects.addAll(described.flatMap(projectsIn), settingsOf(project), clock.now());
  }
  const favorites = await Favorites.open(dataFolder);
  await favorites.addAll(described.flatMap((one) => favoritesIn(one, uid)));
  const inProduction = new Set(
    described.flatMap(({ environment, stage }) => (stage.suffix === '' ? [environment.envName] : [])),
  );
  const layers = environments.all.filter(({ envName }) => inProduction.has(envName)).flatMap(({ layers: all }) => all);
  const mounts = await Mounts.open(dataFolder);
  await mounts.add(layers.flatMap(({ name, nodes }) => (name === 'cp' ? mountsOn(nodes) : [])));
};

/** Reads the option `--environments`, which must be at least the two of the sample. */
export const environmentCount = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!/^\d+$/u.test(text) || count < 2 || count > 5000) {
    throw new Error(`--environments takes a number from 2 to 5000, not "${text}"`);
  }
  return count;
};

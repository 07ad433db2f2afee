import { isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { DeployNode } from './clonesOnNodes';
import { nodeLogFolder, nodeLogName } from '../history/deployLog';
import { placeOn, type ProjectPlace } from '../projectPlace';

/** An answer that takes longer than this may get lost on its way: then it is good to know how long the logs were. */
const longWork = 10_000;
const mostLines = 400;

/** What the nodes themselves keep of their deployments. */
export class DeployLogsOnNodes {
  constructor(private readonly containers: Pick<Containers, 'read' | 'list'>) {}

  /** The ends of the nodes' logs; `undefined` where none could be read. */
  async read(project: ProjectPlace, nodes: readonly DeployNode[]): Promise<string | undefined> {
    const logs = await Promise.all(
      nodes.map(async ({ name, target }) => {
        const log = await orNothing(this.containers.read(placeOn(project, target, `${nodeLogFolder}/${nodeLogName}`)));
        return log === undefined ? [] : [`# ${name}: ${nodeLogFolder}/${nodeLogName}\n${lastLines(log)}`];
      }),
    );
    return logs.flat().length === 0 ? undefined : logs.flat().join('\n');
  }

  /** The nodes' logs as they are; `undefined` where one could not be read. */
  texts(project: ProjectPlace, nodes: readonly DeployNode[]): Promise<readonly (string | undefined)[]> {
    return Promise.all(
      nodes.map(({ target }) =>
        orNothing(this.containers.read(placeOn(project, target, `${nodeLogFolder}/${nodeLogName}`)), ''),
      ),
    );
  }

  lengths(project: ProjectPlace, nodes: readonly DeployNode[]): Promise<readonly (number | undefined)[]> {
    return Promise.all(
      nodes.map(async ({ target }) => {
        const entries = await orNothing(this.containers.list(placeOn(project, target, nodeLogFolder)));
        return entries?.find(({ name }) => name === nodeLogName)?.length;
      }),
    );
  }

  /** Notes how long the logs are while the work goes on, unless it is over soon. */
  lengthsDuringLongWork(project: ProjectPlace, nodes: readonly DeployNode[]) {
    let lengths: Promise<readonly (number | undefined)[]> | undefined;
    const timer = setTimeout(() => {
      lengths = this.lengths(project, nodes);
    }, longWork);
    return {
      stop: () => clearTimeout(timer),
      lengths: async () => (lengths === undefined ? {} : { logLengths: await lengths }),
    };
  }
}

/** A log that cannot be read leaves the rest to be told. */
async function orNothing<T>(asked: Promise<T>, whereNone?: T): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isPlatformError(error)) {
      return error.kind === 'notFound' ? whereNone : undefined;
    }
    throw error;
  }
}

function lastLines(log: string): string {
  return log.split('\n').slice(-mostLines).join('\n');
}

import type { Node } from '../environments/environment';
import { codes, Refusal } from '../refusal';

/** Where a software stack stores deployed files. */
export interface Stack {
  /** The folder that contains the folders of contexts, as the container sees it. */
  readonly webroot: string;
  /** Whether a deployment can switch a link from one release to the next. */
  readonly switchesReleases: boolean;
}

export const stackOf = ({ nodeType }: Node): Stack => {
  if (nodeType.includes('nodejs')) return { webroot: '/home/jelastic', switchesReleases: false };
  if (nodeType.includes('tomcat')) return { webroot: '/opt/tomcat/webapps', switchesReleases: false };
  return { webroot: '/var/www/webroot', switchesReleases: nodeType.includes('php') };
};

const usualContext = /^(?![.])[\w.]{1,50}$/u;

/** Fails with 4079 if the layer's nodes don't allow this context. */
export const demandContext = (nodes: readonly Node[], context: string): void => {
  const fits = nodes.every((node) => {
    if (node.singleContext && context !== 'ROOT') return false;
    const own = node.contextValidatorRegex === undefined ? usualContext : new RegExp(node.contextValidatorRegex, 'u');
    // A node's own pattern may be loose, but a context must be a single folder.
    return own.test(context) && !/[/\\]/u.test(context) && context !== '.' && context !== '..';
  });
  if (!fits) throw new Refusal(codes.badContext, `the context [${context}] is not valid for this layer`);
};

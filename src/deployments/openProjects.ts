import { window, workspace } from 'vscode';
import { filePlaceOf, type UriParts } from '../containers/place';
import type { KnownProject } from './knownProjects';
import type { LocalRepositories } from './repositories/localRepositories';
import type { ProjectFinder } from './projectFinder';
import { projectKey } from './projectPlace';

/** The projects that what is open here belongs to, as far as they were seen before. Asks nobody. */
export function projectsOpenHere(finder: ProjectFinder, repositories: LocalRepositories): readonly KnownProject[] {
  const holding = (uri: UriParts) => {
    const place = filePlaceOf(uri);
    return (place && finder.holding(place)) ?? [];
  };
  // The file in front says it best.
  const file = window.activeTextEditor?.document.uri;
  const held = file === undefined ? [] : [holding(file)].flat();
  if (held.length > 0) {
    return held;
  }
  const folders = (workspace.workspaceFolders ?? []).flatMap(({ uri }) => holding(uri));
  const open = [...folders, ...finder.deploying(repositories.all)];
  return [...new Map(open.map((project) => [projectKey(project), project])).values()];
}

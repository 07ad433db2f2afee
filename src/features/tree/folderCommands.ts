import { commands, workspace } from 'vscode';
import { folderName } from '../../containers/locationText';
import { uriOf } from '../../containers/uris';
import type { Services } from '../../services';
import { mayOpen } from './folderTrustFlow';

export function folderCommands(services: Services) {
  const { targets, listings, features } = services;
  const open = (where: 'here' | 'new window') =>
    targets.onFolder(async (folder) => {
      if (!(await mayOpen(folder, services))) {
        return;
      }
      const folders = workspace.workspaceFolders ?? [];
      if (where === 'here' && folders.length > 0) {
        workspace.updateWorkspaceFolders(folders.length, 0, {
          uri: uriOf(folder),
          name: folderName(folder, services.environments),
        });
      } else {
        const options = { forceNewWindow: where === 'new window', forceReuseWindow: where === 'here' };
        await commands.executeCommand('vscode.openFolder', uriOf(folder), options);
      }
    });
  return {
    'gantry.folder.open': open('here'),

    'gantry.folder.openInNewWindow': open('new window'),

    'gantry.folder.refresh': targets.onFolder(async (folder) => {
      listings.forget(folder);
      await listings.refresh(folder);
      await features.tree.loaded?.readAgain(folder);
    }),
  };
}

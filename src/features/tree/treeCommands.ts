import type { FilePlace } from '../../containers/place';
import type { Services } from '../../services';
import { commandOnNothing } from '../../ui/commands/command';
import type { Dropped } from '../../trees/dropped';
import { appendCommands } from './appendCommands';
import { archiveCommands } from './archiveCommands';
import { clipboardCommands } from './clipboardCommands';
import { compareCommands } from './compareCommands';
import { dropOnFolder } from './dropFlow';
import { environmentCommands } from './environmentCommands';
import { fileCommands } from './fileCommands';
import { folderCommands } from './folderCommands';
import { goTo } from './goToFlow';
import { linkCommands } from './linkCommands';
import { LinkHandler } from './openLinkFlow';
import { replaceCommands } from './replaceCommands';
import { transferCommands } from './transferCommands';
import { wholeFileCommands } from './wholeFileCommands';

/** The commands on environments, files, and folders, and links to them. */
export function createTreeCommands(services: Services) {
  return {
    commands: {
      ...fileCommands(services),
      ...folderCommands(services),
      ...clipboardCommands(services),
      ...transferCommands(services),
      ...wholeFileCommands(services),
      ...archiveCommands(services),
      ...appendCommands(services),
      ...replaceCommands(services),
      ...compareCommands(services),
      ...environmentCommands(services),
      'gantry.environment.goTo': commandOnNothing(() => goTo(services)),
      ...linkCommands(services),
    },
    links: new LinkHandler(services),
    drop: (folder: FilePlace, dropped: Dropped) => dropOnFolder(folder, dropped, services),
  };
}

/** What a name in a container may hold, and Windows takes for a path, a stream of a file or a pattern. */
const special = /[<>:"|?*\\\p{Cc}]|[. ]$/u;
/** Devices, also with an extension, and with spaces before that. */
const devices = /^(con|conin\$|conout\$|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Whether a name from a container names something in the folder it is put into, and nothing else on this computer. */
export function isLocalName(name: string, system: NodeJS.Platform = process.platform): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    return false;
  }
  return system !== 'win32' || !(special.test(name) || devices.test(name));
}

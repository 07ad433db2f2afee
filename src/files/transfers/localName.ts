/** Characters that are allowed in container names, but that Windows treats as a path, a stream or a pattern. */
const special = /[<>:"|?*\\\p{Cc}]|[. ]$/u;
/** Device names, also with an extension or trailing spaces. */
const devices = /^(con|conin\$|conout\$|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Whether a container's file name only names an entry of its folder here, and nothing else. */
export function isLocalName(name: string, system: NodeJS.Platform = process.platform): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    return false;
  }
  return system !== 'win32' || !(special.test(name) || devices.test(name));
}

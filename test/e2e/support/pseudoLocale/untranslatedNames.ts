/** The same in every language: names and values of the sample account, of the platform, and of programs. */
const names: readonly RegExp[] = [
  /\b\w{3} \d{1,2}, \d{4}\b|\d+:\d+\s[AP]M|\b(in )?\d+ (second|minute|hour|day|month)s?( ago)?\b/g,
  /Saltmarsh Tea|Harbour Notes \(staging\)|Load balancer|Application servers?|Database|old #2 \(before TLS\)/g,
  /NGINX (1\.26|PHP 8\.3)|MySQL 8\.4|PostgreSQL 16|Node\.js 20|NFS4?|GlusterFS|WebDAV/g,
  /\b(Gantry, VS Code on [\w.-]+|Build server|IDE Plugins|Maven Plugin|Marketplace|Extended Access|Custom)\b/g,
  /\benv-1234567\b|\b(Git|PHP|PNG|[KM]?B)\b|[d-][rwx-]{9}/g,
  /https?:\S+/g,
  /[\w.+-]+@[\w.-]+/g,
  // Hosts, and files with an extension.
  /\b[\w-]+(\.[\w-]+)+(:\d+)?\b/g,
  /(\/[\w.@~ -]+)+/g,
  /\b(shop|blog-staging|bl|cp|sqldb|nginx(php)?|mysql|log|etc|home|tmp|var|webroot|ROOT|master|main|tea|backup|deploy)\b/g,
  /\b[0-9a-f]{7,40}\b/g,
];

/** VS Code's own texts around ours. They stay English in this test. */
const ofVsCode: readonly RegExp[] = [
  // Titles of settings are made from their IDs.
  /^Gantry: Protected Environments$/g,
  /^(Gantry:?|Gantry actions|Collapse All|Views and More Actions\.\.\.|More Actions\.\.\.|Progress|Welcome|Cancel)$/g,
  /^(\d+ Results|Back \(Ctrl\+Alt\+-\)|Close Dialog|Info|Warning|Source: Gantry|Notification Actions|Toggle all checkboxes|\d+ Selected|OK|Clear Notification \(Del\))$/g,
  /(?<=⟧) (Section|actions)$|^Actions for |^Gantry: | \(Press 'Enter' to confirm or 'Escape' to cancel\)/g,
  /^Click to execute command '.*'$/g,
  /^(Info|Warning|Error): |, source: Gantry|, notification(, Inspect the response in the accessible view .*)?$/g,
  /\b(Ctrl|Shift|Alt)\+\S+|\bDel\b|server-environment |Editor Language Status: /g,
];

/** Returns whether an English word remains that isn't listed here on purpose. */
export function hasEnglishWord(text: string): boolean {
  const rest = [...ofVsCode, ...names].reduce((left, name) => left.replaceAll(name, ''), text);
  return /[A-Za-z]{2}/.test(rest);
}

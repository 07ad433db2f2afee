/** Names that the platform accepts. Others can exist, but Gantry leaves them alone. */
export function isEditableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

const secretName = /PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL|PRIVATE|AUTH|SALT|SIGNATURE|DSN/i;
/** A login in a URL, such as that of a database; a password in a connection string or in JSON; or a private key. */
const secretValue = /:\/\/[^/\s:@]*:[^\s@]+@|(?:PASS\w*|PWD|SECRET|TOKEN|KEY)["']?\s*[=:]|PRIVATE KEY/i;

/** Whether a value is masked until the person asks for it. */
export function looksSecret(name: string, value: string): boolean {
  return secretName.test(name) || secretValue.test(value);
}

const ofThePlatform =
  /_VERSION$|^(DOCKER_EXPOSED_PORT|MASTER_(HOST|ID|IP)|PATH|STACK_(NAME|PATH|USER)|ON_ENV_INSTALL|JELASTIC_PORTS)$/;

/** Whether the platform sets the variable itself, or reads it only when a container is created. */
export function isOfThePlatform(name: string): boolean {
  return ofThePlatform.test(name);
}

/** A variable of this name broke containers of a platform release. */
export const brokenName = 'result';

/** Whether a value isn't safe in a file that a shell reads, where variables end up. */
export function isRiskyInShell(value: string): boolean {
  return /["'`\\$\p{Cc}]/u.test(value);
}

/** Returns an environment for programs that must not know anything about the user who started the platform. */
export const bareEnvironment = (home: string): Record<string, string> => ({
  HOME: home,
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  // Windows can't start programs without these two.
  ...(process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'], TEMP: home }),
});

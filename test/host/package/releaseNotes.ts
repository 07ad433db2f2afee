export interface ReleaseInput {
  /** For example v1.2.3. */
  readonly tag: string;
  readonly version: string;
  readonly changelog: string;
  /** The tests that are known to be flaky. */
  readonly flaky: readonly unknown[];
}

/** Whether the changelog has a version that was released. */
export function hasRelease(changelog: string): boolean {
  return /^## \d/m.test(changelog);
}

/** Returns the section of the changelog about the version. Throws if the tag names another version, there is no text, or a test is flaky. */
export function releaseNotes({ tag, version, changelog, flaky }: ReleaseInput): string {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has version ${version}.`);
  if (flaky.length > 0) throw new Error('test/flaky.json names flaky tests. Repair them before a release.');
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\S+/.exec(text)?.[0] === version);
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no section “${version}” with text.`);
  return notes;
}

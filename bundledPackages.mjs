// Lists the npm packages whose code is in the bundle, for the licenses in the extension and for the release's SBOM.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns name, version, license and license text of each package with code in the bundle, sorted by name. */
export function bundledPackages({ outputs }) {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = new Set(used.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].map(describePackage).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describePackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (license === undefined || file === undefined) throw new Error(`${name} has no license to ship.`);
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8').trim() };
}

export function thirdPartyNotices(packages) {
  const notices = packages.map(
    ({ name, version, license, text }) => `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`,
  );
  return ['Gantry contains code from the following packages.\n', ...notices].join('\n');
}

/** Returns a software bill of materials in CycloneDX 1.6 for the extension's version. */
export function softwareBillOfMaterials({ name, version, license }, packages) {
  const licensed = (one) => ({ name: one.name, version: one.version, licenses: [{ license: { id: one.license } }] });
  const purl = (one) => `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;
  const component = (one) => ({ type: 'library', 'bom-ref': purl(one), ...licensed(one), purl: purl(one) });
  const extension = { type: 'application', 'bom-ref': name, ...licensed({ name, version, license }) };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: extension },
    components: packages.map(component),
    dependencies: [{ ref: name, dependsOn: packages.map(purl) }],
  };
}

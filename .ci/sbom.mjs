// Prints the CycloneDX list of the packages installed with ours: `npm run --silent sbom`. The same lock file gives the same bytes.
// The package contains the list as `lib/sbom.cdx.json`.
// `npm sbom --omit=dev` of npm 11 omits packages that a development tool also needs, such as yaml. So this script filters the full list.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { name: ownName, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const npm = ['sbom', '--sbom-format=cyclonedx'];
const list = JSON.parse(execFileSync('npm', npm, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] }));

const dependenciesOf = new Map(list.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const own = list.metadata.component['bom-ref'];
const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'));
const direct = dependenciesOf.get(own).filter((ref) => Object.hasOwn(dependencies, nameOf(ref)));
const missing = Object.keys(dependencies).filter((name) => !direct.some((ref) => nameOf(ref) === name));
if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}: install first, with npm ci`);

const installed = new Set(direct);
for (const ref of installed) for (const next of dependenciesOf.get(ref) ?? []) installed.add(next);
/** Removes the property that marks a development dependency: these packages are also needed at run time. */
const withoutDevelopmentMark = (component) => ({
  ...component,
  properties: component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development'),
});
const components = list.components.filter((component) => installed.has(component['bom-ref'])).map(withoutDevelopmentMark);
const graph = [{ ref: own, dependsOn: direct }, ...[...installed].map((ref) => ({ ref, dependsOn: dependenciesOf.get(ref) ?? [] }))];
// npm names the package after its folder, and generates a new timestamp and serial number in each run.
const { serialNumber: _, ...document } = list;
const { timestamp: __, ...metadata } = { ...list.metadata, component: { ...list.metadata.component, name: ownName } };
process.stdout.write(`${JSON.stringify({ ...document, metadata, components, dependencies: graph }, null, 2)}\n`);

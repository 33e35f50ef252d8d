// Prints the CycloneDX list of what is installed with the package: `npm run --silent sbom`. Same lock file, same bytes; the package holds it as `lib/sbom.cdx.json`.
// `npm sbom --omit=dev` of npm 11 leaves out what a development tool needs as well, such as yaml, so the whole list is cut down here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { name: ownName, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const npm = ['sbom', '--sbom-format=cyclonedx'];
const list = JSON.parse(execFileSync('npm', npm, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] }));

const needs = new Map(list.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const own = list.metadata.component['bom-ref'];
const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'));
const direct = needs.get(own).filter((ref) => Object.hasOwn(dependencies, nameOf(ref)));
const missing = Object.keys(dependencies).filter((name) => !direct.some((ref) => nameOf(ref) === name));
if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}: install first, with npm ci`);

const installed = new Set(direct);
for (const ref of installed) for (const next of needs.get(ref) ?? []) installed.add(next);
/** Here it is needed to run, whatever else needs it. */
const asInstalled = (component) => ({
  ...component,
  properties: component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development'),
});
const components = list.components.filter((component) => installed.has(component['bom-ref'])).map(asInstalled);
const graph = [{ ref: own, dependsOn: direct }, ...[...installed].map((ref) => ({ ref, dependsOn: needs.get(ref) ?? [] }))];
// npm calls the package by the folder that it stands in, and draws a time and a number anew each run.
const { serialNumber: _, ...kept } = list;
const { timestamp: __, ...metadata } = { ...list.metadata, component: { ...list.metadata.component, name: ownName } };
process.stdout.write(`${JSON.stringify({ ...kept, metadata, components, dependencies: graph }, null, 2)}\n`);

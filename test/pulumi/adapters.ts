import { App, Chart, Testing, Yaml } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ComponentResource } from '@pulumi/pulumi';
import { isFields } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import { SourceMap } from '../../src/input/source-map';
import { readMaps } from '../../src/input/read';
import { run } from './program';

/** Returns the objects that cdk8s writes for a chart. */
export function cdk8sObjects(build: (chart: Construct) => unknown): Manifest[] {
  const chart = new Chart(new App(), 'chart');
  build(chart);
  return Testing.synth(chart) as Manifest[];
}

/** Returns the objects that Pulumi registers below a component, without annotations for Pulumi itself. */
export async function pulumiObjects(build: () => ComponentResource): Promise<Manifest[]> {
  const { resources } = await run(build, { preview: false });
  return resources.filter(({ type }) => type.startsWith('kubernetes:')).map(({ inputs }) => withoutPulumi(inputs as unknown as Manifest));
}

function withoutPulumi(object: Manifest): Manifest {
  const { annotations, ...metadata } = object.metadata!;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !name.startsWith('pulumi.com/'));
  return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) } };
}

/** Writes objects as YAML and reads them like the command line. */
export function throughYaml(objects: readonly Manifest[]): Manifest[] {
  const { maps, findings } = readMaps({ file: 'manifests.yaml', content: Buffer.from(Yaml.stringify(...objects)) }, new SourceMap());
  expect(findings).toEqual([]);
  return maps as unknown as Manifest[];
}

/** Sorts objects and removes undefined and null values, which no adapter sends, so that adapters can be compared. */
export function comparable(objects: readonly Manifest[]): unknown[] {
  const keyed = objects.map((object) => [`${object.kind} ${object.metadata?.name}`, dense(object)] as const);
  return keyed.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, object]) => object);
}

function dense(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dense);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .map(([field, inner]) => [field, dense(inner)]),
  );
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import { automaticPartitions, FleetBundle, Inventory, partitionsByLabel } from 'rolloutkit';
import type { BundleOutputProps, FleetYamlOutputProps } from 'rolloutkit';
import { parseAllDocuments } from 'yaml';
import { fieldsAt, valueAt } from '../../src/core/manifest';
import type { Fields, Manifest } from '../../src/core/manifest';
import { unknownFieldFindings, wrongTypeFindings } from '../../src/systems/fleet/field-check';
import { BUNDLE_SPEC_FIELDS, FLEET_YAML_FIELDS } from '../../src/systems/fleet/fields';
import type { FieldRule, FieldTree } from '../../src/systems/fleet/fields';
import { customResourceCheck, haveCrds } from './crd-schema';

const FOLDER = 'fleet-v0.16.1';
const FILE = path.resolve(__dirname, '../../../shared/crds', FOLDER, 'crds.yaml');

/** Every option of a bundle that the props know, in some value. */
const OPTIONS = {
  defaultNamespace: 'shop',
  namespace: 'shop',
  createNamespace: true,
  deleteNamespace: false,
  namespaceLabels: { team: 'web' },
  namespaceAnnotations: { owner: 'ada' },
  helm: {
    chart: 'shop',
    repo: 'https://charts.example.com',
    version: '1.2.3',
    releaseName: 'shop',
    values: { replicas: 3, nested: { any: ['thing'] } },
    templateValues: { region: '${ .ClusterLabels.region }' },
    valuesFiles: ['values.yaml'],
    valuesFrom: [{ configMapKeyRef: { name: 'values', namespace: 'shop', key: 'values.yaml' } }, { secretKeyRef: { name: 'secret' } }],
    timeoutSeconds: 60,
    force: false,
    takeOwnership: false,
    maxHistory: 5,
    waitForJobs: true,
    atomic: true,
    disablePreProcess: false,
    disableDNS: false,
    skipSchemaValidation: false,
    disableDependencyUpdate: false,
  },
  kustomize: { dir: 'overlays/eu' },
  yaml: { overlays: ['eu'] },
  serviceAccount: 'deployer',
  forceSyncGeneration: 1,
  diff: {
    comparePatches: [
      {
        apiVersion: 'v1',
        kind: 'Service',
        name: 'shop',
        namespace: 'shop',
        jsonPointers: ['/spec'],
        operations: [{ op: 'remove', path: '/spec' }],
      },
    ],
  },
  keepResources: false,
  deleteCRDResources: false,
  ignore: { conditions: [{ type: 'Ready', status: 'False' }] },
  correctDrift: { enabled: true, force: false, keepFailHistory: false },
  downstreamResources: [{ kind: 'Secret', name: 'pull' }],
} as const;

const COMMON = {
  ...OPTIONS,
  paused: false,
  dependsOn: [{ name: 'base' }, { selector: { matchLabels: { tier: 'base' } }, acceptedStates: ['Ready', 'Modified'] }],
  targetCustomizationMode: 'AllMatches',
  targets: [{ name: 'all', clusterSelector: {} }],
  targetCustomizations: [
    { name: 'eu', clusterGroup: 'eu', helm: { values: { region: 'eu' } } },
    { name: 'paris', clusterName: 'paris', doNotDeploy: true },
    { name: 'big', clusterGroupSelector: { matchExpressions: [{ key: 'size', operator: 'In', values: ['big'] }] }, namespace: 'big' },
  ],
  inventory: Inventory.of({ clusters: [{ name: 'paris', labels: { env: 'prod' } }] }),
} as const;

const GROUP = { name: 'eu', labels: { size: 'big' }, selector: { matchExpressions: [{ key: 'region', operator: 'Exists' as const }] } };

const BUNDLES: readonly BundleOutputProps[] = [
  {
    ...COMMON,
    rollout: {
      maxUnavailable: '10%',
      maxUnavailablePartitions: 1,
      maxNew: 10,
      partitions: [...partitionsByLabel('env', ['prod'], { prod: 1 }), { name: 'eu', group: GROUP }],
    },
  },
  { ...COMMON, rollout: { maxUnavailable: 1, fullReadiness: true, partitions: partitionsByLabel('env', ['staging', 'prod']) } },
  { ...COMMON, rollout: { maxUnavailable: 1, partitions: automaticPartitions({ size: 10, from: 5 }) } },
  { ...COMMON, rollout: { maxConcurrentPulls: 40 } },
];

const FLEET_YAML: FleetYamlOutputProps = {
  ...COMMON,
  output: 'fleet.yaml',
  metadata: { labels: { team: 'web' } },
  gitRepo: { repo: 'https://git.example.com/shop', branch: 'main', paths: ['bundles/shop'], pollingInterval: '1m' },
  rollout: BUNDLES[0]!.rollout,
  imageScans: [{ tagName: 'shop', image: 'registry.example.com/shop', interval: '5m', policy: { semver: { range: '*' } } }],
};

function emitted(): Manifest[] {
  const chart = new Chart(new App(), 'fleet', { namespace: 'fleet-default' });
  BUNDLES.forEach((props, index) => new FleetBundle(chart, `shop-${index}`, props));
  void new FleetBundle(chart, 'git', FLEET_YAML);
  return Testing.synth(chart) as Manifest[];
}

const withCrds = haveCrds && existsSync(FILE) ? describe : describe.skip;
const missing = haveCrds ? '' : ' (the upstream CRDs are not at hand: no folder ../shared/crds)';

withCrds(`the CRDs of ${FOLDER} take what FleetBundle emits${missing}`, () => {
  test.each(['Bundle', 'GitRepo', 'ClusterGroup'])('every %s', (kind) => {
    const objects = emitted().filter((object) => object.kind === kind);
    expect(objects).not.toEqual([]);
    const check = customResourceCheck(FOLDER, 'crds.yaml', 'v1alpha1', objects);
    expect(objects.flatMap((object) => (check(object as unknown) ? [] : [[object.metadata?.name, check.errors]]))).toEqual([]);
  });

  test('and refuse what is none of theirs', () => {
    const [bundle] = emitted().filter((object) => object.kind === 'Bundle');
    const mistaken = { ...bundle, spec: { ...(bundle!.spec as object), rolloutStrategy: { maxUnavailble: 1 } } } as Manifest;
    expect(customResourceCheck(FOLDER, 'crds.yaml', 'v1alpha1', [mistaken])(mistaken as unknown)).toBe(false);
  });

  test('the fields that the plan knows are those of the CRD, and what Fleet itself fills in', () => {
    const schema = bundleSchema();
    expect(differences(BUNDLE_SPEC_FIELDS, schema, 'spec')).toEqual([
      'spec.allowPodSecurityNamespaceLabels is not in the CRD',
      'spec.contentsId is not known',
      'spec.helmOpOptions is not known',
      'spec.resources is not known',
      'spec.targets.allowPodSecurityNamespaceLabels is not in the CRD',
      'spec.valuesHash is not known',
    ]);
  });
});

test("Fleet's own list of fields takes the fleet.yaml that FleetBundle writes, every option in it", () => {
  const chart = new Chart(new App(), 'fleet', { namespace: 'fleet-default' });
  const content = new FleetBundle(chart, 'git', FLEET_YAML).fleetYaml! as Fields;
  const reader = { version: '0.16', ignoresCase: false, refusal: 'refused' };
  expect(unknownFieldFindings(content, FLEET_YAML_FIELDS, '', reader)).toEqual([]);
  expect(wrongTypeFindings(content, FLEET_YAML_FIELDS, '', reader)).toEqual([]);
  const written = new Set(Object.keys(content));
  expect(Object.keys(FLEET_YAML_FIELDS).filter((field) => !written.has(field))).toEqual([
    'overwrites',
    'allowPodSecurityNamespaceLabels',
    'allowedTargetNamespaceSelector',
    'targets',
    'overrideTargets',
  ]);
});

function bundleSchema(): Fields {
  const documents = parseAllDocuments(readFileSync(FILE, 'utf8')).map((document) => document.toJS() as unknown);
  const crd = documents.find((document) => valueAt(document, 'spec', 'names', 'kind') === 'Bundle');
  return fieldsAt(crd, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties');
}

/** What one of the two knows and the other does not, by field path. */
function differences(known: FieldTree, schema: Fields, at: string): string[] {
  const extra = Object.keys(known)
    .filter((field) => !(field in schema))
    .map((field) => `${at}.${field} is not in the CRD`);
  const unknown = Object.keys(schema)
    .filter((field) => !(field in known))
    .map((field) => `${at}.${field} is not known`);
  const below = Object.entries(known).flatMap(([field, rule]: [string, FieldRule]) => {
    const inner = fieldsAt(schema, field, 'items', 'properties');
    const properties = Object.keys(inner).length > 0 ? inner : fieldsAt(schema, field, 'properties');
    return rule.fields && field in schema ? differences(rule.fields, properties, `${at}.${field}`) : [];
  });
  return [...extra, ...unknown, ...below].toSorted();
}

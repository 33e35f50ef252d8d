import { App, Chart, Testing } from 'cdk8s';
import { automaticPartitions, FleetBundle, Inventory, partitionsByLabel } from 'rolloutkit';
import type { BundleOutputProps, FleetYamlOutputProps } from 'rolloutkit';
import { ROOT_PATH } from '../../src/core/manifest/field-path';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { findSchemaProblems } from '../../src/core/values/schema';
import type { FieldSchemas } from '../../src/core/values/schema';
import { BUNDLE_SPEC_FIELDS, FLEET_YAML_SCHEMA, FLEET_YAML_FIELDS } from '../../src/systems/fleet/schemas';
import { expectFields, expectRefused, expectTaken } from './crd-verdicts';

const CRDS = 'fleet-v0.16.1';

/** Every option of a bundle in the props, with some value. */
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
  // In a separate app, because it has a ClusterGroup with the same name.
  const other = new Chart(new App(), 'fleet', { namespace: 'fleet-default' });
  void new FleetBundle(other, 'git', FLEET_YAML);
  return [...Testing.synth(chart), ...Testing.synth(other)] as Manifest[];
}

describe(`the CRDs of ${CRDS} accept what FleetBundle emits`, () => {
  test.each(['Bundle', 'GitRepo', 'ClusterGroup'])('every %s', (kind) => {
    expectTaken(
      CRDS,
      emitted().filter((object) => object.kind === kind),
    );
  });

  test('and refuse unknown fields', () => {
    const [bundle] = emitted().filter((object) => object.kind === 'Bundle');
    const mistaken = { ...bundle!, spec: { ...(bundle!.spec as object), rolloutStrategy: { maxUnavailble: 1 } } };

    expectRefused(CRDS, mistaken, [{ field: 'spec.rolloutStrategy.maxUnavailble', type: 'unknown field' }]);
  });

  test('the plan knows the fields of the CRD and those that Fleet itself sets', () => {
    expectFields(CRDS, 'fleet.cattle.io/v1alpha1 Bundle', knownFields(BUNDLE_SPEC_FIELDS, 'spec'), [
      'spec.allowPodSecurityNamespaceLabels is not in the CRD',
      'spec.contentsId is not known',
      'spec.helmOpOptions is not known',
      'spec.resources is not known',
      'spec.targets.allowPodSecurityNamespaceLabels is not in the CRD',
      'spec.valuesHash is not known',
    ]);
  });
});

test("Fleet's own list of fields accepts the fleet.yaml that FleetBundle writes, with every option", () => {
  const chart = new Chart(new App(), 'fleet', { namespace: 'fleet-default' });
  const content = new FleetBundle(chart, 'git', FLEET_YAML).fleetYaml! as Fields;
  expect(findSchemaProblems(content, FLEET_YAML_SCHEMA, ROOT_PATH, { version: '0.16' })).toEqual([]);
  const written = new Set(Object.keys(content));
  expect(Object.keys(FLEET_YAML_FIELDS).filter((field) => !written.has(field))).toEqual([
    'overwrites',
    'allowPodSecurityNamespaceLabels',
    'allowedTargetNamespaceSelector',
    'targets',
    'overrideTargets',
  ]);
});

/** Returns the fields of a tree, by the path of the map that contains them. */
function knownFields(tree: FieldSchemas, at: string): Map<string, string[]> {
  const below = Object.entries(tree).flatMap(([field, rule]) => (rule.fields ? [...knownFields(rule.fields, `${at}.${field}`)] : []));
  return new Map([[at, Object.keys(tree)], ...below]);
}

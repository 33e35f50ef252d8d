/** The fields of a Bundle and of a HelmOp by name: misspelled ones are reported as those of a fleet.yaml are. */
import { parse } from 'yaml';
import { planManifests } from '../../../src/headless';

/** Returns the unknown fields of an object, with the name that was probably intended. */
function unknownFields(object: unknown): string[] {
  const { rollouts } = planManifests([object]);
  return rollouts
    .flatMap(({ findings }) => findings)
    .filter(({ code }) => code === 'input/unknown-field')
    .map(({ severity, path, data }) => `${severity} ${path} -> ${String(data.nearest)}`);
}

const METADATA = { apiVersion: 'fleet.cattle.io/v1alpha1', metadata: { name: 'shop', namespace: 'fleet-default' } };

function objectOf(kind: string, spec: string): object {
  return { ...METADATA, kind, spec: parse(spec) as unknown };
}

test('misspelled fields at any depth', () => {
  const spec = `
rolloutStrateg: { maxUnavailable: 1 }
target: []
targets: [{ clusterSelecto: { matchLabels: { any: key } }, helm: { value: { any: key } } }]
helm: { atomc: true, values: { any: key }, valuesFrom: [{ configMapKeyRef: { nam: a } }] }
resources: [{ content: "a: b", file: a.yaml }]
dependsOn: [{ nam: a }]
overwrites: [{ kind: Secret, named: a }]
`;
  const expected = [
    'warning spec.rolloutStrateg -> rolloutStrategy',
    'warning spec.target -> targets',
    'warning spec.targets[0].clusterSelecto -> clusterSelector',
    'warning spec.targets[0].helm.value -> values',
    'warning spec.helm.atomc -> atomic',
    'warning spec.helm.valuesFrom[0].configMapKeyRef.nam -> name',
    'warning spec.resources[0].file -> undefined',
    'warning spec.dependsOn[0].nam -> name',
    'warning spec.overwrites[0].named -> name',
  ];
  expect(unknownFields(objectOf('Bundle', spec))).toEqual(expected);
  expect(unknownFields(objectOf('HelmOp', spec))).toEqual(expected);
  expect(unknownFields({ ...METADATA, kind: 'Bundle', metadata: { name: 'a', label: {} }, specs: {}, spec: {} })).toEqual([
    'warning metadata.label -> labels',
    'warning specs -> spec',
  ]);
});

const OPTIONS = `
defaultNamespace: a
namespace: a
createNamespace: true
deleteNamespace: true
namespaceLabels: { any: key }
namespaceAnnotations: { any: key }
kustomize: { dir: a }
yaml: { overlays: [a] }
serviceAccount: a
forceSyncGeneration: 1
keepResources: true
deleteCRDResources: true
ignore: { conditions: [{ any: key }] }
correctDrift: { enabled: true, force: true, keepFailHistory: true }
downstreamResources: [{ kind: Secret, name: a }]
overwrites: [{ kind: Secret, name: a, namespace: a }]
allowedTargetNamespaceSelector: { matchLabels: { any: key }, matchExpressions: [{ key: a, operator: In, values: [a] }] }
diff:
  comparePatches:
    - { apiVersion: v1, kind: Secret, name: a, namespace: a, jsonPointers: [/a], operations: [{ op: remove, path: /a, value: a }] }
helm:
  chart: a
  repo: a
  version: 1.0.0
  releaseName: a
  values: { any: key }
  templateValues: { any: key }
  valuesFiles: [a]
  valuesFrom:
    - configMapKeyRef: { name: a, namespace: a, key: a }
      secretKeyRef: { name: a, namespace: a, key: a }
  timeoutSeconds: 1
  force: true
  takeOwnership: true
  maxHistory: 1
  waitForJobs: true
  atomic: true
  disablePreProcess: true
  disableDNS: true
  skipSchemaValidation: true
  disableDependencyUpdate: true
`;

const CRITERIA = `
name: a
clusterName: a
clusterSelector: { matchLabels: { any: key }, matchExpressions: [{ key: a, operator: In, values: [a] }] }
clusterGroup: a
clusterGroupSelector: { matchLabels: { any: key }, matchExpressions: [{ key: a, operator: In, values: [a] }] }
`;

const STRATEGY = `
maxUnavailable: 1
maxUnavailablePartitions: 1
autoPartitionSize: 1
autoPartitionThreshold: 1
maxNew: 1
`;

const OTHERS = `
paused: true
targetCustomizationMode: FirstMatch
dependsOn: [{ name: a, selector: { matchLabels: { any: key } }, acceptedStates: [Ready] }]
resources: [{ name: a, content: a, encoding: a }]
contentsId: a
valuesHash: a
`;

const OF_A_HELM_OP = `
labels: { any: key }
helmSecretName: a
insecureSkipTLSVerify: true
pollingInterval: 1m
`;

test('no field of the CRDs from v0.12 is unknown, but a Bundle lacks those of a HelmOp', () => {
  const [options, criteria, strategy, others] = [OPTIONS, CRITERIA, STRATEGY, OTHERS].map((text) => parse(text) as object);
  const spec = {
    ...options,
    ...others,
    rolloutStrategy: { ...strategy, partitions: [{ ...criteria, maxUnavailable: 1 }] },
    targets: [{ ...options, ...criteria, doNotDeploy: true }],
    targetRestrictions: [criteria],
    helmOpOptions: { helmOpSecretName: 'a', helmOpInsecureSkipTLSVerify: true, helmOpCABundle: 'YQ==' },
    helmAppOptions: { helmAppSecretName: 'a', helmAppInsecureSkipTLSVerify: true },
  };
  const ofHelmOp = { ...spec, ...(parse(OF_A_HELM_OP) as object) };
  const findings = (kind: string, own: object) =>
    planManifests([{ ...METADATA, kind, spec: own }])
      .rollouts.flatMap((rollout) => rollout.findings)
      .filter(({ code }) => code.startsWith('input/'));
  expect(findings('Bundle', spec)).toEqual([]);
  expect(findings('HelmOp', ofHelmOp)).toEqual([]);
  expect(findings('Bundle', ofHelmOp).map(({ path }) => path)).toEqual([
    'spec.labels',
    'spec.helmSecretName',
    'spec.insecureSkipTLSVerify',
    'spec.pollingInterval',
  ]);
});

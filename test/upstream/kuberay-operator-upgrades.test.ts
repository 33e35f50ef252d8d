import { planRecordedUpgrades } from './operator-upgrades';
import type { ComparedUpgrade } from './operator-upgrades';

/** What every head pod says about the version that created it. No row lists it. */
const VERSION_TAGS = [
  '.annotations.ray.io/kuberay-version',
  '.annotations.ray.io/upgrade-strategy-recreate-hash',
  '.spec.containers[ray].env[RAY_USAGE_STATS_EXTRA_TAGS].value',
];

/** The rows about pods that are created again, with what they change. */
const CHANGED_PATHS: Readonly<Record<string, RegExp>> = {
  'namespace-variable': /\.env\[RAY_CLUSTER_NAMESPACE\]|\.labels\.ray\.io\/(?:replica-host-index|worker-group-replica-(?:index|name))$/,
  'http-probes': /Probe\.httpGet$/,
  'probe-ports': /Probe\.exec\.command\[2\]$/,
  'plasma-directory': /\.volumes(?:\[shared-mem\])?$/,
};

/** Paths that always differ together with one of a row. */
const ACCOMPANYING = /Probe\.exec$|\.volumeMounts(?:\[shared-mem\])?$/;

function recordedEffect({ recorded: { differences = {}, replaced, recreated = {} } }: ComparedUpgrade) {
  const paths = Object.values(recreated)
    .flat()
    .filter((path) => !VERSION_TAGS.includes(path));
  const rows = Object.entries(CHANGED_PATHS).filter(([, pattern]) => paths.some((path) => pattern.test(path)));
  const patterns = [...Object.values(CHANGED_PATHS), ACCOMPANYING];
  return {
    replaced: replaced ?? 0,
    rows: rows.map(([id]) => id),
    rewritesCluster: Object.keys(differences).some((name) => name.startsWith('RayCluster ')),
    others: paths.filter((path) => !patterns.some((pattern) => pattern.test(path))),
  };
}

function plannedEffect({ effect, rows }: ComparedUpgrade) {
  return {
    replaced: effect === 'roll' ? 1 : 0,
    rows: Object.keys(CHANGED_PATHS).filter((id) => rows.includes(id)),
    rewritesCluster: rows.includes('rewritten-cluster'),
    others: [],
  };
}

test('an upgrade of KubeRay replaces no pod, and pods that are created again differ in what its rows say', () => {
  const upgrades = planRecordedUpgrades('kuberay-operator-upgrades', 'kuberay');
  expect(upgrades.length).toBeGreaterThan(10);
  const differing = upgrades.filter((one) => JSON.stringify(plannedEffect(one)) !== JSON.stringify(recordedEffect(one)));
  expect(differing.map((one) => [one.input, recordedEffect(one), plannedEffect(one)])).toEqual([]);
});

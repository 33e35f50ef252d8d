import type { Manifest } from '../../../src/core/manifest/manifest';
import { getListAt, getValueAt } from '../../../src/core/manifest/manifest';
import { buildOperatorGateway, buildOperatorRoute } from '../../../src/systems/kuberay/objects';
import { simulateRollbackSteps, simulateUpgradeSteps } from '../../../src/systems/kuberay/simulate';
import { resolveDeletionDelay } from '../../../src/systems/kuberay/strategy';
import { diffRayServices, rollsBack } from '../../../src/systems/kuberay/trigger';
import { applyCapacityRule, isPromoted, isRolledBack, shiftTraffic } from '../../../src/systems/kuberay/upgrade-loop';
import type { UpgradeState } from '../../../src/systems/kuberay/upgrade-loop';
import { CLUSTER, incremental, lines, rayService, rolloutOf, simulationOf } from './plan';
import { KUBERAY_TABLES } from './upstream-cases';
import type { GatewayRow, RouteRow, Rows, Shares } from './upstream-cases';

/** Computes the result for a row, with the fields of the row, which is the expected result. */
type Runs = { readonly [Table in keyof Rows]: (row: Rows[Table]) => object };

const INCREMENTAL = 'NewClusterWithIncrementalUpgrade';

const RUNS: Runs = {
  newRoute: routeOf,
  keptRoute: routeOf,
  newGateway: gatewayOf,
  // The operator overwrites the existing object.
  keptGateway: gatewayOf,
  nextCapacities: ({ maxSurgePercent, active, pending, sentTo }) => {
    const after = applyCapacityRule(state([active, 100 - pending[1]], pending), maxSurgePercent);
    const becomes = [after.activeTargetCapacity, after.pendingTargetCapacity];
    return { sent: sentTo === 'active' ? becomes[0] : becomes[1], becomes };
  },
  capacityChanges: ({ active, pending }) => {
    const before = state(active, pending);
    return { promoted: isPromoted(before), grows: applyCapacityRule(before, 20).pendingTargetCapacity > before.pendingTargetCapacity };
  },
  rollsBack: ({ active, pending, wanted }) => ({ rollsBack: rollsBack(clusterOf(wanted), clusterOf(active), clusterOf(pending)) }),
  rolledBack: ({ active, pending, pendingReady }) => ({ rolledBack: isRolledBack(state(active, pending), pendingReady) }),
  deletionDelay: ({ written }) => ({
    seconds: resolveDeletionDelay(rayService({}, { rayClusterDeletionDelaySeconds: written ?? undefined }) as Manifest),
  }),
  zeroDowntime: ({ type }) => ({ zeroDowntime: simulationOf(rayService({ type: type ?? undefined })).outcome === 'promoted' }),
  newCluster: ({ active, wanted }) => ({ newCluster: diffRayServices(clusterOf(active), clusterOf(wanted)).triggers === 'new-cluster' }),
  sameCluster: ({ groupsMayGrow, changes }) => {
    const { triggers } = diffRayServices(withCluster(CLUSTER), withCluster(changed(changes)));
    return { same: triggers === 'none' || (groupsMayGrow && triggers === 'in-place') };
  },
  sameHash: ({ change }) => ({ same: diffRayServices(withCluster(CLUSTER), withCluster(changed([change]))).triggers === 'none' }),
  activeInPlace: ({ change }) => ({ effect: diffRayServices(withCluster(CLUSTER), withCluster(changed([change]))).triggers }),
  configSent: ({ current, wanted }) => ({
    sent: diffRayServices(withConfig(current), withConfig(wanted)).triggers === 'in-place',
  }),
  incremental: ({ type }) => {
    const clusterUpgradeOptions = { gatewayClassName: 'istio', stepSizePercent: 5, intervalSeconds: 10 };
    const strategy = type === null ? { type } : { type, clusterUpgradeOptions };
    return { incremental: simulationOf(rayService(strategy)).type === INCREMENTAL };
  },
  upgradeOptions: ({ options, autoscaling }) => {
    const strategy = { type: INCREMENTAL, clusterUpgradeOptions: options ?? undefined };
    return { accepted: !isRefused(rayService(strategy, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: autoscaling } })) };
  },
  specs: ({ change }) => ({ accepted: !isRefused(specWith(change)) }),
  metadata: ({ letter, times, timeout }) => {
    const metadata = letter ? { name: letter.repeat(times!) } : { name: 'llm', annotations: { 'ray.io/initializing-timeout': timeout } };
    return { accepted: !isRefused(rayService({}, {}, metadata)) };
  },
  steps: (pace) => ({ steps: singleSteps(pace) }),
  rollbacks: (row) => ({ restored: endsOfRollbacks(row).every(Boolean) }),
};

/** Upstream rows that are not among the cases, and why a plan does not cover them. */
const SKIPPED_ROWS: Readonly<Record<string, readonly { readonly rows: number; readonly why: string }[]>> = {
  capacityChanges: [
    { rows: 1, why: 'how the operator remembers what it created; the plan starts with a running cluster' },
    { rows: 2, why: 'the plan assumes that the Gateway and the HTTPRoute are ready' },
  ],
  configDuringRollback: [
    { rows: 3, why: 'which cluster gets a new Serve config during an upgrade; the plan shows capacities and weights' },
  ],
  clusterServices: [{ rows: 3, why: 'the Services of the clusters are not part of the plan; only their names are, in the HTTPRoute' }],
  zeroDowntime: [{ rows: 1, why: 'ENABLE_ZERO_DOWNTIME is set in the operator, not in the RayService' }],
  newCluster: [{ rows: 3, why: 'how the operator remembers what it created; the plan starts with a running cluster' }],
  activeInPlace: [{ rows: 1, why: 'an upgrade of the operator itself' }],
  pendingInPlace: [{ rows: 1, why: 'how the operator remembers what it created; the plan starts with a running cluster' }],
  configSent: [{ rows: 3, why: 'how the operator remembers what it sent; the plan starts with a running cluster' }],
  condition: [{ rows: 5, why: 'the status of a running service is not an input of a plan' }],
  gatewayReady: [{ rows: 4, why: 'the plan assumes that the Gateway and the HTTPRoute are ready' }],
  routeReady: [{ rows: 5, why: 'the plan assumes that the Gateway and the HTTPRoute are ready' }],
  incremental: [
    { rows: 1, why: 'with the gate off nothing is rolled out; the plan assumes that it is on, and kuberay/feature-gate reports this' },
  ],
  routeWeights: [{ rows: 5, why: 'the status of a running service is not an input of a plan' }],
  equalRoutes: [{ rows: 13, why: 'the operator compares live objects with its own; the plan has no live objects' }],
  equalGateways: [{ rows: 10, why: 'the operator compares live objects with its own; the plan has no live objects' }],
  rollbacks: [
    { rows: 1, why: 'a rollback that is itself reverted; the plan shows a complete rollback' },
    { rows: 1, why: 'a head pod that dies during a rollback' },
  ],
};

function state([activeTargetCapacity, activeTraffic]: Shares, [pendingTargetCapacity, pendingTraffic]: Shares): UpgradeState {
  return { activeTargetCapacity, activeTraffic, pendingTargetCapacity, pendingTraffic };
}

const SERVICE = rayService({}, {}, { name: 'test-rayservice', namespace: 'test-ns' }) as Manifest;

/** Returns the weights of the rule and the route with step 10 and interval 30. */
function routeOf(row: RouteRow): object {
  if (row.options === null) return refusalWithoutOptions();
  if (row.pending === false) return { weights: weightsOf(buildOperatorRoute(SERVICE)) };
  const pace = { maxSurgePercent: 100, stepSizePercent: 10, intervalSeconds: 30 };
  const gate = { ready: row.ready!, secondsSinceShift: row.secondsSinceShift ?? Infinity };
  const shifted = shiftTraffic(state([100, 100], [row.pendingTargetCapacity!, 0]), pace, gate);
  return { weights: weightsOf(buildOperatorRoute(SERVICE, shifted)) };
}

function weightsOf(route: Manifest): unknown[] {
  return getListAt(route, 'spec', 'rules', 0, 'backendRefs').map((backend) => getValueAt(backend, 'weight'));
}

function refusalWithoutOptions(): object {
  return { refused: isRefused(rayService({ type: INCREMENTAL })) };
}

/** Returns the fields of the Gateway that the row lists. */
function gatewayOf(row: GatewayRow): object {
  if (row.options === null) return refusalWithoutOptions();
  const service = rayService({}, {}, { name: row.service, namespace: row.namespace });
  const { metadata, spec } = buildOperatorGateway(service as Manifest, row.gatewayClassName!);
  const { gatewayClassName, listeners } = spec as { gatewayClassName: string; listeners: unknown[] };
  const created = { name: metadata!.name, namespace: metadata!.namespace, gatewayClassName, listeners: listeners.length };
  return { gateway: Object.fromEntries(Object.entries(created).filter(([field]) => field in row.gateway!)) };
}

/** Returns a RayService with a cluster that this letter distinguishes from others. */
function clusterOf(letter: string): Manifest {
  return withCluster({ ...CLUSTER, rayVersion: letter });
}

function withCluster(rayClusterConfig: object): Manifest {
  return rayService({}, { rayClusterConfig }) as Manifest;
}

function withConfig(serveConfigV2: string): Manifest {
  return rayService({}, { serveConfigV2 }) as Manifest;
}

type Cluster = typeof CLUSTER;

/** Sets these fields in the pods of the head and of the workers. */
function withPods(cluster: Cluster, fields: object): Cluster {
  const podOf = <Group extends { template: { spec: object } }>(group: Group) => ({
    ...group,
    template: { spec: { ...group.template.spec, ...fields } },
  });
  return { ...cluster, headGroupSpec: podOf(cluster.headGroupSpec), workerGroupSpecs: cluster.workerGroupSpecs.map(podOf) };
}

const CHANGES: Readonly<Record<Rows['sameHash']['change'], (cluster: Cluster) => Cluster>> = {
  replicas: (cluster) => ({ ...cluster, workerGroupSpecs: cluster.workerGroupSpecs.map((group) => ({ ...group, replicas: 7 })) }),
  rayVersion: (cluster) => ({ ...cluster, rayVersion: '2.52.0' }),
  group: (cluster) => ({
    ...cluster,
    workerGroupSpecs: [...cluster.workerGroupSpecs, { ...CLUSTER.workerGroupSpecs[0]!, groupName: 'more' }],
  }),
  tolerations: (cluster) => withPods(cluster, { tolerations: [{ key: 'gpu' }] }),
  schedulingGates: (cluster) => withPods(cluster, { schedulingGates: [{ name: 'wait' }] }),
};

/** Returns the cluster with these changes. */
function changed(changes: Rows['sameCluster']['changes']): Cluster {
  return changes.reduce((cluster, change) => CHANGES[change](cluster), CLUSTER);
}

function isRefused(object: object): boolean {
  const { strategy, simulation } = rolloutOf(object);
  expect(strategy === null).toBe(simulation === null);
  return strategy === null;
}

function specWith(change: string): object {
  const head = CLUSTER.headGroupSpec;
  const specs: Readonly<Record<string, object>> = {
    none: rayService({}),
    'unknown type': rayService({ type: 'invalidStrategy' }),
    'named head service': rayService(
      {},
      { rayClusterConfig: { ...CLUSTER, headGroupSpec: { ...head, headService: { metadata: { name: 'mine' } } } } },
    ),
    'no head container': rayService({}, { rayClusterConfig: { ...CLUSTER, headGroupSpec: { template: { spec: { containers: [] } } } } }),
    'negative deletion delay': rayService({}, { rayClusterDeletionDelaySeconds: -1 }),
    'token authentication by Kubernetes': rayService(
      {},
      { rayClusterConfig: { ...CLUSTER, authOptions: { mode: 'token', enableK8sTokenAuth: true } } },
    ),
  };
  return specs[change]!;
}

type Pace = Pick<Rows['steps'], 'maxSurgePercent' | 'stepSizePercent' | 'intervalSeconds'>;

/** Returns the rows of an upgrade as upstream waits for them: one number at a time, without the promotion. */
function singleSteps({ maxSurgePercent, stepSizePercent, intervalSeconds }: Pace): unknown {
  const rows = simulateUpgradeSteps({ maxSurgePercent, stepSizePercent, intervalSeconds });
  return rows.slice(1, -1).flatMap((row, index) => {
    const before = rows[index]!;
    if (row.pendingTraffic !== before.pendingTraffic)
      return [
        ['pendingTraffic', row.pendingTraffic],
        ['activeTraffic', row.activeTraffic],
      ];
    return row.pendingTargetCapacity !== before.pendingTargetCapacity
      ? [['pendingTargetCapacity', row.pendingTargetCapacity]]
      : [['activeTargetCapacity', row.activeTargetCapacity]];
  });
}

/** Reports for every row at which upstream reverts whether the old cluster ends at full capacity. */
function endsOfRollbacks({ revertedAt: [from, to], maxSurgePercent, stepSizePercent, intervalSeconds }: Rows['rollbacks']): boolean[] {
  const pace = { maxSurgePercent, stepSizePercent, intervalSeconds };
  const upgrade = simulateUpgradeSteps(pace);
  const window = upgrade.flatMap((row, index) => (row.pendingTraffic >= from && row.pendingTraffic <= to ? [index] : []));
  expect(window).not.toEqual([]);
  return window.map((index) => isRolledBack(simulateRollbackSteps(upgrade, index, pace).at(-1)!));
}

/** Adds one test per row. */
function testRows(table: keyof Rows): void {
  const run = RUNS[table] as (row: object) => object;
  const rows: readonly object[] = KUBERAY_TABLES[table].cases;
  test.each(rows.map((row, index) => [index + 1, row] as const))(`${table}, row %i`, (_, row) => {
    expect({ ...row, ...run(row) }).toEqual(row);
  });
}

describe("KubeRay's own tables", () => {
  (Object.keys(RUNS) as (keyof Rows)[]).forEach(testRows);

  test('each of the 152 rows is run above or skipped with a reason', () => {
    const tables = Object.entries(KUBERAY_TABLES).map(([table, { rows, cases }]) => ({ table, rows: rows!, run: cases.length }));
    const skippedRows = (table: string) => (SKIPPED_ROWS[table] ?? []).reduce((sum, { rows }) => sum + rows, 0);

    expect(tables.filter(({ table, rows, run }) => run + skippedRows(table) !== rows)).toEqual([]);
    expect(tables.filter(({ table, run }) => run > 0 && !(table in RUNS))).toEqual([]);
    expect(Object.keys(SKIPPED_ROWS).filter((table) => !(table in KUBERAY_TABLES))).toEqual([]);
    expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBe(152);
    expect(tables.reduce((sum, { run }) => sum + run, 0)).toBe(89);
  });
});

test('the fixtures of these tables are accepted', () => {
  expect(lines(incremental())).toEqual([]);
  expect(lines(rayService({}))).toEqual(['warning kuberay/doubles-accelerators spec.upgradeStrategy.type']);
});

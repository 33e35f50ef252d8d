import type { Manifest } from '../../../src/core/manifest';
import { listAt, valueAt } from '../../../src/core/manifest';
import { operatorGateway, operatorRoute } from '../../../src/systems/kuberay/objects';
import { rollbackSteps, upgradeSteps } from '../../../src/systems/kuberay/simulate';
import { deletionDelayOf } from '../../../src/systems/kuberay/strategy';
import { diffRayServices, rollsBack } from '../../../src/systems/kuberay/trigger';
import { changeCapacity, isPromoted, isRolledBack, shiftTraffic } from '../../../src/systems/kuberay/upgrade-loop';
import type { UpgradeState } from '../../../src/systems/kuberay/upgrade-loop';
import { CLUSTER, incremental, lines, rayService, rolloutOf, simulationOf } from './plan';
import { describeUpstream, upstreamTables } from './upstream-cases';
import type { UpstreamRow } from './upstream-cases';

/** What we make of a row, in upstream's words. */
type Run = (row: UpstreamRow) => unknown;

/** A row is run, or stands outside for a reason. */
type Treatment = Run | { readonly outside: string };

const outside = (reason: string): Treatment => ({ outside: reason });

const GATEWAY_READY = outside('the plan takes the Gateway and the HTTPRoute to be ready');
const COMPARISON = outside('the operator compares live objects with its own; the plan has no live objects');
const STATUS = outside('the status of a running service is no input of a plan');
const BOOKKEEPING = outside('how the operator remembers what it sent or made; the plan begins with a running cluster');

/** Where all rows of a table are treated alike, one treatment; else one for each row, in upstream's order. */
const TREATMENTS: Readonly<Record<string, Treatment | readonly Treatment[]>> = {
  TestCreateHTTPRoute: routeOf,
  TestReconcileHTTPRoute: routeOf,
  TestCreateGateway: gatewayOf,
  TestReconcileGateway: overwrittenGateway,
  TestReconcileServeTargetCapacity: ({ in: { activeTC, pendingTC, pendingTR, surge, cluster } }) => {
    const after = changeCapacity(state([activeTC, 100 - pendingTR], [pendingTC, pendingTR]), surge);
    const capacity = cluster === 'active' ? after.activeTargetCapacity : after.pendingTargetCapacity;
    return { activeTC: after.activeTargetCapacity, pendingTC: after.pendingTargetCapacity, posted: { target_capacity: capacity } };
  },
  TestCheckIfNeedTargetCapacityUpdate: [
    BOOKKEEPING,
    GATEWAY_READY,
    GATEWAY_READY,
    (row) => [!isPromoted(stateOf(row)), row.out[1]],
    (row) => [changeCapacity(stateOf(row), 20).pendingTargetCapacity > stateOf(row).pendingTargetCapacity, row.out[1]],
  ],
  TestReconcileRollbackState: ({ in: { goal, pendingHash } }) => rollsBack(clusterOf(goal), clusterOf('A'), clusterOf(pendingHash)),
  TestShouldCompleteIncrementalRollback: ({ in: { a, p, pendingHeadReady = false } }) => isRolledBack(state(a, p), pendingHeadReady),
  TestReconcileServe_SkipConfigUpdateDuringRollback: outside(
    'which cluster gets a new Serve config in mid-upgrade; the plan shows capacities and weights',
  ),
  TestReconcilePerClusterServeService: outside('the Services of the clusters are no part of the plan; their names are, in the HTTPRoute'),
  TestRayClusterDeletionDelaySeconds: ({ in: seconds }) =>
    deletionDelayOf(rayService({}, { rayClusterDeletionDelaySeconds: seconds ?? undefined }) as Manifest),
  TestIsZeroDowntimeUpgradeEnabled: [
    zeroDowntime,
    zeroDowntime,
    outside('ENABLE_ZERO_DOWNTIME is set in the operator, not in the RayService'),
    ...Array<Run>(6).fill(zeroDowntime),
  ],
  TestShouldPrepareNewCluster: [
    BOOKKEEPING,
    () => diffRayServices(clusterOf('A'), clusterOf('B')).effect === 'new-cluster',
    BOOKKEEPING,
    BOOKKEEPING,
  ],
  TestIsClusterSpecHashEqual: ({ in: { partial, diffReplicas, rayVersionChanged, appendedWorkerGroup } }) => {
    const { effect } = diffRayServices(
      withCluster(CLUSTER),
      withCluster({
        ...CLUSTER,
        ...(rayVersionChanged && { rayVersion: '2.52.0' }),
        workerGroupSpecs: [
          { ...CLUSTER.workerGroupSpecs[0], ...(diffReplicas && { replicas: 7 }) },
          ...(appendedWorkerGroup ? [{ ...CLUSTER.workerGroupSpecs[0], groupName: 'more' }] : []),
        ],
      }),
    );
    return effect === 'none' || (partial && effect === 'in-place');
  },
  TestGenerateHashWithoutReplicasAndWorkersToDelete: ({ in: change }) => {
    const changed: Record<string, object> = {
      'worker replicas 2->3': clusterWith({}, { replicas: 3 }),
      'rayVersion changed': { ...CLUSTER, rayVersion: '2.52.0' },
      'head+worker tolerations added': clusterWithPods({ tolerations: [{ key: 'gpu' }] }),
      'head+worker schedulingGates added': clusterWithPods({ schedulingGates: [{ name: 'wait' }] }),
    };
    return diffRayServices(withCluster(CLUSTER), withCluster(changed[change]!)).effect === 'none' ? 'equal' : 'differs';
  },
  TestReconcileRayCluster_UpdateActiveCluster: [
    outside('an upgrade of the operator itself'),
    () =>
      diffRayServices(withCluster(CLUSTER), withCluster(clusterWith({ groupName: 'more' }))).effect === 'in-place'
        ? 'active updated in place'
        : 'not',
  ],
  TestReconcileRayCluster_UpdatePendingCluster: BOOKKEEPING,
  TestCheckIfNeedSubmitServeApplications: [BOOKKEEPING, submits, submits, BOOKKEEPING, BOOKKEEPING],
  'TestCalculateConditions.UpgradeInProgress': STATUS,
  TestIsGatewayReady: GATEWAY_READY,
  TestIsHTTPRouteReady: GATEWAY_READY,
  TestIsIncrementalUpgradeEnabled: [
    isIncremental,
    outside('with the gate off nothing is rolled out; the plan takes it to be on, and kuberay/feature-gate says so'),
    isIncremental,
  ],
  TestGetWeightsFromHTTPRoute: STATUS,
  TestIsHTTPRouteEqual: COMPARISON,
  TestIsGatewayEqual: COMPARISON,
  TestValidateClusterUpgradeOptions: ({ in: [surge, step, interval, gatewayClass, autoscaling], out }) => {
    const options = { maxSurgePercent: surge, stepSizePercent: step, intervalSeconds: interval, gatewayClassName: gatewayClass };
    const clusterUpgradeOptions = out === 'error (options nil)' ? undefined : options;
    const type = 'NewClusterWithIncrementalUpgrade';
    const object = rayService({ type, clusterUpgradeOptions }, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: autoscaling } });
    return isRefused(object) ? out : 'ok';
  },
  TestValidateRayServiceSpec: ({ in: what, out }) => (isRefused(specOf(what)) ? 'error' : out === 'ok' ? 'ok' : 'accepted'),
  TestValidateRayServiceMetadata: ({ in: what, out }) => {
    const isAccepted = !isRefused(rayService({}, {}, metadataOf(what)));
    return isAccepted ? 'ok' : String(out).startsWith('error') ? out : 'refused';
  },
  'e2e incrementalUpgradeCombinations': (row) => expectedSteps(row),
  'e2e rollbackMatrix': [
    wayBack,
    outside('a rollback that is taken back again; the plan shows a rollback to its end'),
    wayBack,
    outside('a head pod that dies in the middle of a rollback'),
    wayBack,
    wayBack,
    wayBack,
  ],
};

function state([activeTargetCapacity, activeTraffic]: number[], [pendingTargetCapacity, pendingTraffic]: number[]): UpgradeState {
  return {
    activeTargetCapacity: activeTargetCapacity!,
    activeTraffic: activeTraffic!,
    pendingTargetCapacity: pendingTargetCapacity!,
    pendingTraffic: pendingTraffic!,
  };
}

function stateOf({ in: { a, p } }: UpstreamRow): UpgradeState {
  return state(a, p);
}

const SERVICE = rayService({}, {}, { name: 'test-rayservice', namespace: 'test-ns' }) as Manifest;

/** The weights that the rule and the route come to, with step 10 and interval 30. */
function routeOf({ in: row }: UpstreamRow): unknown {
  if (row.options === null) return isRefused(rayService({ type: 'NewClusterWithIncrementalUpgrade' })) ? 'error' : 'accepted';
  if (row.pending === null || row.pendingExists === false)
    return { active: weightsOf(operatorRoute(SERVICE))[0], backends: weightsOf(operatorRoute(SERVICE)).length };
  const pace = { maxSurgePercent: 100, stepSizePercent: 10, intervalSeconds: 30 };
  const gate = { ready: row.ready, secondsSinceShift: row.sinceMigrated ?? Infinity };
  const [active, pending] = weightsOf(operatorRoute(SERVICE, shiftTraffic(state([100, 100], [row.pendingTC ?? 100, 0]), pace, gate)));
  return { active, pending };
}

function weightsOf(route: Manifest): unknown[] {
  return listAt(route, 'spec', 'rules', 0, 'backendRefs').map((backend) => valueAt(backend, 'weight'));
}

function gatewayOf({ in: row }: UpstreamRow): unknown {
  if (row.options === null) return isRefused(rayService({ type: 'NewClusterWithIncrementalUpgrade' })) ? 'error' : 'accepted';
  const service = rayService({}, {}, { name: 'incremental-ray-service', namespace: row.ns });
  const gateway = operatorGateway(service as Manifest, row.gatewayClassName);
  const spec = gateway.spec as { gatewayClassName: string; listeners: unknown[] };
  return { name: gateway.metadata!.name, ns: gateway.metadata!.namespace, class: spec.gatewayClassName, listeners: spec.listeners.length };
}

/** What the operator makes, or writes over what is there. */
function overwrittenGateway({ in: { existing } }: UpstreamRow): unknown {
  const made = gatewayOf({ in: { gatewayClassName: 'gateway-class' }, out: {} }) as object;
  return { ...made, ...(existing && { updated: true }) };
}

/** A RayService whose cluster is told from others by this letter. */
function clusterOf(letter: string): Manifest {
  return withCluster({ ...CLUSTER, rayVersion: letter });
}

function withCluster(rayClusterConfig: object): Manifest {
  return rayService({}, { rayClusterConfig }) as Manifest;
}

/** The cluster with another worker group appended where one is given, and with other fields in its own. */
function clusterWith(appended: object, own: object = {}): object {
  const group = CLUSTER.workerGroupSpecs[0]!;
  const more = Object.keys(appended).length > 0 ? [{ ...group, ...appended }] : [];
  return { ...CLUSTER, workerGroupSpecs: [{ ...group, ...own }, ...more] };
}

function clusterWithPods(fields: object): object {
  const podOf = (group: { template: { spec: object } }) => ({ ...group, template: { spec: { ...group.template.spec, ...fields } } });
  return { ...CLUSTER, headGroupSpec: podOf(CLUSTER.headGroupSpec), workerGroupSpecs: CLUSTER.workerGroupSpecs.map(podOf) };
}

function zeroDowntime({ in: [type] }: UpstreamRow): boolean {
  return simulationOf(rayService({ type: type ?? undefined })).outcome === 'promoted';
}

function submits({ in: [cached, spec] }: UpstreamRow): boolean {
  const current = rayService({}, { serveConfigV2: cached }) as Manifest;
  return diffRayServices(current, rayService({}, { serveConfigV2: spec }) as Manifest).effect === 'in-place';
}

function isIncremental({ in: { type } }: UpstreamRow): boolean {
  const strategy =
    type === null
      ? { type }
      : {
          type: 'NewClusterWithIncrementalUpgrade',
          clusterUpgradeOptions: { gatewayClassName: 'istio', stepSizePercent: 5, intervalSeconds: 10 },
        };
  return simulationOf(rayService(strategy)).type === 'NewClusterWithIncrementalUpgrade';
}

function isRefused(object: object): boolean {
  const { strategy, simulation } = rolloutOf(object);
  expect(strategy === null).toBe(simulation === null);
  return strategy === null;
}

function specOf(what: string): object {
  const head = CLUSTER.headGroupSpec;
  const specs: Record<string, object> = {
    'rayClusterConfig.headGroupSpec.headService.metadata.name set': rayService(
      {},
      { rayClusterConfig: { ...CLUSTER, headGroupSpec: { ...head, headService: { metadata: { name: 'mine' } } } } },
    ),
    basic: rayService({}),
    'upgradeStrategy.type=invalidStrategy': rayService({ type: 'invalidStrategy' }),
    'no head container': rayService({}, { rayClusterConfig: { ...CLUSTER, headGroupSpec: { template: { spec: { containers: [] } } } } }),
    'rayClusterDeletionDelaySeconds=-1': rayService({}, { rayClusterDeletionDelaySeconds: -1 }),
    'authOptions token + enableK8sTokenAuth': rayService(
      {},
      { rayClusterConfig: { ...CLUSTER, authOptions: { mode: 'token', enableK8sTokenAuth: true } } },
    ),
  };
  return specs[what]!;
}

/** `name of 47 x 'j'`, or `…=5m` for the annotation. */
function metadataOf(what: string): object {
  const name = /^name of (\d+) x '(.)'$/.exec(what);
  if (name) return { name: name[2]!.repeat(Number(name[1])) };
  return { name: 'llm', annotations: { 'ray.io/initializing-timeout': what.slice(what.indexOf('=') + 1) } };
}

/** The rows of an upgrade as upstream's e2e test waits for them: one figure at a time, the promotion left out. */
function expectedSteps({ surge, step, interval }: UpstreamRow): unknown {
  const rows = upgradeSteps({ maxSurgePercent: surge, stepSizePercent: step, intervalSeconds: interval });
  return rows.slice(1, -1).flatMap((row, index) => {
    const before = rows[index]!;
    if (row.pendingTraffic !== before.pendingTraffic)
      return [
        ['pendingTR', row.pendingTraffic],
        ['activeTR', row.activeTraffic],
      ];
    return row.pendingTargetCapacity !== before.pendingTargetCapacity
      ? [['pendingTC', row.pendingTargetCapacity]]
      : [['activeTC', row.activeTargetCapacity]];
  });
}

/** Reverted at every row within the window that upstream's test waits for, the old cluster ends whole again. */
function wayBack({ surge, step, interval, trigger }: UpstreamRow): boolean {
  const pace = { maxSurgePercent: surge, stepSizePercent: step, intervalSeconds: interval };
  const [from, to] = trigger === 'pendingTR nil/0' ? [0, 0] : /(\d+)\.\.(\d+)/.exec(trigger)!.slice(1).map(Number);
  const upgrade = upgradeSteps(pace);
  const window = upgrade.flatMap((row, index) => (row.pendingTraffic >= from! && row.pendingTraffic <= to! ? [index] : []));
  expect(window).not.toEqual([]);
  return window.every((index) => isRolledBack(rollbackSteps(upgrade, index, pace).at(-1)!));
}

/** What upstream expects of a row, where it is not its `out`. */
const EXPECTED: Readonly<Record<string, Run>> = {
  'e2e incrementalUpgradeCombinations': (row) => row.expectedSteps,
  'e2e rollbackMatrix': () => true,
};

describeUpstream("KubeRay's own tables", () => {
  const rows = Object.entries(upstreamTables).flatMap(([table, { cases }]) =>
    cases.map((row, index) => {
      const treatment = TREATMENTS[table];
      return {
        name: `${table}, row ${index + 1}`,
        table,
        row,
        treatment: Array.isArray(treatment) ? (treatment[index] as Treatment) : (treatment as Treatment),
      };
    }),
  );
  const run = rows.filter(({ treatment }) => typeof treatment === 'function');

  test('each of the 152 rows is run, or named as outside with a reason', () => {
    expect(rows).toHaveLength(152);
    expect(rows.filter(({ treatment }) => treatment === undefined).map(({ name }) => name)).toEqual([]);
    expect(Object.keys(TREATMENTS).filter((table) => !(table in upstreamTables))).toEqual([]);
    expect(run).toHaveLength(89);
  });

  test.each(run)('$name', ({ table, row, treatment }) => {
    const expected = EXPECTED[table];
    expect((treatment as Run)(row)).toEqual(expected ? expected(row) : row.out);
  });
});

test('the fixtures of these tables are accepted as they stand', () => {
  expect(lines(incremental())).toEqual([]);
  expect(lines(rayService({}))).toEqual([]);
});

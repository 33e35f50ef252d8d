import type { Simulation } from '../../src/core/simulations/simulation';
import type {
  ArgoRolloutSimulation,
  RollingSyncSimulation,
  DaemonSetSimulation,
  DeploymentSimulation,
  FleetSimulation,
  DisaggregatedSetSimulation,
  LeaderWorkerSetSimulation,
  RayServiceSimulation,
  RevisionSimulation,
  StatefulSetSimulation,
} from '../../src/headless';
import schema from '../../schemas/plan-1.2.json';

/** All kinds of simulations with their public types. A kind that is missing here, or whose type is not exported, does not compile. */
type PublicSimulations = {
  deployment: DeploymentSimulation;
  statefulset: StatefulSetSimulation;
  daemonset: DaemonSetSimulation;
  revision: RevisionSimulation;
  leaderworkerset: LeaderWorkerSetSimulation;
  disaggregatedset: DisaggregatedSetSimulation;
  rayservice: RayServiceSimulation;
  fleet: FleetSimulation;
  argorollout: ArgoRolloutSimulation;
  rollingsync: RollingSyncSimulation;
};

const KINDS: { readonly [K in Simulation['kind']]: PublicSimulations[K]['kind'] } = {
  deployment: 'deployment',
  statefulset: 'statefulset',
  daemonset: 'daemonset',
  revision: 'revision',
  leaderworkerset: 'leaderworkerset',
  disaggregatedset: 'disaggregatedset',
  rayservice: 'rayservice',
  fleet: 'fleet',
  argorollout: 'argorollout',
  rollingsync: 'rollingsync',
};

test('the schema lists and describes every kind of simulation', () => {
  const { simulation } = schema.$defs;
  const kinds = Object.keys(KINDS).toSorted();
  expect(simulation.properties.kind.enum.toSorted()).toEqual(kinds);
  expect(simulation.oneOf.map(({ $ref }) => $ref).toSorted()).toEqual(kinds.map((kind) => `#/$defs/${kind}`));
  const defs: Readonly<Record<string, unknown>> = schema.$defs;
  for (const kind of kinds) expect(defs[kind]).toHaveProperty('properties.kind.const', kind);
});

import type { PlannedRollout } from './rollout';
import { PRODUCTS } from '../values/versions';
import type { Product, Versions } from '../values/versions';

type RolloutBehaviour = Pick<PlannedRollout, 'system' | 'simulation'>;

/** Products that create a kind of simulation, if its rollout may belong to another system. */
const PRODUCTS_OF_SIMULATIONS: Readonly<Partial<Record<NonNullable<PlannedRollout['simulation']>['kind'], Product>>> = {
  revision: 'knative',
  leaderworkerset: 'lws',
};

/** Returns the products whose versions decide how rollouts proceed: Kubernetes, and the controllers of the rollouts. */
export function listRelevantProducts(rollouts: readonly RolloutBehaviour[]): Product[] {
  const used = new Set<string | undefined>(['kubernetes']);
  for (const { system, simulation } of rollouts) used.add(system).add(simulation ? PRODUCTS_OF_SIMULATIONS[simulation.kind] : undefined);
  return PRODUCTS.filter((product) => used.has(product));
}

/** Returns the versions that matter to rollouts and are defaults, since none is given or detected. Undefined if there are none. */
export function findAssumedVersions(
  rollouts: readonly RolloutBehaviour[],
  versions: Versions,
  given: Readonly<Partial<Versions>> = {},
): Readonly<Partial<Versions>> | undefined {
  const assumed = listRelevantProducts(rollouts).filter((product) => given[product] === undefined);
  return assumed.length === 0 ? undefined : Object.fromEntries(assumed.map((product) => [product, versions[product]]));
}

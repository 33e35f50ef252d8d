import type { Fields } from '../../src/core/manifest/manifest';
import type { CapacityResult } from '../../src/core/document/capacity-result';
import { planManifests } from '../../src/headless';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

/** Pods of one Deployment that the scheduler placed on one node; specs are as sent. */
interface Placement {
  readonly node: { readonly labels: Fields; readonly taints?: readonly Fields[]; readonly allocatable: Fields };
  /** Whether the node was cordoned after the old pods were placed. */
  readonly cordoned?: boolean;
  /** Other pods on the node. */
  readonly others?: readonly Fields[];
  readonly pod: Fields;
  /** Placed pods out of 2 old pods and 2 new ones. */
  readonly fits: number;
}

const placements = recorded('kubernetes-placement') as readonly Placement[];

function nodeOf({ node, cordoned = false }: Placement): Fields {
  const { labels, taints = [], allocatable } = node;
  const spec = cordoned
    ? { unschedulable: true, taints: [...taints, { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] }
    : { taints };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', labels }, spec, status: { allocatable } };
}

function namespaceObject(kind: string, name: string, labels: Fields, spec: Fields): Fields {
  return { apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, metadata: { name, namespace: 'default', labels }, spec };
}

/** Returns the capacity result of a rolling update of 2 pods, with maxSurge 2, on a single node. */
function capacityOn(placement: Placement): CapacityResult {
  const labels = { app: 'web' };
  const strategy = { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } };
  const template = { metadata: { labels }, spec: placement.pod };
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { team: 'web' } } },
    namespaceObject('Deployment', 'web', labels, { replicas: 2, strategy, selector: { matchLabels: labels }, template }),
    ...(placement.others ?? []).map((spec, index) => namespaceObject('Pod', `db-${index}`, { app: 'db' }, spec)),
  ];
  return planManifests(objects, { capacity: { kind: 'List', items: [nodeOf(placement)] } }).rollouts[0]!.capacity!;
}

const cordoned = placements.filter((placement) => placement.cordoned);
const open = sampleOf(placements.filter((placement) => !placement.cordoned));

describe('pods that fit on a node, by the filters of the scheduler of Kubernetes 1.34', () => {
  test('are as many as we compute', () => {
    expect(open.map((placement) => ({ ...placement, fits: capacityOn(placement).podsThatFit }))).toEqual(open);
  });

  // We count the old pods of a cordoned node as not fitting, since they must move to another node; the scheduler leaves them.
  test('include all new pods on a cordoned node exactly when we report that the rollout fits', () => {
    // If a constraint of the pods is not modelled, the verdict for sufficient capacity is only "may-not-fit".
    const fitsCompletely = ({ verdict }: CapacityResult) => verdict === 'fits' || verdict === 'may-not-fit';
    const ours = cordoned.map((placement) => ({ ...placement, fitsCompletely: fitsCompletely(capacityOn(placement)) }));
    expect(ours).toEqual(cordoned.map((placement) => ({ ...placement, fitsCompletely: placement.fits === 4 })));
  });

  test('are none, some or all of them in this recording', () => {
    const nodesWith = (fits: number) => placements.filter((placement) => placement.fits === fits).length;
    expect([0, 1, 2, 3, 4].map(nodesWith)).toEqual([198, 183, 74, 35, 110]);
    expect(cordoned.filter(({ fits }) => fits === 4).length).toBeGreaterThan(0);
  });
});

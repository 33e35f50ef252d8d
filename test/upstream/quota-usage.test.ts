import { getFieldsAt } from '../../src/core/manifest/manifest';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { parseQuantityNanos } from '../../src/core/values/quantity';
import type { PlanContext } from '../../src/cluster/context/context';
import { resolveVersions } from '../../src/core/values/versions';
import type { PodSet } from '../../src/cluster/rollout/pod-set';
import { admitPods } from '../../src/cluster/capacity/admission/admission';
import { listQuotaLimits, computeQuotaUse } from '../../src/cluster/capacity/admission/quota';
import { findQuotaRejections } from '../../src/cluster/capacity/admission/quota-rejection';
import { formatAdmissionRejection } from '../../src/cluster/rejections/admission-rejection';
import { recorded } from './recording';

type Amounts = Readonly<Record<string, string>>;

/** The verdict of the server on a pod in a namespace with a quota; the specs are as sent. */
interface Admission {
  readonly pod: Fields;
  /** Whether this version keeps pod-level resources. */
  readonly podLevelResources: boolean;
  readonly limitRange?: Fields;
  readonly quota: Fields;
  /** Usage of the pod by resource; unset if the LimitRange refuses it. */
  readonly usage?: Amounts;
  /** Amounts charged to the quota; null if it refuses the pod. */
  readonly charged: Amounts | null;
  readonly refused?: string;
}

const admissions = recorded('kubernetes-quota-usage') as readonly Admission[];
const measured = admissions.filter(({ usage }) => usage !== undefined);

const UNCOUNTED = ['nvidia.com/gpu', 'example.com/licence', 'limits.hugepages-2Mi', 'limits.example.com/licence'];

/** Every resource that a recorded quota limits or a pod uses, and some that no quota counts. */
const RESOURCES = new Set([
  ...measured.flatMap(({ usage, quota }) => [...Object.keys(usage!), ...Object.keys(getFieldsAt(quota, 'hard'))]),
  ...UNCOUNTED,
]);

function namespaceObject(kind: string, name: string, spec: Fields): Manifest {
  return { apiVersion: 'v1', kind, metadata: { name }, spec };
}

/** Returns the pod with the defaults of the server. */
function podSetOf({ pod, podLevelResources, limitRange }: Admission): PodSet {
  const objects = limitRange ? [namespaceObject('LimitRange', 'range', limitRange)] : [];
  const context: PlanContext = {
    versions: resolveVersions({ kubernetes: podLevelResources ? '1.34' : '1.33' }),
    objects,
    input: objects,
    all: ({ kind }) => objects.filter((object) => object.kind === kind),
    startupSeconds: 0,
    locate: () => undefined,
  };
  return admitPods({ replicas: 1, template: { spec: pod } }, context);
}

function quotaOf({ quota }: Admission): Manifest {
  return namespaceObject('ResourceQuota', 'quota', quota);
}

function inNanos(amounts: Amounts): Record<string, bigint> {
  return Object.fromEntries(Object.entries(amounts).map(([resource, amount]) => [resource, parseQuantityNanos(amount)!]));
}

function ourUsage(admission: Admission): Record<string, bigint> {
  const podSpec = podSetOf(admission).template.spec;
  const used = [...RESOURCES].map((resource) => [resource, computeQuotaUse(podSpec, resource)] as const);
  return Object.fromEntries(used.filter(([, amount]) => amount > 0n));
}

/** Returns what the pod uses of each resource of the quota. */
function ourCharge(admission: Admission): Record<string, bigint> {
  const limits = listQuotaLimits([quotaOf(admission)], [podSetOf(admission)]);
  return Object.fromEntries(limits.map(({ resource, perPod }) => [resource, [...perPod.values()][0]!]));
}

/** Returns the fields that the quota requires of the containers. */
function ourDemand(admission: Admission): string | undefined {
  const [limit] = findQuotaRejections([quotaOf(admission)], [podSetOf(admission)]);
  return limit && /\((must specify .*)\)/.exec(formatAdmissionRejection(limit.rejection!))?.[1];
}

function serversDemand({ refused = '' }: Admission): string | undefined {
  return /^pods "web-1" is forbidden: failed quota: quota: (must specify .*)$/.exec(refused)?.[1];
}

/** Returns the resources that the quota has too little of for one pod. */
function ourLack(admission: Admission): string[] {
  const limits = listQuotaLimits([quotaOf(admission)], [podSetOf(admission)]);
  return limits
    .filter(({ total, perPod }) => [...perPod.values()][0]! > total)
    .map(({ resource }) => resource)
    .toSorted();
}

/** Parses the resources of a refusal: `exceeded quota: quota, requested: cpu=2,pods=1, used: …`. */
function serversLack({ refused = '' }: Admission): string[] {
  const requested = /exceeded quota: quota, requested: (.*), used: /.exec(refused)?.[1];
  return requested === undefined ? [] : requested.split(',').map((amount) => amount.slice(0, amount.indexOf('=')));
}

describe('pods under a ResourceQuota, by the admission of Kubernetes 1.34 and, for pod-level resources, 1.33', () => {
  test('use the amount of every resource that we compute', () => {
    expect(measured.length).toBeGreaterThan(500);
    expect(measured.map((admission) => ({ ...admission, usage: ourUsage(admission) }))).toEqual(
      measured.map((admission) => ({ ...admission, usage: inNanos(admission.usage!) })),
    );
  });

  test('are charged to the quota as we compute it, and not at all outside its scopes', () => {
    const charged = admissions.filter((admission) => admission.charged !== null);
    expect(charged.length).toBeGreaterThan(300);
    expect(charged.map((admission) => ({ ...admission, charged: ourCharge(admission) }))).toEqual(
      charged.map((admission) => ({ ...admission, charged: inNanos(admission.charged!) })),
    );
  });

  test('are refused with the text that we quote if containers do not set their CPU or memory', () => {
    expect(measured.filter(serversDemand).length).toBeGreaterThan(100);
    expect(measured.map((admission) => ({ ...admission, demand: ourDemand(admission) }))).toEqual(
      measured.map((admission) => ({ ...admission, demand: serversDemand(admission) })),
    );
  });

  test('are otherwise refused exactly for the resources that we report as insufficient', () => {
    const named = measured.filter((admission) => serversDemand(admission) === undefined);
    expect(named.map((admission) => ({ ...admission, lack: ourLack(admission) }))).toEqual(
      named.map((admission) => ({ ...admission, lack: serversLack(admission) })),
    );
  });
});

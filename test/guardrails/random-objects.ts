import type { Manifest } from '../../src/core/manifest/manifest';
import type { GuardrailPolicy } from '../../src/guardrails/policy';

/** Policies that use every part, each for its own namespace. */
export const POLICIES: readonly GuardrailPolicy[] = [
  { neverBelow: { available: '75%' } },
  { neverBelow: { available: 3 }, requireReadinessProbe: true },
  { atMost: { extraPods: '25%', extraGpus: 1 } },
  { atMost: { extraPods: 1 }, strategies: ['RollingUpdate'] },
  { strategies: ['Recreate'], neverBelow: { available: 0 } },
  {
    neverBelow: { available: '50%' },
    atMost: { extraPods: 2, extraGpus: 4 },
    strategies: ['RollingUpdate', 'Recreate'],
    requireReadinessProbe: true,
  },
  { atMost: { extraGpus: 0 }, match: { labels: { tier: 'gpu' } } },
  {
    neverBelow: { available: '75%' },
    strategies: ['RollingUpdate'],
    match: { kinds: ['StatefulSet', 'DaemonSet'] },
    requireEviction: true,
  },
  { neverBelow: { available: 4 }, atMost: { extraPods: 1, extraGpus: 2 }, requireReadinessProbe: true, requireEviction: true },
];

export function namespaceOfPolicy(index: number): string {
  return `guarded-${index}`;
}

/** Creates a generator of pseudo-random numbers, which are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SURGES = [undefined, 0, 1, 2, 5, 30, '0%', '10%', '25%', '34%', '100%', '150%'];
const UNAVAILABLES = [undefined, 1, 2, 5, 30, '1%', '10%', '25%', '34%', '99%', '100%'];

function strategyOf(next: (below: number) => number): object | undefined {
  const way = next(6);
  if (way === 0) return undefined;
  if (way === 1) return { type: 'Recreate' };
  if (way === 2) return { type: 'RollingUpdate' };
  const maxSurge = SURGES[next(SURGES.length)];
  const maxUnavailable = UNAVAILABLES[next(UNAVAILABLES.length)];
  return {
    type: 'RollingUpdate',
    rollingUpdate: { ...(maxSurge !== undefined && { maxSurge }), ...(maxUnavailable !== undefined && { maxUnavailable }) },
  };
}

function containerOf(name: string, next: (below: number) => number): object {
  const gpus = [0, 0, 1, 2, 8][next(5)]!;
  return {
    name,
    image: 'web:1',
    ...(gpus > 0 && { resources: { limits: { 'nvidia.com/gpu': String(gpus) }, requests: { 'nvidia.com/gpu': String(gpus) } } }),
    ...(next(5) === 0 && { resources: { limits: { cpu: '1' } } }),
    ...(next(2) === 0 && { readinessProbe: { tcpSocket: { port: 80 } } }),
  };
}

/** Returns no init containers, or some that run before the others and some sidecars that run next to them. */
function initContainersOf(next: (below: number) => number): object[] {
  if (next(3) > 0) return [];
  return Array.from({ length: 1 + next(3) }, (_, index) => {
    const { readinessProbe, ...init } = containerOf(`init-${index}`, next) as { readonly readinessProbe?: object };
    const isSidecar = next(2) === 0;
    return { ...init, ...(isSidecar && { restartPolicy: 'Always', ...(readinessProbe && { readinessProbe }) }) };
  });
}

function deployment(name: string, namespace: string, spec: object, next: (below: number) => number): Manifest {
  const labels = { app: name, ...(next(3) > 0 && { tier: 'gpu' }) };
  const containers = [containerOf('web', next), ...(next(4) === 0 ? [containerOf('side', next)] : [])];
  const initContainers = initContainersOf(next);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      ...spec,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers, ...(initContainers.length > 0 && { initContainers }) } },
    },
  };
}

/** Returns a Deployment that every policy refuses. It is created first, so that the oracle knows when the policy is in force. */
function refusedByAll(namespace: string): Manifest {
  const containers = [{ name: 'web', image: 'web:1', resources: { limits: { 'nvidia.com/gpu': '8' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `${namespace}-first`, namespace, labels: { tier: 'gpu' } },
    spec: {
      replicas: 10,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 10, maxUnavailable: 10 } },
      selector: { matchLabels: { app: 'first' } },
      template: { metadata: { labels: { app: 'first' } }, spec: { containers } },
    },
  };
}

const KINDS = ['StatefulSet', 'DaemonSet'] as const;

function rollingUpdateOf(kind: (typeof KINDS)[number], next: (below: number) => number): object {
  const unavailable = UNAVAILABLES[next(UNAVAILABLES.length)];
  if (kind === 'StatefulSet') return unavailable === undefined ? { partition: 1 } : { maxUnavailable: unavailable };
  const surge = SURGES.filter((value) => typeof value !== 'string' || value !== '150%')[next(SURGES.length - 1)];
  // The server accepts only one of the two.
  return next(2) === 0 || surge === undefined || surge === 0 || surge === '0%'
    ? { ...(unavailable !== undefined && { maxUnavailable: unavailable }) }
    : { maxSurge: surge, maxUnavailable: 0 };
}

function otherWorkload(name: string, namespace: string, next: (below: number) => number): Manifest {
  const kind = KINDS[next(KINDS.length)]!;
  const way = next(5);
  const updateStrategy =
    way === 0 ? undefined : way === 1 ? { type: 'OnDelete' } : { type: 'RollingUpdate', rollingUpdate: rollingUpdateOf(kind, next) };
  const own = kind === 'StatefulSet' ? { replicas: next(13), serviceName: name } : {};
  const { metadata, spec } = deployment(name, namespace, {}, next) as unknown as { readonly metadata: object; readonly spec: object };
  return { apiVersion: 'apps/v1', kind, metadata, spec: { ...spec, ...own, ...(updateStrategy && { updateStrategy }) } } as Manifest;
}

const DEMANDS = [
  { maxUnavailable: 0 },
  { maxUnavailable: '0%' },
  { maxUnavailable: '10%' },
  { maxUnavailable: 2 },
  { minAvailable: '100%' },
  { minAvailable: '99%' },
  { minAvailable: 3 },
  {},
];

function budget(name: string, namespace: string, next: (below: number) => number): Manifest {
  const labels: Record<string, string> = next(3) > 0 ? { tier: 'gpu' } : {};
  const spec = { selector: { matchLabels: { app: name } }, ...DEMANDS[next(DEMANDS.length)] };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace, labels }, spec };
}

/** Returns StatefulSets, DaemonSets and budgets for one policy that a server accepts unless the guardrails refuse them. */
export function othersFor(policy: number, count: number): Manifest[] {
  const namespace = namespaceOfPolicy(policy);
  const next = numbers(5_000 + policy);
  return Array.from({ length: count }, (_, index) => {
    const name = `${namespace}-other-${index}`;
    return next(5) === 0 ? budget(name, namespace, next) : otherWorkload(name, namespace, next);
  });
}

/** Kind of containers of a large workload. */
export type Largest = 'containers' | 'initContainers' | 'sidecars';

/** Returns a workload with as many containers as etcd's request limit allows; the expressions are evaluated for each of them. */
export function largestFor(policy: number, where: Largest): Manifest {
  const namespace = namespaceOfPolicy(policy);
  const name = `${namespace}-largest-${where.toLowerCase()}`;
  const many = Array.from({ length: 7_000 }, (_, index) => ({
    name: `c${index}`,
    image: 'w',
    resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': '1' } },
    ...(where === 'sidecars' && { restartPolicy: 'Always' }),
  }));
  const pod = where === 'containers' ? { containers: many } : { containers: [{ name: 'web', image: 'w' }], initContainers: many };
  const labels = { app: name, tier: 'gpu' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: pod },
    },
  };
}

/** Returns a workload that is refused by a policy about strategies that applies to other kinds. */
function neverUpdated(namespace: string): Manifest {
  const { metadata, spec } = refusedByAll(namespace) as unknown as { readonly metadata: object; readonly spec: Record<string, unknown> };
  const { selector, template } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata,
    spec: { updateStrategy: { type: 'OnDelete' }, selector, template },
  } as Manifest;
}

/** Returns Deployments for one policy that a server accepts unless the guardrails refuse them. */
export function deploymentsFor(policy: number, count: number): Manifest[] {
  const namespace = namespaceOfPolicy(policy);
  const next = numbers(1_000 + policy);
  const random = Array.from({ length: count }, (_, index) => {
    const replicas = next(8) === 0 ? undefined : next(13);
    const strategy = strategyOf(next);
    return deployment(
      `${namespace}-${index}`,
      namespace,
      { ...(replicas !== undefined && { replicas }), ...(strategy && { strategy }) },
      next,
    );
  });
  return [POLICIES[policy]!.match?.kinds ? neverUpdated(namespace) : refusedByAll(namespace), ...random];
}

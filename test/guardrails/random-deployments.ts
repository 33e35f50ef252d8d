import type { Manifest } from '../../src/core/manifest';
import type { GuardrailPolicy } from '../../src/guardrails/policy';

/** Policies of every part, each for a namespace of its own. */
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
];

export function namespaceOfPolicy(index: number): string {
  return `guarded-${index}`;
}

/** Numbers that look random, and are the same each time. */
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

function deployment(name: string, namespace: string, spec: object, next: (below: number) => number): Manifest {
  const labels = { app: name, ...(next(3) > 0 && { tier: 'gpu' }) };
  const containers = [containerOf('web', next), ...(next(4) === 0 ? [containerOf('side', next)] : [])];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: { ...spec, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec: { containers } } },
  };
}

/** One that every policy refuses: it goes first, by which the oracle sees that the policy is in force. */
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

/** Deployments that a server takes but for the guardrails, for one policy. */
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
  return [refusedByAll(namespace), ...random];
}

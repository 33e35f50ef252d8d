import { planChange } from '../../../src/headless';
import type { ChangeOptions } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';

/** Returns the manifest of a workload whose pods have this spec in addition to one container. */
export function workload(kind: string, podSpec: object = {}, spec: object = {}, metadata: object = {}): object {
  const own = { Deployment: { replicas: 3 }, StatefulSet: { replicas: 3, serviceName: 'web' }, DaemonSet: {} }[kind];
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: {
      ...own,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }], ...podSpec } },
      ...spec,
    },
  };
}

/** Returns the pods of a workload whose only container has these fields. */
export function container(fields: object): object {
  return { containers: [{ name: 'web', image: 'web:1', ...fields }] };
}

/** One node, so that a DaemonSet has a pod. */
export const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  status: { allocatable: { cpu: '8', memory: '32Gi', pods: '110' } },
};

/** Describes each object of NEW in a line: the effect, its causes, and the fields that differ or the message of the rejection. */
export function describeEffects(old: readonly object[], next: readonly object[], options: ChangeOptions = {}): string[] {
  const { change } = expectValidPlan(planChange(old, next, options));
  return change.objects.map(({ effect, because, causedBy = [], refusal, restarts = [] }) => {
    const by = causedBy.map(({ kind, name }) => ` by ${kind} ${name}`).join('');
    const waiting = restarts.map(({ kind, name, reads, watchedByReloader = false }) => {
      return `${kind} ${name} reads by ${reads.join(', ')}${watchedByReloader ? ', asks Reloader' : ''}`;
    });
    const parts = refusal ? [`${refusal.path}: ${refusal.message}`] : [...because.map(({ path }) => path), ...waiting];
    return `${effect}${by}${parts.length > 0 ? ` | ${parts.join(' | ')}` : ''}`;
  });
}

/** Describes only the first object. */
export function describeEffect(old: object, next: object, options: ChangeOptions = {}): string {
  return describeEffects([old, NODE], [next, NODE], options)[0]!;
}

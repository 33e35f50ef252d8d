import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { getListAt, getValueAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { pluralize } from '../../core/text/text-format';

interface MovedData {
  readonly before: number;
  readonly after: number;
  /** First and last pod that is deleted. */
  readonly deleted: readonly [first: string, last: string];
  /** First and last pod that is created. */
  readonly created: readonly [first: string, last: string];
  readonly pods: number;
  /** Whether the pods have claims of their own. */
  readonly hasClaims: boolean;
}

function formatPods([first, last]: readonly [string, string]): string {
  return first === last ? first : `${first} to ${last}`;
}

function renderSet(start: number): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: 3
  serviceName: db
  ordinals: { start: ${start} }
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: db, image: "db:1", readinessProbe: { tcpSocket: { port: 5432 } } }]
`;
}

/** A StatefulSet whose pods get other ordinals, and so other names and claims. */
export const ordinalsMoved = defineRule({
  code: 'change/ordinals-moved',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A change of `spec.ordinals.start` deletes pods of a StatefulSet and creates others with the same template.',
  why:
    'The ordinal is part of the name of a pod, of its host name and of its claims. The controller creates the missing pods, with new claims, and deletes those outside of the range. ' +
    'With OrderedReady it deletes none before all new ones are available; with Parallel both happen at once. ' +
    'Source: k/k pkg/controller/statefulset/stateful_set_control.go, `updateStatefulSet`, at 1.34.',
  fix: 'Keep the start, unless the pods are moved on purpose, as between two clusters. Then copy the data to the claims of the new ordinals first.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderSet(5)}# new.yaml
${renderSet(0)}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderSet(5)}# new.yaml
${renderSet(5)}`,
  messages: {
    moved: defineMessage<MovedData>({
      text: ({ before, after, deleted, created, pods, hasClaims }) =>
        `ordinals.start moves from ${before} to ${after}: ${formatPods(deleted)} ${pods === 1 ? 'is' : 'are'} deleted, and ${formatPods(created)} ${pods === 1 ? 'is' : 'are'} created, ${pluralize(pods, 'pod')} with other names${hasClaims ? ' and other, empty claims' : ''}.`,
      help: ({ before }) => `Write ordinals.start: ${before}, unless the pods are meant to move.`,
      sample: { before: 5, after: 0, deleted: ['db-5', 'db-7'], created: ['db-0', 'db-2'], pods: 3, hasClaims: true },
      variants: [{ before: 5, after: 4, deleted: ['db-7', 'db-7'], created: ['db-4', 'db-4'], pods: 1, hasClaims: false }],
    }),
  },
});

function startOf(stored: Manifest): number {
  const start = getValueAt(stored, 'spec', 'ordinals', 'start');
  return typeof start === 'number' ? start : 0;
}

/**
 * Counts the pods that a StatefulSet deletes and creates because its ordinals move: of 3 pods from ordinal 5, none stays at ordinal 0, and 2
 * stay at ordinal 4.
 *
 * @param replicas - the pods before the apply
 */
export function countMovedPods(old: Manifest, next: Manifest, replicas: number): number {
  return Math.min(replicas, Math.abs(startOf(next) - startOf(old)));
}

/** Reports the pods of a StatefulSet that get other ordinals. */
export function checkOrdinalsMoved(old: Manifest, next: Manifest, replicas: number): Finding[] {
  const pods = countMovedPods(old, next, replicas);
  if (pods === 0) return [];
  const [before, after] = [startOf(old), startOf(next)];
  const podAt = (ordinal: number) => `${nameOf(next)}-${ordinal}`;
  const rangeFrom = (first: number) => [podAt(first), podAt(first + pods - 1)] as const;
  const data = {
    before,
    after,
    deleted: rangeFrom(after > before ? before : before + replicas - pods),
    created: rangeFrom(after > before ? after + replicas - pods : after),
    pods,
    hasClaims: getListAt(next, 'spec', 'volumeClaimTemplates').length > 0,
  };
  return [ordinalsMoved.createFinding('moved', { path: toFieldPath`spec.ordinals.start`, data })];
}

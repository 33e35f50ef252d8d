import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { getListAt, getValueAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { joinWords, pluralize } from '../../core/text/text-format';
import { compareOrdinals, countMovedPods, countOrdinals } from '../compare/moved-ordinals';
import type { OrdinalRange } from '../compare/moved-ordinals';

/** First and last pod of a range. */
type PodRange = readonly [first: string, last: string];

interface MovedData {
  readonly before: number;
  readonly after: number;
  readonly deleted: readonly PodRange[];
  readonly created: readonly PodRange[];
  /** Pods that are created. */
  readonly pods: number;
  /** Whether the pods have claims of their own. */
  readonly hasClaims: boolean;
  /** Whether podManagementPolicy is Parallel. */
  readonly isParallel: boolean;
}

function formatPods(ranges: readonly PodRange[]): string {
  return joinWords(ranges.map(([first, last]) => (first === last ? first : `${first} to ${last}`)));
}

function formatVerb(ranges: readonly PodRange[]): string {
  return ranges.length === 1 && ranges[0]![0] === ranges[0]![1] ? 'is' : 'are';
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
      text: ({ before, after, deleted, created, pods, hasClaims, isParallel }) =>
        `ordinals.start moves from ${before} to ${after}: ${formatPods(deleted)} ${formatVerb(deleted)} deleted, and ${formatPods(created)} ${formatVerb(created)} created, ${pluralize(pods, 'pod')} with other names${hasClaims ? ' and other, empty claims' : ''}.${isParallel ? ' With podManagementPolicy Parallel, the controller deletes the old pods at once, before the new ones are ready.' : ''}`,
      help: ({ before }) => `Write ordinals.start: ${before}, unless the pods are meant to move.`,
      sample: {
        before: 5,
        after: 0,
        deleted: [['db-5', 'db-7']],
        created: [['db-0', 'db-2']],
        pods: 3,
        hasClaims: true,
        isParallel: false,
      },
      variants: [
        { before: 5, after: 4, deleted: [['db-7', 'db-7']], created: [['db-4', 'db-4']], pods: 1, hasClaims: false, isParallel: true },
      ],
    }),
  },
});

/** Reports the pods of a StatefulSet that get other ordinals. */
export function checkOrdinalsMoved(
  old: Manifest,
  next: Manifest,
  replicas: { readonly before: number; readonly after: number },
): Finding[] {
  const change = compareOrdinals(old, next, replicas);
  if (countMovedPods(change) === 0) return [];
  const { before, after, deleted, created } = change;
  const podAt = (ordinal: number) => `${nameOf(next)}-${ordinal}`;
  const nameRange = ({ first, last }: OrdinalRange) => [podAt(first), podAt(last)] as const;
  const data = {
    before,
    after,
    deleted: deleted.map(nameRange),
    created: created.map(nameRange),
    pods: countOrdinals(created),
    hasClaims: getListAt(next, 'spec', 'volumeClaimTemplates').length > 0,
    isParallel: getValueAt(next, 'spec', 'podManagementPolicy') === 'Parallel',
  };
  return [ordinalsMoved.createFinding('moved', { path: toFieldPath`spec.ordinals.start`, data })];
}

import { isBeingDeleted } from '../../appliers/live-object';
import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { describeObject, getListAt, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanContext } from '../context/context';

/** What else happens if an object of a kind is deleted. */
type DeletedKind = 'namespace' | 'node' | 'git-repo' | 'other';

interface BeingDeletedData {
  /** `Node a` */
  readonly object: string;
  readonly kind: DeletedKind;
}

const CONSEQUENCES: Readonly<Record<DeletedKind, string>> = {
  namespace: ' The cluster deletes what is in it, and refuses new objects.',
  node: ' The pods on it are deleted too, and no pod is planned on it.',
  'git-repo': ' Fleet deletes its bundles with it.',
  other: ' What is planned for it does not happen.',
};

const KINDS: ReadonlyMap<string, DeletedKind> = new Map([
  ['/Namespace', 'namespace'],
  ['/Node', 'node'],
  ['fleet.cattle.io/GitRepo', 'git-repo'],
]);

function render(metadata: string): string {
  return `apiVersion: v1
kind: Node
metadata:
  name: a
  uid: 5b5b1a3e-0000-4000-8000-000000000001
${metadata}status:
  allocatable: { cpu: 4, memory: 8Gi, pods: 110 }
`;
}

/** A live object that the cluster is deleting. */
export const beingDeleted = defineRule({
  code: 'kubernetes/being-deleted',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'An object that was read from a cluster has metadata.deletionTimestamp. Pods and objects with owners are not reported, since controllers replace them all the time. With `--from`, `change/garbage-collected` and `change/pods-evicted` report such objects of OLD.',
  why:
    'The API server deletes an object with metadata.deletionTimestamp once its finalizers are removed, and the timestamp cannot be removed. ' +
    'The controllers of workloads do not roll out such an object any more. Source: Kubernetes 1.36 pkg/controller/deployment/deployment_controller.go, `syncDeployment`.',
  fix: 'Wait until it is gone, and read the cluster again.',
  example: render('  deletionTimestamp: "2026-01-01T00:00:00Z"\n'),
  fixedExample: render(''),
  messages: {
    going: defineMessage<BeingDeletedData>({
      text: ({ object, kind }) => `${object} is being deleted: it goes once its finalizers are removed.${CONSEQUENCES[kind]}`,
      help: ({ object }) => `Wait until ${object} is gone, and read the cluster again.`,
      sample: { object: 'Node a', kind: 'node' },
      variants: [
        { object: 'Namespace shop', kind: 'namespace' },
        { object: 'GitRepo fleet-default/apps', kind: 'git-repo' },
        { object: 'Deployment shop/web', kind: 'other' },
      ],
    }),
  },
});

/** Reports the live objects that the cluster is deleting. */
export function checkBeingDeleted(objects: readonly Manifest[], locate: PlanContext['locate']): Finding[] {
  return objects.flatMap((object) => {
    const key = kindKeyOf(object);
    const isReplaced = key === '/Pod' || getListAt(object, 'metadata', 'ownerReferences').length > 0;
    if (isReplaced || !isBeingDeleted(object)) return [];
    const data = { object: describeObject(object), kind: KINDS.get(key) ?? 'other' };
    const path = toFieldPath`metadata.deletionTimestamp`;
    const source = locate(object, path);
    return [beingDeleted.createFinding('going', { path, data, ...(source && { source }) })];
  });
}

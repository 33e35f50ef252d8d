import type { PlanContext } from '../../cluster/context';
import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { parseFieldPath } from '../../core/field-path';
import { getFieldsAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { getInlineTemplate } from '../../workloads/pod-template';
import type { LocatedTemplate } from '../../workloads/pod-template';

/**
 * Where the kinds that a `workloadRef` may name have their pod template, by group and kind.
 *
 * Source: Argo Rollouts v1.9.1, rollout/templateref.go, `infoByGroupKind`.
 */
const TEMPLATE_PATHS: Readonly<Record<string, FieldPath | undefined>> = {
  '/PodTemplate': toFieldPath`template`,
  'apps/Deployment': toFieldPath`spec.template`,
  'apps/ReplicaSet': toFieldPath`spec.template`,
};

function getWorkloadRef({ workloadRef }: Fields): Fields | undefined {
  return isFields(workloadRef) ? workloadRef : undefined;
}

/** Does a Rollout take the pod template of another object? */
export function hasWorkloadRef(spec: Fields): boolean {
  return getWorkloadRef(spec) !== undefined;
}

/** The pod template: its own, or that of the object that it names, where that is in view. */
export function findRolloutTemplate(rollout: Manifest, context: PlanContext): LocatedTemplate | undefined {
  const ref = getWorkloadRef(getFieldsAt(rollout, 'spec'));
  if (!ref) return getInlineTemplate(rollout);
  const { apiVersion, kind, name } = ref;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const group = groupOf({ apiVersion });
  const path = TEMPLATE_PATHS[`${group}/${kind}`];
  if (path === undefined) return undefined;
  const holder = context.all({ group, kind }).find((object) => nameOf(object) === name && namespaceOf(object) === namespaceOf(rollout));
  return holder && { template: getFieldsAt(holder, ...parseFieldPath(path)), path, sourceObject: holder };
}

import type { PlanContext } from '../../cluster/context/context';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { parseFieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { getInlineTemplate } from '../../workloads/pod-template';
import type { InputTemplate } from '../../workloads/pod-template';

/**
 * The path of the pod template in each kind that a `workloadRef` may reference, by group and kind.
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

/** Reports whether a Rollout uses the pod template of another object. */
export function hasWorkloadRef(spec: Fields): boolean {
  return getWorkloadRef(spec) !== undefined;
}

/** Returns the Rollout's own pod template, or the template of the referenced object if that is in the input. */
export function findRolloutTemplate(rollout: Manifest, context: PlanContext): InputTemplate | undefined {
  const ref = getWorkloadRef(getFieldsAt(rollout, 'spec'));
  if (!ref) return getInlineTemplate(rollout);
  const { apiVersion, kind, name } = ref;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const group = groupOf({ apiVersion });
  const path = TEMPLATE_PATHS[`${group}/${kind}`];
  if (path === undefined) return undefined;
  const sourceObject = context
    .all({ group, kind })
    .find((object) => nameOf(object) === name && namespaceOf(object) === namespaceOf(rollout));
  return sourceObject && { template: getFieldsAt(sourceObject, ...parseFieldPath(path)), path, sourceObject };
}

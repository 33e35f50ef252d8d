import type { PlanContext } from '../../cluster/context';
import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { fieldPathParts } from '../../core/field-path';
import { fieldsAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { ownTemplate } from '../../workloads/pod-template';
import type { PlacedTemplate } from '../../workloads/pod-template';

/**
 * Where the kinds that a `workloadRef` may name have their pod template, by group and kind.
 *
 * Source: Argo Rollouts v1.9.1, rollout/templateref.go, `infoByGroupKind`.
 */
const TEMPLATES: Readonly<Record<string, FieldPath | undefined>> = {
  '/PodTemplate': at`template`,
  'apps/Deployment': at`spec.template`,
  'apps/ReplicaSet': at`spec.template`,
};

function refersTo({ workloadRef }: Fields): Fields | undefined {
  return isFields(workloadRef) ? workloadRef : undefined;
}

/** Does a Rollout take the pod template of another object? */
export function hasTemplateElsewhere(spec: Fields): boolean {
  return refersTo(spec) !== undefined;
}

/** The pod template: its own, or that of the object that it names, where that is in view. */
export function templateOf(rollout: Manifest, context: PlanContext): PlacedTemplate | undefined {
  const ref = refersTo(fieldsAt(rollout, 'spec'));
  if (!ref) return ownTemplate(rollout);
  const { apiVersion, kind, name } = ref;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const group = groupOf({ apiVersion });
  const path = TEMPLATES[`${group}/${kind}`];
  if (path === undefined) return undefined;
  const holder = context.all({ group, kind }).find((object) => nameOf(object) === name && namespaceOf(object) === namespaceOf(rollout));
  return holder && { template: fieldsAt(holder, ...fieldPathParts(path)), path, holder };
}

import { appendToPath, ROOT_PATH } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getValueAt, groupOf, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { PlanContext } from '../context/context';
import { findCreatingOwner } from '../kinds/created-kinds';

/** Fields on the way to a pod template. `*` is each item of a list. */
type TemplateFields = readonly string[];

const RAY_TEMPLATES: readonly TemplateFields[] = [
  ['headGroupSpec', 'template'],
  ['workerGroupSpecs', '*', 'template'],
];

/** Objects that are pods, or that create pods and have no rollout, with the fields of their pod templates. */
const POD_OBJECTS: readonly { readonly group: string; readonly kind: string; readonly templates: readonly TemplateFields[] }[] = [
  { group: '', kind: 'Pod', templates: [[]] },
  { group: '', kind: 'ReplicationController', templates: [['spec', 'template']] },
  { group: 'apps', kind: 'ReplicaSet', templates: [['spec', 'template']] },
  { group: 'batch', kind: 'Job', templates: [['spec', 'template']] },
  { group: 'batch', kind: 'CronJob', templates: [['spec', 'jobTemplate', 'spec', 'template']] },
  { group: 'jobset.x-k8s.io', kind: 'JobSet', templates: [['spec', 'replicatedJobs', '*', 'template', 'spec', 'template']] },
  { group: 'ray.io', kind: 'RayCluster', templates: RAY_TEMPLATES.map((fields) => ['spec', ...fields]) },
  { group: 'ray.io', kind: 'RayJob', templates: RAY_TEMPLATES.map((fields) => ['spec', 'rayClusterSpec', ...fields]) },
];

/** A pod template of an object, and its location. */
interface ObjectTemplate {
  readonly template: Fields;
  readonly path: FieldPath;
}

/** Lists the maps at fields of an object, with their paths. */
function listTemplatesAt(value: unknown, [field, ...rest]: TemplateFields, path: FieldPath): readonly ObjectTemplate[] {
  if (field === undefined) return isFields(value) ? [{ template: value, path }] : [];
  if (field !== '*') return listTemplatesAt(getValueAt(value, field), rest, appendToPath(path, field));
  return Array.isArray(value) ? value.flatMap((item: unknown, index) => listTemplatesAt(item, rest, appendToPath(path, index))) : [];
}

/** An object without a rollout, and its pod templates. A Pod is its own template. */
interface PodObject {
  readonly object: Manifest;
  readonly templates: readonly ObjectTemplate[];
}

/**
 * Lists Pods, and objects without a rollout that create pods. In a change these are only the objects that it creates or changes.
 *
 * @param isAffected - whether the change affects the pods of another object too. @default - it does not
 */
export function listPodObjects(context: PlanContext, isAffected?: (object: Manifest) => boolean): PodObject[] {
  const { isChanged } = context;
  return context.objects.flatMap((object) => {
    const known = POD_OBJECTS.find(({ group, kind }) => object.kind === kind && groupOf(object) === group);
    if (!known || findCreatingOwner(object)) return [];
    if (isChanged && !isChanged(object) && isAffected?.(object) !== true) return [];
    return [{ object, templates: known.templates.flatMap((fields) => listTemplatesAt(object, fields, ROOT_PATH)) }];
  });
}

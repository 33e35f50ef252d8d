import { memoizePerRun } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { hasNoPodsOfItsOwn } from '../../cluster/services/kinds-without-pods';
import { mayOwnSelectedPods, toSearchableObject } from '../../cluster/services/open-labels';
import type { SearchableObject } from '../../cluster/services/open-labels';
import { explainNotPlanned } from '../../cluster/kinds/unplanned-kinds';
import { addToGroup } from '../../core/collections/group-by';
import { namespaceOf } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import { systemOf } from '../registry';
import { resourceOf } from '../resource-refs';

/** Systems whose objects show neither the template nor the labels of their pods. */
const SYSTEMS_WITHOUT_TEMPLATES: ReadonlySet<string> = new Set(['baw']);

/** Objects of the input that are not planned and may create pods, by namespace. */
const getUnplannedObjects = memoizePerRun((context) => {
  const byNamespace = new Map<string, SearchableObject[]>();
  for (const object of context.input) {
    const isUnknown = explainNotPlanned(object) !== undefined || !hasNoPodsOfItsOwn(object);
    const system = systemOf(object, context)?.name;
    const isPlanned = system !== undefined && !SYSTEMS_WITHOUT_TEMPLATES.has(system);
    if (object.kind === 'Pod' || object.kind === 'ReplicaSet' || !isUnknown || isPlanned) continue;
    const namespace = namespaceOf(object) ?? '';
    addToGroup(byNamespace, namespace, toSearchableObject(object));
  }
  return byNamespace;
});

/** Lists the objects that are not planned and that may have pods that a selector selects. */
export function listPossibleOwners(namespace: string, selectors: readonly Fields[], context: PlanContext): ResourceRef[] {
  const objects = getUnplannedObjects(context).get(namespace) ?? [];
  return objects
    .filter((object) => selectors.some((selector) => mayOwnSelectedPods(object, selector)))
    .map(({ object }) => resourceOf(object));
}

import { CONTEXT_KINDS, formatKindKey } from '../../cluster/kinds/context-kinds';
import type { PlanContext } from '../../cluster/context/context';
import { selectorOf } from '../../cluster/services/endpoints';
import { podSetsOf } from '../../cluster/rollout/system-rollout';
import type { Finding } from '../../core/findings/finding';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { describeObject, getFieldsAt, namespaceOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { truncateNames } from '../../core/text/text-format';
import { listRolloutsIfPlanned } from '../../plan/isolate-objects';
import { keyWithoutNamespaceOf } from '../match/match-objects';
import { listRecreations } from '../effects/object-effect';
import type { ChangeContext, ObjectEffect } from '../effects/object-effect';
import { createDeletedServiceFinding } from '../rules/reference-removed';

const SERVICE = formatKindKey(CONTEXT_KINDS.service);

function isService(object: Manifest): boolean {
  return kindKeyOf(object) === SERVICE;
}

function namespaceNameOf(object: Manifest): string {
  return namespaceOf(object) ?? 'default';
}

/** Lists the labels of the running pods of an object, by template. */
function listPodLabels(object: Manifest, context: PlanContext): Fields[] {
  const rollouts = listRolloutsIfPlanned(object, context);
  const templates = rollouts.flatMap(podSetsOf).filter(({ replicas }) => replicas > 0);
  return templates.map(({ template }) => getFieldsAt(template, 'metadata', 'labels'));
}

/** Reports Services that the apply deletes although pods stay that they select, since clients that use their name then find no address. */
export function collectRemovedServices(
  objectEffects: readonly ObjectEffect[],
  {
    deleted,
    retained,
    context: { newContext },
  }: { readonly deleted: ReadonlySet<Manifest>; readonly retained: readonly Manifest[]; readonly context: ChangeContext },
): Finding[] {
  const applied = new Set(objectEffects.map(({ comparison: { next } }) => keyWithoutNamespaceOf(next)));
  const recreated = new Set(listRecreations(objectEffects).map(({ comparison: { old } }) => old!.manifest));
  const isGone = (object: Manifest) => recreated.has(object) || !applied.has(keyWithoutNamespaceOf(object));
  const gone = [...deleted, ...recreated].filter((object) => isService(object) && selectorOf(object) && isGone(object));
  if (gone.length === 0) return [];
  const staying = [...objectEffects.flatMap(({ comparison: { old, result } }) => (old ? [result] : [])), ...retained];
  const namespaces = new Set(gone.map(namespaceNameOf));
  const labelled = staying
    .filter((object) => namespaces.has(namespaceNameOf(object)))
    .map((object) => ({ object, labels: listPodLabels(object, newContext) }));
  return gone.flatMap((service) => {
    const selector = { matchLabels: selectorOf(service) };
    const isSelected = (labels: Fields) => matchesLabelSelector(selector, labels);
    const selected = labelled.filter(
      ({ object, labels }) => namespaceNameOf(object) === namespaceNameOf(service) && labels.some(isSelected),
    );
    if (selected.length === 0) return [];
    const pods = truncateNames([...new Set(selected.map(({ object }) => describeObject(object)))]);
    const isRecreated = recreated.has(service);
    return [createDeletedServiceFinding({ object: describeObject(service), consumers: pods, ...(isRecreated && { isRecreated }) })];
  });
}

import { isBeingDeleted } from '../../appliers/live-object';
import type { ApplyEffect } from '../../core/change';
import { toFieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { addToGroup } from '../../core/group-by';
import { describeObject, getFieldsAt, nameOf, namespaceOf, kindKeyOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { truncateNames } from '../../core/text-format';
import type { PlanInput } from '../../plan/plan-input';
import { systemOf } from '../../plan/registry';
import { findConfig, findOwnedSecret, findWrittenSecret, listWrittenKeys } from '../effects/written-secrets';
import { isConfigObject } from '../effects/config-references';
import { findTemplateHolder } from '../effects/template-holder';
import { keyWithoutNamespaceOf, objectKeyOf } from '../match/match-objects';
import { isLost } from '../compare/object-comparison';
import type { ChangeContext, ObjectEffect } from '../effects/object-effect';
import { countPodsAfter } from '../result/pod-counts';
import { listPodReferences, REFERENCED_KINDS } from './pod-references';
import type { LesserNeed, PodReference } from './pod-references';
import { createDeletedReferenceFinding, createDeletedTemplateFinding, createRemovedKeysFinding } from '../rules/reference-removed';
import { toSafeText } from '../../core/value-text';

const REFERENCED: ReadonlySet<string> = new Set(REFERENCED_KINDS);

/** Kinds that are in no namespace. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  'certificates.k8s.io/ClusterTrustBundle',
  'node.k8s.io/RuntimeClass',
  'resource.k8s.io/DeviceClass',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/StorageClass',
]);

const CREATING_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['create', 'hook', 'replace', 'roll', 'roll-and-scale']);

function toNamespace(object: Manifest): string {
  return namespaceOf(object) ?? 'default';
}

/** An object whose pods need others. */
interface Consumer {
  readonly object: Manifest;
  /** Namespaces of both sides, which are one if only one side writes it. */
  readonly namespaces: readonly string[];
  readonly createsPods: boolean;
}

function toConsumer({ effect, podsBefore, comparison: { result, old } }: ObjectEffect, after: number | undefined): Consumer {
  const addsPods = effect === 'scale' && after !== undefined && podsBefore !== undefined && after > podsBefore;
  return {
    object: result,
    namespaces: [result, ...(old ? [old.manifest] : [])].map(toNamespace),
    createsPods: CREATING_EFFECTS.has(effect) || addsPods,
  };
}

/** The objects that pods need, by kind and name, and the consumers of each. */
class ReferenceIndex {
  private readonly byTarget = new Map<string, { readonly consumer: Consumer; readonly key?: string; readonly isOnlyFor?: LesserNeed }[]>();

  constructor(consumers: readonly Consumer[]) {
    const accounts = new Map(
      consumers.flatMap(({ object, namespaces }) =>
        kindKeyOf(object) === '/ServiceAccount' ? namespaces.map((namespace) => [`${namespace}/${nameOf(object)}`, object] as const) : [],
      ),
    );
    for (const consumer of consumers) {
      const accountOf = (name: unknown) => accounts.get(`${consumer.namespaces[0]}/${toSafeText(name)}`);
      for (const { kind, name, ...reference } of listPodReferences(consumer.object, accountOf))
        addToGroup(this.byTarget, `${kind}/${name}`, { consumer, ...reference });
    }
  }

  /** Returns what all pods need an object for that may start without it; undefined if some do not start. */
  findLesserNeed(target: Manifest): LesserNeed | undefined {
    const found = this.byTarget.get(`${kindKeyOf(target)}/${nameOf(target)}`) ?? [];
    return found.every(({ isOnlyFor }) => isOnlyFor !== undefined) ? found[0]?.isOnlyFor : undefined;
  }

  /** Returns the consumers of an object, or of some of its keys. */
  find(target: Manifest, keys?: ReadonlySet<PodReference['key']>): readonly Consumer[] {
    const isFor = ({ namespaces }: Consumer) => CLUSTER_KINDS.has(kindKeyOf(target)) || namespaces.includes(toNamespace(target));
    const found = this.byTarget.get(`${kindKeyOf(target)}/${nameOf(target)}`) ?? [];
    return [...new Set(found.flatMap(({ consumer, key }) => (isFor(consumer) && (!keys || keys.has(key)) ? [consumer] : [])))];
  }

  /** Returns those of the keys that a consumer names. */
  filterKeys(target: Manifest, keys: ReadonlySet<string>): readonly string[] {
    return [...keys].filter((key) => this.find(target, new Set([key])).length > 0);
  }
}

function describeConsumers(consumers: readonly Consumer[]) {
  const names = [...new Set(consumers.map(({ object }) => describeObject(object)))];
  return { consumers: truncateNames(names), createsPods: consumers.some(({ createsPods }) => createsPods) };
}

function listKeys(object: Fields): string[] {
  return ['data', 'binaryData', 'stringData'].flatMap((field) => Object.keys(getFieldsAt(object, field)));
}

/** Returns the keys that an apply removes from a ConfigMap or Secret, or from the Secret that a controller writes of an object. */
function listRemovedKeys({ effect, comparison: { old, stored, result } }: ObjectEffect): ReadonlySet<string> {
  if (!old || effect === 'none' || effect === 'refused') return new Set();
  if (!isConfigObject(result)) {
    const after = listWrittenKeys(result);
    return new Set(after ? listWrittenKeys(old.manifest)?.filter((key) => !after.includes(key)) : []);
  }
  const kept = new Set(listKeys(stored ?? result));
  return new Set([...listKeys(old.stored), ...listKeys(old.manifest)].filter((key) => !kept.has(key)));
}

/** What the apply deletes and keeps. */
interface ObjectsOfOld {
  readonly deleted: ReadonlySet<Manifest>;
  /** Objects of OLD that the apply leaves. */
  readonly retained: readonly Manifest[];
}

/** An object that is deleted or changed, and what pods lose with it: itself, or the Secret that its controller writes of it. */
interface GoneObject {
  readonly object: Manifest;
  readonly needed: Manifest;
  readonly isChanged?: true;
}

/** Lists the changed objects whose controllers delete the Secret that they wrote, if they write another one now. */
function listRenamedSecrets(objectEffects: readonly ObjectEffect[]): GoneObject[] {
  return objectEffects.flatMap(({ effect, comparison: { old } }): GoneObject[] => {
    const needed = old && effect !== 'refused' ? findOwnedSecret(old.manifest) : undefined;
    return needed ? [{ object: old!.manifest, needed, isChanged: true }] : [];
  });
}

/** Lists the objects that go and that pods may need. NEW may have another one in place of what is deleted. */
function listGone(objectEffects: readonly ObjectEffect[], deleted: ReadonlySet<Manifest>, going: ReadonlySet<Manifest>): GoneObject[] {
  const provided = objectEffects.flatMap(({ comparison: { next: object } }) => [object, findWrittenSecret(object) ?? object]);
  const applied = new Set(provided.map(objectKeyOf));
  const appliedAnywhere = new Set(provided.map(keyWithoutNamespaceOf));
  const isApplied = (object: Manifest) =>
    namespaceOf(object) === undefined ? appliedAnywhere.has(keyWithoutNamespaceOf(object)) : applied.has(objectKeyOf(object));
  const lost = objectEffects.flatMap(({ comparison }) => (isLost(comparison) ? [comparison.old!.manifest] : []));
  const toGone = (object: Manifest): GoneObject => ({ object, needed: findOwnedSecret(object) ?? object });
  const replaceable = [...[...deleted, ...going].map(toGone), ...listRenamedSecrets(objectEffects)];
  return [...replaceable.filter(({ needed }) => !isApplied(needed)), ...lost.map(toGone)].filter(({ needed }) =>
    REFERENCED.has(kindKeyOf(needed)),
  );
}

/** Reports objects that pods need and that the apply or already the cluster deletes, and keys that pods name and that it removes. */
export function collectRemovedReferences(
  objectEffects: readonly ObjectEffect[],
  { deleted, retained }: ObjectsOfOld,
  next: PlanInput,
): Finding[] {
  const going = new Set(retained.filter(isBeingDeleted));
  const gone = listGone(objectEffects, deleted, going);
  const reduced = objectEffects.map((each) => ({ each, keys: listRemovedKeys(each) })).filter(({ keys }) => keys.size > 0);
  if (gone.length === 0 && reduced.length === 0) return [];
  const index = new ReferenceIndex([
    ...objectEffects.map((each) => toConsumer(each, countPodsAfter(each))),
    ...retained.map((object) => ({ object, namespaces: [toNamespace(object)], createsPods: false })),
  ]);
  return [
    ...gone.flatMap(({ object, needed, isChanged }) => {
      const consumers = index.find(needed);
      const isOnlyFor = index.findLesserNeed(needed);
      return consumers.length === 0
        ? []
        : [
            createDeletedReferenceFinding({
              object: describeObject(object),
              ...(needed !== object && { secret: describeObject(needed) }),
              ...describeConsumers(consumers),
              ...(isOnlyFor && { isOnlyFor }),
              ...(going.has(object) && { isBeingDeleted: true as const }),
              ...(isChanged && { isChanged }),
            }),
          ];
    }),
    ...reduced.flatMap(({ each: { comparison }, keys }) => {
      const { result, next: written } = comparison;
      const needed = findConfig(result)!;
      const named = index.filterKeys(needed, keys);
      if (named.length === 0) return [];
      const consumers = describeConsumers(index.find(needed, new Set(named)));
      const data = { object: describeObject(result), ...consumers, keys: truncateNames(named) };
      return [createRemovedKeysFinding(data, next.locate?.(written, toFieldPath`data`))];
    }),
  ];
}

/** Reports objects that the apply deletes although others get their pod template from them: a serving runtime, the workload of a Rollout. */
export function collectRemovedTemplates(
  objectEffects: readonly ObjectEffect[],
  { deleted, context: { oldContext, newContext } }: Pick<ObjectsOfOld, 'deleted'> & { readonly context: ChangeContext },
): Finding[] {
  if (deleted.size === 0) return [];
  const consumersOf = new Map<Manifest, Consumer[]>();
  for (const objectEffect of objectEffects) {
    const { old, result } = objectEffect.comparison;
    const system = old && systemOf(old.manifest, oldContext);
    if (!system?.templateHolder || systemOf(result, newContext) !== system) continue;
    const holder = findTemplateHolder(old!.manifest, oldContext, system);
    if (holder === undefined || !deleted.has(holder) || findTemplateHolder(result, newContext, system) !== undefined) continue;
    addToGroup(consumersOf, holder, toConsumer(objectEffect, countPodsAfter(objectEffect)));
  }
  return [...consumersOf].map(([holder, consumers]) =>
    createDeletedTemplateFinding({ object: describeObject(holder), ...describeConsumers(consumers) }),
  );
}

import { isBeingDeleted } from '../../appliers/live-object';
import type { ApplyEffect } from '../../core/document/change';
import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { addToGroup } from '../../core/collections/group-by';
import { describeObject, nameOf, namespaceOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { truncateNames } from '../../core/text/text-format';
import type { PlanInput } from '../../plan/plan-input';
import { systemOf } from '../../plan/registry';
import { findOwnedConfig, findWrittenConfig } from '../effects/written-secrets';
import { findTemplateHolder } from '../effects/template-holder';
import { keyWithoutNamespaceOf, objectKeyOf } from '../match/match-objects';
import { isLost } from '../compare/object-comparison';
import type { ObjectComparison } from '../compare/object-comparison';
import { listRecreations } from '../effects/object-effect';
import type { ChangeContext, ObjectEffect } from '../effects/object-effect';
import { countPodsAfter } from '../result/pod-counts';
import { hasPodWithClaim, listPodReferences, REFERENCED_KINDS, toClaimPattern } from './pod-references';
import type { LesserNeed, PodReference } from './pod-references';
import { listReducedConfigs } from './removed-keys';
import type { GoneObject } from './removed-keys';
import { determineHiddenSeverity } from '../effects/hidden-change-severity';
import {
  createDeletedReferenceFinding,
  createDeletedTemplateFinding,
  createRecreatedClaimFinding,
  createRemovedKeysFinding,
} from '../rules/reference-removed';
import { toSafeText } from '../../core/text/value-text';

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

const CLAIM = '/PersistentVolumeClaim';

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
  private readonly byTarget = new Map<string, (Omit<PodReference, 'kind' | 'name'> & { readonly consumer: Consumer })[]>();

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

  private referencesTo(target: Manifest) {
    const [kind, name] = [kindKeyOf(target), nameOf(target)];
    const claims = kind === CLAIM ? this.byTarget.get(`${kind}/${toClaimPattern(name)}`) : undefined;
    const ofSets = (claims ?? []).filter(({ consumer }) => hasPodWithClaim(consumer.object, name));
    return [...(this.byTarget.get(`${kind}/${name}`) ?? []), ...ofSets];
  }

  /** Returns what all pods need an object for that may start without it; undefined if some do not start. */
  findLesserNeed(target: Manifest): LesserNeed | undefined {
    const found = this.referencesTo(target);
    return found.every(({ isOnlyFor }) => isOnlyFor !== undefined) ? found[0]?.isOnlyFor : undefined;
  }

  /** Returns the consumers of an object, or of some of its keys, in variables only or in any way. */
  find(target: Manifest, keys?: ReadonlySet<PodReference['key']>, inVariables = false): readonly Consumer[] {
    const isFor = ({ namespaces }: Consumer) => CLUSTER_KINDS.has(kindKeyOf(target)) || namespaces.includes(toNamespace(target));
    const found = this.referencesTo(target).filter(({ key, isVariable }) => (!keys || keys.has(key)) && (!inVariables || isVariable));
    return [...new Set(found.flatMap(({ consumer }) => (isFor(consumer) ? [consumer] : [])))];
  }

  /** Returns those of the keys that a consumer names. */
  filterKeys(target: Manifest, keys: ReadonlySet<string>, inVariables?: boolean): readonly string[] {
    return [...keys].filter((key) => this.find(target, new Set([key]), inVariables).length > 0);
  }
}

function describeConsumers(consumers: readonly Consumer[]) {
  const names = [...new Set(consumers.map(({ object }) => describeObject(object)))];
  return { consumers: truncateNames(names), createsPods: consumers.some(({ createsPods }) => createsPods) };
}

/** What the apply deletes and keeps. */
interface ObjectsOfOld {
  readonly deleted: ReadonlySet<Manifest>;
  /** Objects of OLD that the apply leaves. */
  readonly retained: readonly Manifest[];
}

/** Lists the changed objects whose controllers delete the Secret or ConfigMap that they wrote, if they write another one now. */
function listRenamedConfigs(objectEffects: readonly ObjectEffect[]): GoneObject[] {
  return objectEffects.flatMap(({ effect, comparison: { old } }): GoneObject[] => {
    const needed = old && effect !== 'refused' ? findOwnedConfig(old.manifest) : undefined;
    return needed ? [{ object: old!.manifest, needed, isChanged: true }] : [];
  });
}

function toGone(object: Manifest): GoneObject {
  return { object, needed: findOwnedConfig(object) ?? object };
}

/**
 * Reports whether an object that becomes a hook is missing after the apply. Helm deletes what its manifests no longer have after the hooks that run
 * before an upgrade, so only a later hook creates it again. Argo CD marks the object of a hook and does not prune it.
 */
function isLostAsHook({ becomesHook, hook, applied, next }: ObjectComparison): boolean {
  // For a workload or a claim the hook is an error of its own.
  if (!becomesHook || !hook || determineHiddenSeverity(next) === 'error') return false;
  const isCreatedAgain = applied.applier.mode === 'argocd' ? hook.phases.length > 0 : hook.phases.includes('post-upgrade');
  return !isCreatedAgain || hook.deletePolicy.includes('hook-succeeded');
}

/** Lists the objects that go and that pods may need. NEW may have another one in place of what is deleted. */
function listGone(objectEffects: readonly ObjectEffect[], replaceable: readonly GoneObject[]): GoneObject[] {
  const provided = objectEffects.flatMap(({ comparison: { next: object } }) => [object, findWrittenConfig(object) ?? object]);
  const applied = new Set(provided.map(objectKeyOf));
  const appliedAnywhere = new Set(provided.map(keyWithoutNamespaceOf));
  const isApplied = (object: Manifest) =>
    namespaceOf(object) === undefined ? appliedAnywhere.has(keyWithoutNamespaceOf(object)) : applied.has(objectKeyOf(object));
  const lost = objectEffects.flatMap(({ comparison }) =>
    isLost(comparison) ? [comparison.old!.manifest] : isLostAsHook(comparison) ? [comparison.next] : [],
  );
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
  const replaceable = [...[...deleted, ...going].map(toGone), ...listRenamedConfigs(objectEffects)];
  const gone = listGone(objectEffects, replaceable);
  const claims = listRecreations(objectEffects).filter(({ comparison: { next: written } }) => kindKeyOf(written) === CLAIM);
  const reduced = listReducedConfigs(objectEffects, replaceable);
  if (gone.length === 0 && reduced.length === 0 && claims.length === 0) return [];
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
    ...claims.flatMap(({ comparison: { next: claim } }) => {
      const consumers = index.find(claim);
      if (consumers.length === 0) return [];
      const data = { object: describeObject(claim), consumers: describeConsumers(consumers).consumers };
      return [createRecreatedClaimFinding(data, next.locate?.(claim, ROOT_PATH))];
    }),
    ...reduced.flatMap(({ needed, keys, named: object, written, isMoved }) => {
      const named = index.filterKeys(needed, keys, isMoved);
      if (named.length === 0) return [];
      const consumers = describeConsumers(index.find(needed, new Set(named), isMoved));
      const data = { object: describeObject(object), ...consumers, keys: truncateNames(named), ...(isMoved && { isMoved }) };
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

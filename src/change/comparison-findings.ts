import { ROOT_PATH } from '../core/field-path';
import type { Finding } from '../core/finding';
import { describeObject, groupOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { workloadKindOf } from '../workloads/kinds';
import { isNamespaceAssumed } from './object-comparison';
import type { ObjectEffect } from './object-effect';
import { isMissingLastApplied, isMissingManagedFields } from './live-objects';
import type { ObjectPair } from './match-objects';
import { duplicateOldObject } from './rules/duplicate-old-object';
import { noLastApplied } from './rules/no-last-applied';
import { incompleteInformation } from './rules/incomplete-information';

/** The outcome of comparing both sides of a change. */
export interface ComparisonResult {
  readonly objectEffects: readonly ObjectEffect[];
  readonly pairs: readonly ObjectPair[];
  /** Objects that OLD contains more than once. */
  readonly duplicates: readonly Manifest[];
}

function checkDuplicateOldObject(duplicates: readonly Manifest[]): Finding[] {
  const names = new Set(duplicates.map(describeObject));
  const [first] = names;
  return first === undefined
    ? []
    : [duplicateOldObject.createFinding('objects', { path: ROOT_PATH, data: { objects: names.size, first } })];
}

function checkAssumedNamespaces(pairs: readonly ObjectPair[]): Finding[] {
  const assumed = pairs.filter(isNamespaceAssumed);
  const [first] = assumed;
  if (!first) return [];
  const object = namespaceOf(first.next) === undefined ? first.old! : first.next;
  return [
    incompleteInformation.createFinding('namespace', { path: ROOT_PATH, data: { objects: assumed.length, first: describeObject(object) } }),
  ];
}

function checkUnknownPodTemplates(objectEffects: readonly ObjectEffect[]): Finding[] {
  const resources = objectEffects
    .filter(({ comparison, effect }) => effect === 'unknown' && comparison.old && workloadKindOf(comparison.next))
    .map(({ comparison }) => describeObject(comparison.next));
  return resources.length === 0
    ? []
    : [incompleteInformation.createFinding('unknown-pod-template', { path: ROOT_PATH, data: { resources } })];
}

/** Reports InferenceServices whose effect is unknown. The only cause is that their deployment mode is unknown. */
function checkUnknownDeploymentModes(objectEffects: readonly ObjectEffect[]): Finding[] {
  const resources = objectEffects
    .filter(
      ({ comparison: { next }, effect }) =>
        effect === 'unknown' && next.kind === 'InferenceService' && groupOf(next) === 'serving.kserve.io',
    )
    .map(({ comparison }) => describeObject(comparison.next));
  return resources.length === 0 ? [] : [incompleteInformation.createFinding('deployment-mode', { path: ROOT_PATH, data: { resources } })];
}

function checkNoLastApplied(objectEffects: readonly ObjectEffect[]): Finding[] {
  const unknown = objectEffects.filter(
    ({ comparison }) => comparison.applied.applier.method === 'client' && comparison.old && isMissingLastApplied(comparison.old.manifest),
  );
  const unmanaged = objectEffects.filter(
    ({ comparison }) => comparison.applied.applier.method === 'server' && comparison.old && isMissingManagedFields(comparison.old.manifest),
  );
  const unreleased = objectEffects.filter(({ comparison }) => comparison.applied.applier.method === 'helm' && comparison.old?.isLive);
  return [
    ...(unknown.length > 0 ? [noLastApplied.createFinding('nothing-deleted', { path: ROOT_PATH, data: { objects: unknown.length } })] : []),
    ...(unmanaged.length > 0
      ? [noLastApplied.createFinding('managers-unknown', { path: ROOT_PATH, data: { objects: unmanaged.length } })]
      : []),
    ...(unreleased.length > 0
      ? [noLastApplied.createFinding('release-unknown', { path: ROOT_PATH, data: { objects: unreleased.length } })]
      : []),
  ];
}

/** Returns the findings that are reported once per run, not per object. */
export function collectComparisonFindings({ objectEffects, pairs, duplicates }: ComparisonResult): Finding[] {
  return [
    ...checkDuplicateOldObject(duplicates),
    ...checkAssumedNamespaces(pairs),
    ...checkNoLastApplied(objectEffects),
    ...checkUnknownPodTemplates(objectEffects),
    ...checkUnknownDeploymentModes(objectEffects),
  ];
}

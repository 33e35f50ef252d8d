import { toCheckoutPath } from '../../core/sources/checkout-path';
import { groupBy } from '../../core/collections/group-by';
import { findFirstByName } from '../../core/collections/first-by-name';
import { buildFieldPath, ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { describeObject, getFieldsAt, groupOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toShownTrail } from '../../core/manifest/secret-holder';
import { helmTemplate, mayChartDiffer } from '../../core/rules/helm-template';
import { kustomization } from '../../core/rules/kustomization';
import { notRendered } from '../../core/rules/not-rendered';
import { unreadable } from '../../core/rules/unreadable';
import { truncateNames } from '../../core/text/text-format';
import type { PlanInput } from '../../plan/plan-input';
import { workloadKindOf } from '../../workloads/kinds';
import { mayRollBack } from '../effects/deprecated-rollback';
import { isNamespaceAssumed } from '../compare/object-comparison';
import type { ObjectEffect } from '../effects/object-effect';
import { listFieldsOfRelease } from '../compare/fields-of-release';
import type { Versions } from '../../core/values/versions';
import { listPreconditions } from '../apiserver/preconditions';
import { isMissingLastApplied, isMissingManagedFields } from '../match/live-objects';
import { checkMarkerChanges } from '../match/marker-changes';
import { folderOf, keyWithoutNamespaceOf, objectKeyOf } from '../match/match-objects';
import type { ChangeSide, ObjectPair } from '../match/match-objects';
import { determineHiddenSeverity } from '../effects/hidden-change-severity';
import { duplicateOldObject } from '../rules/duplicate-old-object';
import { noLastApplied } from '../rules/no-last-applied';
import { incompleteInformation } from '../rules/incomplete-information';
import { visitRoundedNumbers } from '../../core/values/rounded-numbers';
import { callOrElse } from '../../plan/isolate-objects';
import { toSafeText } from '../../core/text/value-text';

/** Name of standard input in the positions of objects. */
const STDIN_FILE = '-';

/** The outcome of comparing both sides of a change. */
export interface ComparisonResult {
  readonly objectEffects: readonly ObjectEffect[];
  readonly pairs: readonly ObjectPair[];
  /** Objects that OLD contains more than once. */
  readonly duplicates: readonly Manifest[];
  /** NEW, with the places of its objects. */
  readonly next: ChangeSide;
}

function checkDuplicateOldObject(duplicates: readonly Manifest[]): Finding[] {
  const names = new Set(duplicates.map(describeObject));
  const first = findFirstByName(names, String);
  return first === undefined
    ? []
    : [duplicateOldObject.createFinding('objects', { path: ROOT_PATH, data: { objects: names.size, first } })];
}

function checkAssumedNamespaces(pairs: readonly ObjectPair[]): Finding[] {
  const assumed = pairs.filter(isNamespaceAssumed);
  const names = assumed.map(({ old, next }) => describeObject(namespaceOf(next) === undefined ? old! : next));
  const first = findFirstByName(names, String);
  if (first === undefined) return [];
  return [incompleteInformation.createFinding('namespace', { path: ROOT_PATH, data: { objects: assumed.length, first } })];
}

/** A new object of NEW with another one of its name. */
interface ObjectCopy {
  readonly next: Manifest;
  readonly other: Manifest;
}

/** Lists the objects that are planned as new although NEW contains one of the same name that is not: in another folder, or in an unknown namespace. */
function listCopies(pairs: readonly ObjectPair[]): ObjectCopy[] {
  const created = pairs.filter(({ old }) => old === undefined);
  if (created.length === 0) return [];
  const existing = pairs.flatMap(({ old, next }) => (old === undefined ? [] : [next]));
  const byKey = new Map(existing.map((object) => [objectKeyOf(object), object]));
  const byName = new Map(existing.map((object) => [keyWithoutNamespaceOf(object), object]));
  const findCopied = (object: Manifest) => {
    const name = keyWithoutNamespaceOf(object);
    return byKey.get(objectKeyOf(object)) ?? byKey.get(name) ?? (namespaceOf(object) === undefined ? byName.get(name) : undefined);
  };
  return created.flatMap(({ next }) => {
    const other = findCopied(next);
    return other === undefined ? [] : [{ next, other }];
  });
}

/** Reports copies of objects. One in the folder of the other is an error if it may roll out: one apply may write both to one namespace. */
function checkCopies(pairs: readonly ObjectPair[], side: ChangeSide): Finding[] {
  const isError = ({ next, other }: ObjectCopy) =>
    folderOf(side, next) === folderOf(side, other) && determineHiddenSeverity(next) === 'error';
  return [...groupBy(listCopies(pairs), isError)].flatMap(([error, copies]) => {
    const first = findFirstByName(copies, ({ next }) => describeObject(next))!;
    const data = { objects: copies.length, first: describeObject(first.next), other: describeObject(first.other) };
    return [incompleteInformation.createFinding('copies', { path: ROOT_PATH, data, ...(error && { severity: 'error' as const }) })];
  });
}

/** Reports objects with a version or uid that the live object must have, although OLD does not show it. */
function checkUnknownPreconditions(objectEffects: readonly ObjectEffect[]): Finding[] {
  const unknown = objectEffects.flatMap(({ comparison: { next, old } }) => {
    if (!old) return [];
    const field = listPreconditions(next).find((name) => !old.isLive || getFieldsAt(old.manifest, 'metadata')[name] === undefined);
    return field === undefined ? [] : [{ next, path: `metadata.${field}` }];
  });
  const first = findFirstByName(unknown, ({ next }) => describeObject(next));
  if (!first) return [];
  const data = { objects: unknown.length, first: describeObject(first.next), path: first.path };
  return [incompleteInformation.createFinding('preconditions', { path: ROOT_PATH, data, severity: 'warning' })];
}

/** Reports numbers that are rounded, as two different ones may seem equal. */
function checkRoundedNumbers(pairs: readonly ObjectPair[]): Finding[] {
  let numbers = 0;
  const firstOfObjects: { readonly path: string; readonly resource: string }[] = [];
  for (const { old, next } of pairs) {
    if (!old) continue;
    const before = numbers;
    visitRoundedNumbers(next, [], (path) => {
      if (numbers++ === before) firstOfObjects.push({ path: buildFieldPath(...toShownTrail(next, path)), resource: describeObject(next) });
    });
  }
  const first = findFirstByName(firstOfObjects, ({ resource }) => resource);
  return first === undefined ? [] : [incompleteInformation.createFinding('rounded', { path: ROOT_PATH, data: { numbers, ...first } })];
}

function checkUnknownPodTemplates(objectEffects: readonly ObjectEffect[]): Finding[] {
  const resources = objectEffects
    .filter(
      ({ comparison, effect, isReleased }) =>
        effect === 'unknown' &&
        !isReleased &&
        !mayRollBack(comparison.result) &&
        comparison.old &&
        // Another template needs no comparison with that of the pods: its rollout is not planned.
        !comparison.differences.some(({ path }) => path.startsWith('spec.template')) &&
        workloadKindOf(comparison.next),
    )
    .map(({ comparison }) => describeObject(comparison.next));
  return resources.length === 0
    ? []
    : [incompleteInformation.createFinding('unknown-pod-template', { path: ROOT_PATH, data: { resources } })];
}

/** Reports workloads whose pods another object ran. */
function checkReleased(objectEffects: readonly ObjectEffect[]): Finding[] {
  const released = objectEffects.filter(({ isReleased }) => isReleased).map(({ comparison }) => describeObject(comparison.next));
  if (released.length === 0) return [];
  const data = { resources: truncateNames(released) };
  return [incompleteInformation.createFinding('released', { path: ROOT_PATH, data, severity: 'warning' })];
}

/** Reports InferenceServices whose effect is unknown because their deployment mode is. A lost runtime has a cause or a finding of its own. */
function checkUnknownDeploymentModes(objectEffects: readonly ObjectEffect[]): Finding[] {
  const resources = objectEffects
    .filter(
      // The mode is unknown of a service, and the revisions that get requests of a component.
      ({ comparison: { next }, effects, causedBy }) =>
        effects.get('') === 'unknown' && causedBy.length === 0 && next.kind === 'InferenceService' && groupOf(next) === 'serving.kserve.io',
    )
    .map(({ comparison }) => describeObject(comparison.next));
  return resources.length === 0 ? [] : [incompleteInformation.createFinding('deployment-mode', { path: ROOT_PATH, data: { resources } })];
}

/** Reports live objects that Helm applies. Fields that Helm owns, and NEW does not set, may go with the upgrade. */
function checkUnknownRelease(objectEffects: readonly ObjectEffect[], versions: Versions): Finding[] {
  const unreleased = objectEffects.filter(({ comparison }) => comparison.applied.applier.method === 'helm' && comparison.old?.isLive);
  const losing = unreleased.flatMap(({ comparison }) => {
    const [path] = callOrElse(
      () => listFieldsOfRelease(comparison, versions),
      () => [],
    );
    return path === undefined ? [] : [`${path} of ${describeObject(comparison.next)}`];
  });
  const rest = unreleased.length - losing.length;
  return [
    ...(losing.length > 0
      ? [
          noLastApplied.createFinding('release-had-more', {
            path: ROOT_PATH,
            severity: 'warning',
            data: { objects: losing.length, example: losing[0]! },
          }),
        ]
      : []),
    ...(rest > 0 ? [noLastApplied.createFinding('release-unknown', { path: ROOT_PATH, data: { objects: rest } })] : []),
  ];
}

function checkNoLastApplied(objectEffects: readonly ObjectEffect[]): Finding[] {
  const unknown = objectEffects.filter(
    ({ comparison }) => comparison.applied.applier.method === 'client' && comparison.old && isMissingLastApplied(comparison.old.manifest),
  );
  const unmanaged = objectEffects.filter(
    ({ comparison }) => comparison.applied.applier.method === 'server' && comparison.old && isMissingManagedFields(comparison.old.manifest),
  );
  return [
    ...(unknown.length > 0 ? [noLastApplied.createFinding('nothing-deleted', { path: ROOT_PATH, data: { objects: unknown.length } })] : []),
    ...(unmanaged.length > 0
      ? [noLastApplied.createFinding('managers-unknown', { path: ROOT_PATH, data: { objects: unmanaged.length } })]
      : []),
  ];
}

/** Reports OLD if it contains kustomizations or charts that are not rendered, and NEW is the output of a program. */
function checkRenderedSides({ findings = [] }: PlanInput, next: PlanInput): Finding[] {
  const folders = findings.filter((finding) => kustomization.matches(finding) || mayChartDiffer(finding)).length;
  const isPiped = next.objects.length > 0 && next.objects.every((object) => next.textOf?.(object)?.file === STDIN_FILE);
  return folders > 0 && isPiped ? [notRendered.createFinding('oneSide', { path: ROOT_PATH, data: { folders } })] : [];
}

/** Reports whether a part of OLD is missing, so that an object of NEW may exist although OLD does not contain it. */
export function isIncomplete(findings: readonly Finding[]): boolean {
  return findings.some(
    (finding) => (unreadable.matches(finding) || notRendered.matches(finding)) && finding.severity === 'error' && !finding.suppressed,
  );
}

/** Findings about both sides, before anything is compared. */
export interface InputFindings {
  readonly findings: readonly Finding[];
  /** Whether a part of OLD is missing. */
  readonly isOldIncomplete: boolean;
}

/** Reports whether a finding is reported only once if both sides have it: a note about a file, or a chart that is not rendered. */
function isCommon(finding: Finding): boolean {
  return finding.severity === 'info' || helmTemplate.matches(finding);
}

/** Returns a key that a note about a file of a revision and one about the same file of the checkout share. */
function noteKeyOf({ code, messageId, data, source }: Finding): string {
  // A folder itself is named like its PATH, which differs.
  return JSON.stringify([code, messageId, data, source?.file], (name, value: unknown) => {
    if (name === 'folder' || name === 'chart') return undefined;
    return typeof value === 'string' ? toCheckoutPath(value) : value;
  });
}

/**
 * Returns the findings about both sides: those of reading each, and one if only NEW is rendered. A program that both sides lack is one finding,
 * and so is a note about a file that has it on both sides.
 */
export function collectInputFindings(old: PlanInput, next: PlanInput, pairs: readonly ObjectPair[]): InputFindings {
  const own = next.findings ?? [];
  const reported = new Set(
    own.filter((finding) => notRendered.matches(finding, 'programMissing')).map(({ data }) => toSafeText(data['programs'])),
  );
  const notes = new Set(own.filter(isCommon).map(noteKeyOf));
  const ofOld = [...(old.findings ?? []), ...checkRenderedSides(old, next)];
  const further = ofOld.filter(
    (finding) =>
      !(notRendered.matches(finding, 'programMissing') && reported.has(toSafeText(finding.data['programs']))) &&
      !(isCommon(finding) && notes.has(noteKeyOf(finding))),
  );
  return { findings: [...own, ...further, ...checkMarkerChanges(old, next, pairs)], isOldIncomplete: isIncomplete(ofOld) };
}

/** Returns the findings that are reported once per run, not per object. */
export function collectComparisonFindings({ objectEffects, pairs, duplicates, next }: ComparisonResult, versions: Versions): Finding[] {
  return [
    ...checkDuplicateOldObject(duplicates),
    ...checkAssumedNamespaces(pairs),
    ...checkCopies(pairs, next),
    ...checkRoundedNumbers(pairs),
    ...checkUnknownPreconditions(objectEffects),
    ...checkNoLastApplied(objectEffects),
    ...checkUnknownRelease(objectEffects, versions),
    ...checkReleased(objectEffects),
    ...checkUnknownPodTemplates(objectEffects),
    ...checkUnknownDeploymentModes(objectEffects),
  ];
}

import { appendToPath, ROOT_PATH, toFieldPath } from '../core/manifest/field-path';
import type { FieldChange } from '../core/document/change';
import type { Finding } from '../core/findings/finding';
import { formatReference, getFieldsAt, nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { ResourceRef } from '../core/document/rollout';
import { truncateNames } from '../core/text/text-format';
import type { UpgradeEffect } from '../core/document/upgrade';
import { modelOf, modelFieldOf } from '../systems/kserve/service';
import { resourceRefOf } from '../change/effects/object-effect';
import { incompleteInformation } from '../change/rules/incomplete-information';
import { deletedDefaultNames } from './rows/kserve/default-names';
import { oldStatusMode } from './rows/kserve/modes';
import { autoSelect } from './rules/auto-select';
import { nameChanges } from './rules/name-changes';
import { newDeploymentId } from './rules/new-deployment-id';
import { newPodsDiffer } from './rules/new-pods-differ';
import { rollsEverything } from './rules/rolls-everything';
import { formatRowMessage } from './upgrade-row';
import type { RowMatch, UpgradeRow } from './upgrade-row';
import type { KnownUpgrade } from './version-pair';
import { toSafeText } from '../core/text/value-text';

/** A row that concerns an object. */
export interface MatchedRow {
  readonly row: UpgradeRow;
  readonly object: Manifest;
  readonly matches: readonly RowMatch[];
}

/** An object whose pods the upgrade replaces. */
export interface RolledObject {
  readonly resource: ResourceRef;
  /** Fields that are written differently. */
  readonly fields: readonly string[];
  /** Pods that its rollouts add at their peaks. */
  readonly extraPods: number;
  /** GPUs that these pods request. */
  readonly extraGpus: number;
  /** Whether its pods are planned. */
  readonly isCounted: boolean;
  /** Whether one of its rollouts never finishes for lack of capacity. */
  readonly deadlocks: boolean;
}

/** A finding about a rollout, or about the whole upgrade. */
export interface UpgradeFinding {
  readonly finding: Finding;
  /** Object and component that it is about. @default - it is about no rollout */
  readonly about?: { readonly object: Manifest; readonly component?: string };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function checkRollsEverything(
  { product, from, to }: KnownUpgrade,
  rolled: readonly RolledObject[],
  saferOrder: readonly string[],
): Finding[] {
  if (rolled.length === 0) return [];
  const deadlocks = rolled.filter((one) => one.deadlocks).map(({ resource }) => formatReference(resource));
  const uncounted = rolled.filter(({ isCounted }) => !isCounted).length;
  const data = {
    product,
    from,
    to,
    count: rolled.length,
    objects: truncateNames(rolled.map(({ resource }) => formatReference(resource))),
    fields: truncateNames([...new Set(rolled.flatMap(({ fields }) => fields))]),
    extraPods: sum(rolled.map(({ extraPods }) => extraPods)),
    extraGpus: sum(rolled.map(({ extraGpus }) => extraGpus)),
    ...(uncounted > 0 && { uncounted }),
    ...(deadlocks.length > 0 && { deadlocks: truncateNames(deadlocks) }),
    saferOrder,
  };
  return [rollsEverything.createFinding('rolls', { path: ROOT_PATH, data })];
}

/** Reports services that may roll because of a runtime that is not in the input. */
export function checkUnseenRuntimes({ to }: KnownUpgrade, services: readonly Manifest[]): UpgradeFinding[] {
  if (services.length === 0) return [];
  const resources = truncateNames(services.map((object) => formatReference(resourceRefOf(object))));
  return [{ finding: incompleteInformation.createFinding('unseen-runtime', { path: ROOT_PATH, data: { resources, to } }) }];
}

/** Groups the objects of the rows with an effect by row. */
function groupByRow(matched: readonly MatchedRow[], effect: UpgradeEffect): ReadonlyMap<UpgradeRow, readonly string[]> {
  const groups = new Map<UpgradeRow, string[]>();
  for (const { row, object } of matched) {
    if (row.effect !== effect) continue;
    const names = groups.get(row) ?? [];
    names.push(formatReference(resourceRefOf(object)));
    groups.set(row, names);
  }
  return groups;
}

function checkNewPods(upgrade: KnownUpgrade, matched: readonly MatchedRow[]): Finding[] {
  return (['new-pods', 'next-write'] as const).flatMap((effect) =>
    [...groupByRow(matched, effect)].map(([row, names]) =>
      newPodsDiffer.createFinding(effect, {
        path: ROOT_PATH,
        data: { difference: formatRowMessage(row, upgrade), count: names.length, objects: truncateNames(names) },
      }),
    ),
  );
}

function checkDeploymentIds(upgrade: KnownUpgrade, matched: readonly MatchedRow[]): Finding[] {
  return [...groupByRow(matched, 'redeploy')].map(([row, names]) =>
    newDeploymentId.createFinding('redeployed', {
      path: ROOT_PATH,
      data: { difference: formatRowMessage(row, upgrade), count: names.length, bundles: truncateNames(names) },
    }),
  );
}

/** Returns the findings about the names of an object's workloads. */
function checkNames(
  { row, object, matches }: MatchedRow,
  { to }: KnownUpgrade,
  countPods: (object: Manifest, component?: string) => number,
): UpgradeFinding[] {
  const path = toFieldPath`metadata.name`;
  const createFinding = (component: string | undefined, { old, new: next }: FieldChange): Finding => {
    const data = { name: nameOf(object), old: toSafeText(old), new: toSafeText(next) };
    if (row.id === oldStatusMode.id) return nameChanges.createFinding('mode', { path, data: { ...data, to } });
    const messageId = row.id === deletedDefaultNames.id ? 'deleted' : 'renamed';
    return nameChanges.createFinding(messageId, { path, data: { ...data, pods: countPods(object, component) } });
  };
  return matches.flatMap(({ component, fields = [] }) =>
    fields.map((field) => ({
      about: { object, ...(component !== undefined && { component }) },
      finding: createFinding(component, field),
    })),
  );
}

/** Returns the findings about the serving runtime of a model that names none. */
function checkSelection({ object, matches }: MatchedRow, { to }: KnownUpgrade): UpgradeFinding[] {
  const predictor = getFieldsAt(object, 'spec', 'predictor');
  const { name, version } = getFieldsAt(modelOf(predictor), 'modelFormat');
  const format = [name ?? modelFieldOf(predictor), version].filter((part) => typeof part === 'string').join(' ');
  return matches.flatMap(({ component, fields = [] }) =>
    fields.map(({ old, new: next }) => ({
      about: { object, ...(component !== undefined && { component }) },
      finding: autoSelect.createFinding('selected', {
        path: appendToPath(toFieldPath`spec.predictor`, modelFieldOf(predictor) ?? 'model'),
        data: { to, format, old: toSafeText(old), ...(typeof next === 'string' && { new: next }) },
      }),
    })),
  );
}

/** Collects the findings of an upgrade. */
export function collectUpgradeFindings(
  upgrade: KnownUpgrade,
  rolled: readonly RolledObject[],
  matched: readonly MatchedRow[],
  countPods: (object: Manifest, component?: string) => number,
  saferOrder: readonly string[],
): readonly UpgradeFinding[] {
  const general = [
    ...checkRollsEverything(upgrade, rolled, saferOrder),
    ...checkDeploymentIds(upgrade, matched),
    ...checkNewPods(upgrade, matched),
  ];
  return [
    ...general.map((finding) => ({ finding })),
    ...matched.filter(({ row }) => row.effect === 'rename').flatMap((one) => checkNames(one, upgrade, countPods)),
    ...matched.filter(({ row }) => row.effect === 'select').flatMap((one) => checkSelection(one, upgrade)),
  ];
}

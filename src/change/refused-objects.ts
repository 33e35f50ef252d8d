import type { ApplyRejection } from '../core/change';
import { createRefusedObjectFinding } from '../cluster/rules/refused-object';
import { parseFieldPath, toFieldPath } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { collectFindings, summarizePlan } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import type { Versions } from '../core/versions';
import { containsPlaceholder } from '../plan/placeholders';
import type { PlanInput } from '../plan/plan-input';
import { isFleetYaml } from '../systems/fleet/fleet-yaml';
import { workloadKindOf } from '../workloads/kinds';
import { validateDecoding } from './apiserver/decoding-errors';
import { getStoredKind } from './apiserver/kinds';
import { toStoredForm } from './apiserver/stored-form';
import { validateValues } from './apiserver/value-validation';

/** Message of a missing value. */
const REQUIRED = /^Required value/;

/** Returns why the API server refuses to create an object; undefined for a workload, whose plan reports it, and for a kind that is not validated. */
function findRefusal(object: Manifest, versions: Versions): ApplyRejection | undefined {
  if (workloadKindOf(object) || isFleetYaml(object)) return undefined;
  const undecodable = getStoredKind(object) && validateDecoding(object, 'client', versions);
  const refusal = undecodable ?? validateValues(toStoredForm(object, versions), versions, object);
  // What a program fills in later cannot be validated.
  const value = refusal && getValueAt(object, ...parseFieldPath(toFieldPath`${refusal.path}`));
  return containsPlaceholder(value) ? undefined : refusal;
}

/** Formats a position. One problem has one finding, so a rule that reports a problem at the same position wins. */
function formatPosition(path: string, source: Source | undefined): string {
  return [path, source?.file, source?.line, source?.column].join(':');
}

/** Adds the objects that the API server refuses, as `plan --from` reports them for a change. */
export function addRefusedObjects(
  plan: PlanDocument,
  { objects, locate = () => undefined, textOf }: Pick<PlanInput, 'objects' | 'locate' | 'textOf'>,
): PlanDocument {
  const known = new Set(collectFindings(plan).map(({ path, source }) => formatPosition(path, source)));
  const found = objects.flatMap((object): Finding[] => {
    const refusal = findRefusal(object, plan.versions);
    if (!refusal) return [];
    // A kustomization or Fleet may fill in what is missing, such as the namespace of a subject.
    if (REQUIRED.test(refusal.message) && textOf?.(object)?.unit?.hasMarkerFile) return [];
    const finding = createRefusedObjectFinding(object, refusal, locate(object, refusal.path));
    return known.has(formatPosition(finding.path, finding.source)) ? [] : [finding];
  });
  if (found.length === 0) return plan;
  const findings = [...plan.findings, ...found];
  return { ...plan, findings, summary: { ...summarizePlan({ ...plan, findings }), rollouts: plan.summary.rollouts } };
}

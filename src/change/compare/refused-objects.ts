import type { ApplyRejection } from '../../core/document/change';
import { isLive } from '../../appliers/live-object';
import { createRefusedObjectFinding } from '../../cluster/rules/refused-object';
import { ROOT_PATH, parseFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { DeadlineError } from '../../core/budget/deadline';
import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { collectFindings } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import type { Versions } from '../../core/values/versions';
import { readInputDefinitions } from '../../plan/input-definitions';
import { createFailureFinding } from '../../plan/isolate-failures';
import { containsPlaceholder } from '../../plan/placeholders';
import { ReportedProblems } from '../../plan/reported-problems';
import { limitPlanning } from '../../plan/plan';
import { addFindings } from '../../plan/plan-budget';
import type { PlanningLimits } from '../../plan/plan-budget';
import type { PlanInput } from '../../plan/plan-input';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { workloadKindOf } from '../../workloads/kinds';
import { callOrElse } from '../../plan/isolate-objects';
import { checkDroppedFields } from './dropped-fields';
import { isValueReported } from './reported-value';
import { findUndecodableField, validateDecoding } from '../apiserver/decoding-errors';
import { getStoredKind } from '../apiserver/kinds';
import { toStoredForm } from '../apiserver/stored-form';
import { refuseWrittenMetadata, validateValues } from '../apiserver/value-validation';

/** Message of a missing value. */
const REQUIRED = /^Required value/;

/** Returns the path of a refusal in the manifest. Most messages about a field that cannot be decoded name none. */
function getRefusedPath({ path }: ApplyRejection, object: Manifest, versions: Versions): string {
  return path === '' ? (findUndecodableField(object, versions) ?? '') : path;
}

/**
 * Returns why the API server refuses to create an object; undefined for a workload, whose plan reports it, and for a kind that is not validated.
 *
 * @param acceptsUnknownFields - whether unknown fields are dropped, as by every client except kubectl
 */
export function findCreationRefusal(
  object: Manifest,
  versions: Versions,
  refusesPlaceholders: boolean,
  acceptsUnknownFields = false,
): ApplyRejection | undefined {
  if (workloadKindOf(object) || isFleetYaml(object)) return undefined;
  const undecodable = getStoredKind(object) && validateDecoding(object, 'client', versions, acceptsUnknownFields);
  const refusal = undecodable ?? validateValues(toStoredForm(object, versions), versions, object);
  if (refusesPlaceholders) return refusal ?? refuseWrittenMetadata(object, versions);
  // What a program fills in later cannot be validated.
  const value = refusal && getValueAt(object, ...parseFieldPath(getRefusedPath(refusal, object, versions)));
  return containsPlaceholder(value) ? undefined : refusal;
}

/** Objects that an apply creates. */
export interface CreatedInput extends PlanInput {
  /** Returns why the API server refuses an object. The versions are those of the plan. */
  readonly refusalOf: (object: Manifest, versions: Versions) => ApplyRejection | undefined;
}

/** Returns an input in whose plan a refused object surrounds nothing. One that was read from a cluster exists, whatever its values are. */
export function withRefusals(input: PlanInput): CreatedInput {
  const { textOf, refusesPlaceholders = false } = input;
  const known = new Map<Manifest, ApplyRejection | undefined>();
  const refusalOf = (object: Manifest, versions: Versions): ApplyRejection | undefined => {
    if (known.has(object)) return known.get(object);
    const found = findCreationRefusal(object, versions, refusesPlaceholders, true);
    // A kustomization or Fleet may fill in what is missing, such as the namespace of a subject.
    const isFilledIn = found !== undefined && REQUIRED.test(found.message) && textOf?.(object)?.unit?.hasMarkerFile === true;
    const refusal = isFilledIn ? undefined : found;
    known.set(object, refusal);
    return refusal;
  };
  return {
    ...input,
    refusalOf,
    appliedFormOf: (object, versions) =>
      callOrElse(
        () => (!isLive(object) && refusalOf(object, versions) ? undefined : object),
        () => object,
      ),
  };
}

/** Validates objects until the deadline. An object on which this fails is a finding. @throws DeadlineError once the deadline has passed */
function collectRefusals(plan: PlanDocument, input: CreatedInput, { budget: { seconds }, deadline }: PlanningLimits): Finding[] {
  const { objects, locate = () => undefined, refusalOf } = input;
  const found = collectFindings(plan);
  const reported = new ReportedProblems(found);
  const definitions = readInputDefinitions(input, plan.versions.kubernetes, seconds);
  const validate = (object: Manifest): Finding[] => {
    const dropped = checkDroppedFields(object, plan.versions, { ...input, ...(definitions && { definitions }) });
    const refusal = refusalOf(object, plan.versions);
    if (!refusal || isValueReported(refusal, object, found, input)) return dropped;
    // An error about the entire object, such as its placeholders, explains a message without a path.
    if (refusal.path === '' && reported.hasErrorAt('', locate(object, ROOT_PATH))) return dropped;
    const path = getRefusedPath(refusal, object, plan.versions);
    // An error about the placeholders of an object is at its first line.
    if (containsPlaceholder(getValueAt(object, ...parseFieldPath(path))) && reported.hasErrorAt('', locate(object, ROOT_PATH)))
      return dropped;
    return [...dropped, createRefusedObjectFinding(object, { ...refusal, path }, locate(object, path))];
  };
  const validateSafely = (object: Manifest): Finding[] => {
    try {
      return validate(object);
    } catch (error) {
      if (error instanceof DeadlineError) throw error;
      return [createFailureFinding({ object, error }, locate)];
    }
  };
  const refused = objects.flatMap((object): Finding[] => {
    deadline.check();
    return validateSafely(object);
  });
  return [...refused.filter((finding) => !reported.includes(finding)), ...(definitions?.check(false, found) ?? [])];
}

/** Adds the objects that the API server refuses, as `plan --from` reports them for a change. The limits are those of the plan. */
export function addRefusedObjects(plan: PlanDocument, input: CreatedInput, limits: PlanningLimits): PlanDocument {
  const { budget, deadline } = limits;
  return limitPlanning({ input, versions: plan.versions, budget, deadline }, () =>
    addFindings(plan, collectRefusals(plan, input, limits), budget),
  );
}

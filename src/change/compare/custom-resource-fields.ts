import type { Finding } from '../../core/findings/finding';
import { ROOT_PATH, parseFieldPath, toFieldPath } from '../../core/manifest/field-path';
import { getOwnValue, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createUnknownFieldFindings, unknownField } from '../../core/rules/unknown-field';
import { ANY, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import type { Versions } from '../../core/values/versions';
import type { PlanInput } from '../../plan/plan-input';
import { SYSTEMS } from '../../plan/registry';
import { SCALED_OBJECT_SPEC } from '../../cluster/autoscaling/scaled-object-fields';
import { CANARY_SPEC } from '../../systems/flagger/canary-fields';
import { GIT_REPO_SPEC } from '../../systems/fleet/git-repo-fields';
import { checkKnativeServiceFields } from '../../systems/knative-service/service-fields';
import { checkRuntimeFields } from '../../systems/kserve/runtime-fields';
import { V1, V1ALPHA1 } from '../../systems/kuberay/crd-fields';
import { checkRayClusterFields } from '../../systems/kuberay/ray-cluster-fields';
import { kuberayUnknownField } from '../../systems/kuberay/rules/unknown-field';
import { defineStruct } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';

/* Unknown fields of custom resources. Their definitions preserve no unknown field, except where a check allows any, so the API server drops it. */

type SpecCheck = (object: Manifest, versions: Versions) => Finding[];

/** Creates the check of a spec whose fields are all known. */
function checkBySchema(schema: FieldSchema): SpecCheck {
  return ({ spec }) => createUnknownFieldFindings(findSchemaProblems(spec, schema, toFieldPath`spec`));
}

const checkRayCluster: SpecCheck = (object, { kuberay }) => checkRayClusterFields(object, kuberay);

/** The checks of the fields in the spec of custom resources, by apiVersion and kind. */
const SPEC_CHECKS: Readonly<Record<string, SpecCheck>> = {
  [`${V1}/RayCluster`]: checkRayCluster,
  [`${V1ALPHA1}/RayCluster`]: checkRayCluster,
  'flagger.app/v1beta1/Canary': checkBySchema(CANARY_SPEC),
  'fleet.cattle.io/v1alpha1/GitRepo': checkBySchema(GIT_REPO_SPEC),
  'keda.sh/v1alpha1/ScaledObject': checkBySchema(SCALED_OBJECT_SPEC),
  'serving.kserve.io/v1alpha1/ServingRuntime': checkRuntimeFields,
  'serving.kserve.io/v1alpha1/ClusterServingRuntime': checkRuntimeFields,
  'serving.knative.dev/v1/Service': checkKnativeServiceFields,
};

const OBJECT = defineStruct({ apiVersion: ANY, kind: ANY, metadata: defineStruct(OBJECT_META), spec: ANY, status: ANY });

/** The CRDs of an input and of its options, which decide about the fields of the kinds that they define. */
export type CrdsInView = Pick<PlanInput, 'listUnknownFields' | 'definitions'>;

/** kubectl ignores a null. */
function isNull(object: Manifest, path: string): boolean {
  return getValueAt(object, ...parseFieldPath(path)) === null;
}

function checkSpecFields(object: Manifest, versions: Versions): Finding[] {
  const checkSpec = getOwnValue(SPEC_CHECKS, `${object.apiVersion}/${object.kind}`);
  if (!checkSpec) return [];
  const ofObject = createUnknownFieldFindings(findSchemaProblems(object, OBJECT, ROOT_PATH));
  return [...ofObject, ...checkSpec(object, versions)].filter(({ path }) => !isNull(object, path));
}

/**
 * Reports the fields of a custom resource without a rollout that the API server drops. There are none if its fields are not known, or if the user
 * provides its CRD, which decides.
 */
export function checkCustomResourceFields(object: Manifest, versions: Versions, { listUnknownFields, definitions }: CrdsInView): Finding[] {
  return (listUnknownFields?.(object) ?? definitions?.listUnknownFields(object)) ? [] : checkSpecFields(object, versions);
}

/** Reports whether no version of an operator has the field. The version that a plan assumes may be older than the one that runs. */
function isUnknownToAllVersions(finding: Finding): boolean {
  return unknownField.matches(finding, 'unknown') || kuberayUnknownField.matches(finding, 'otherVersion');
}

/**
 * Lists the fields of any custom resource that its definition lacks: by its CRD, or else those that findings report. A plan reports those of a
 * rollout.
 *
 * @param inView - the CRDs
 * @param origin - the object of the input whose CRDs apply. @default - the object
 */
export function listUndefinedFields(
  object: Manifest,
  versions: Versions,
  { listUnknownFields, definitions }: CrdsInView,
  origin = object,
): readonly string[] {
  const byCrd = listUnknownFields?.(object) ?? definitions?.listUnknownFields(origin, object);
  if (byCrd) return byCrd.filter((path) => !isNull(object, path));
  const system = SYSTEMS.find((one) => one.recognises(object));
  const findings = [...checkSpecFields(object, versions), ...(system?.droppedFields?.(object, versions) ?? [])];
  return findings.flatMap((finding) => (isUnknownToAllVersions(finding) && !isNull(object, finding.path) ? [finding.path] : []));
}

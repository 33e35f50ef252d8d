import { typeFinding } from '../../cluster/refusals';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isFields } from '../../core/manifest';
import { wrongTypeFinding } from '../../core/rules/wrong-type';
import { ofKind, schemaProblems } from '../../core/schema';
import type { FieldSchema, SchemaProblem } from '../../core/schema';
import { CLUSTER_SCHEMA, METADATA_SCHEMA, OPTIONS_SCHEMA, SERVE_CONFIG_SCHEMA, SPEC_SCHEMA, STRATEGY_SCHEMA } from './fields';
import type { ReadRayService } from './ray-service';
import { autoscalingFindings } from './rules/autoscaling-required';
import { gatewayClassFindings, noOptionsFindings } from './rules/gateway-class-required';
import { intervalFindings } from './rules/interval-required';
import { invalidClusterFindings } from './rules/invalid-cluster';
import { invalidTypeFindings } from './rules/invalid-type';
import { misplacedOptionsFindings } from './rules/misplaced-options';
import { nameFindings } from './rules/name-too-long';
import { deletionDelayFindings, stepFindings, surgeFindings, timeoutFindings, tooLargeFinding } from './rules/out-of-range';
import { misnamedClusterFindings, refusedClusterFindings } from './rules/ray-cluster-spec';
import { refusedStepFindings } from './rules/step-exceeds-surge';
import { INCREMENTAL } from './strategy';

/** A part of a RayService, its schema, and where it stands. */
type Part = readonly [value: unknown, schema: FieldSchema, place: FieldPath];

function partsOf({ object, spec, places }: ReadRayService): Part[] {
  const { upgradeStrategy, rayClusterConfig, serveConfigV2 } = spec;
  const options = isFields(upgradeStrategy) ? upgradeStrategy.clusterUpgradeOptions : undefined;
  return [
    [object.metadata, METADATA_SCHEMA, places.metadata],
    [serveConfigV2, SERVE_CONFIG_SCHEMA, places.serveConfig],
    [upgradeStrategy, STRATEGY_SCHEMA, places.strategy],
    [options, OPTIONS_SCHEMA, places.options],
    [object.spec, SPEC_SCHEMA, places.spec],
    [rayClusterConfig, CLUSTER_SCHEMA, places.cluster],
  ];
}

/** What is wrong with a RayService by the schema of its version, part by part. */
export function fieldProblems(service: ReadRayService): SchemaProblem[] {
  const { version } = service;
  return partsOf(service).flatMap(([value, schema, place]) => schemaProblems(value, schema, place, { version }));
}

/**
 * Everything for which the API server, the webhook or the operator refuses a RayService, in the order in which they look.
 *
 * Source: the CRD, and KubeRay v1.7.0 `utils/validation.go` (ValidateRayServiceMetadata, ValidateRayServiceSpec).
 *
 * @param problems of its fields
 */
export function rayServiceRefusals(service: ReadRayService, problems: readonly SchemaProblem[]): Finding[] {
  const mistyped = ofKind(problems, 'wrong-type');
  if (mistyped.length > 0) return mistyped.map(typeRefusal);
  return [
    ...nameFindings(service),
    ...timeoutFindings(service),
    ...misnamedClusterFindings(service),
    ...refusedClusterFindings(service),
    ...invalidClusterFindings(service),
    ...strategyRefusals(service),
  ];
}

/** A number that the CRD does not take is out of range where it is whole, else of another type. */
function typeRefusal(problem: Extract<SchemaProblem, { readonly kind: 'wrong-type' }>): Finding {
  const { path, value, expected } = problem;
  if (expected !== 'int32' || typeof value !== 'number') return typeFinding(problem);
  if (Number.isInteger(value)) return tooLargeFinding(path, value);
  return wrongTypeFinding(problem);
}

/**
 * Why KubeRay refuses an upgradeStrategy, in the order in which it looks: type, deletion delay, then the rules of an incremental upgrade.
 *
 * Source: KubeRay v1.7.0 `utils/validation.go`, ValidateRayServiceSpec and ValidateClusterUpgradeOptions; the CRD for required fields.
 */
function strategyRefusals(service: ReadRayService): Finding[] {
  const { options } = service;
  return [
    ...invalidTypeFindings(service),
    ...deletionDelayFindings(service),
    ...autoscalingFindings(service),
    ...(options
      ? [
          ...surgeFindings(service, options),
          ...stepFindings(service, options),
          ...refusedStepFindings(service, options),
          ...intervalFindings(service, options),
          ...gatewayClassFindings(service, options),
        ]
      : missingOptionsFindings(service)),
  ];
}

/** An incremental upgrade without options: they stand elsewhere, or nowhere. */
function missingOptionsFindings(service: ReadRayService): Finding[] {
  if (service.type !== INCREMENTAL) return [];
  return service.strayOptions.length > 0 ? misplacedOptionsFindings(service) : noOptionsFindings(service);
}

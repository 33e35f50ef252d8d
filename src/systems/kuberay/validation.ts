import { buildTypeFinding } from '../../cluster/rules/type-errors';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { isFields } from '../../core/manifest/manifest';
import { createWrongTypeFinding } from '../../core/rules/wrong-type';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema, SchemaProblem } from '../../core/values/schema';
import {
  RAY_CLUSTER_SCHEMA,
  RAY_SERVICE_METADATA_SCHEMA,
  UPGRADE_OPTIONS_SCHEMA,
  SERVE_CONFIG_SCHEMA,
  RAY_SERVICE_SPEC_SCHEMA,
  UPGRADE_STRATEGY_SCHEMA,
} from './fields';
import type { ParsedRayService } from './ray-service';
import { checkAutoscalingRequired } from './rules/autoscaling-required';
import { checkGatewayClassRequired, checkUpgradeOptionsRequired } from './rules/gateway-class-required';
import { checkIntervalRequired } from './rules/interval-required';
import { checkInvalidCluster } from './rules/invalid-cluster';
import { checkInvalidType } from './rules/invalid-type';
import { checkMisplacedOptions } from './rules/misplaced-options';
import { checkNameTooLong } from './rules/name-too-long';
import {
  checkDeletionDelay,
  checkStepRange,
  checkSurgeRange,
  checkInitializingTimeout,
  createInt32OverflowFinding,
} from './rules/out-of-range';
import { checkMisnamedCluster, checkRayClusterSpec } from './rules/ray-cluster-spec';
import { checkStepExceedsSurge } from './rules/step-exceeds-surge';
import { INCREMENTAL_UPGRADE } from './strategy';

/** A part of a RayService with its schema and its path. */
type SchemaPart = readonly [value: unknown, schema: FieldSchema, path: FieldPath];

function listParts({ object, spec, paths }: ParsedRayService): SchemaPart[] {
  const { upgradeStrategy, rayClusterConfig, serveConfigV2 } = spec;
  const options = isFields(upgradeStrategy) ? upgradeStrategy.clusterUpgradeOptions : undefined;
  return [
    [object.metadata, RAY_SERVICE_METADATA_SCHEMA, paths.metadata],
    [serveConfigV2, SERVE_CONFIG_SCHEMA, paths.serveConfig],
    [upgradeStrategy, UPGRADE_STRATEGY_SCHEMA, paths.strategy],
    [options, UPGRADE_OPTIONS_SCHEMA, paths.options],
    [object.spec, RAY_SERVICE_SPEC_SCHEMA, paths.spec],
    [rayClusterConfig, RAY_CLUSTER_SCHEMA, paths.cluster],
  ];
}

/** Finds the schema problems of a RayService for its version, part by part. */
export function findRayServiceProblems(service: ParsedRayService): SchemaProblem[] {
  const { version } = service;
  return listParts(service).flatMap(([value, schema, partPath]) => findSchemaProblems(value, schema, partPath, { version }));
}

/**
 * Collects every reason why the API server, the webhook or the operator refuses a RayService, in the order in which they check.
 *
 * Source: the CRD, and KubeRay v1.7.0 `utils/validation.go` (ValidateRayServiceMetadata, ValidateRayServiceSpec).
 *
 * @param problems schema problems of its fields
 */
export function collectRayServiceErrors(service: ParsedRayService, problems: readonly SchemaProblem[]): Finding[] {
  const mistyped = filterProblems(problems, 'wrong-type');
  if (mistyped.length > 0) return mistyped.map(createTypeFinding);
  return [
    ...checkNameTooLong(service),
    ...checkInitializingTimeout(service),
    ...checkMisnamedCluster(service),
    ...checkRayClusterSpec(service),
    ...checkInvalidCluster(service),
    ...checkUpgradeStrategy(service),
  ];
}

/** Creates the finding about a value that the CRD refuses. An integer is out of range; any other value has the wrong type. */
function createTypeFinding(problem: Extract<SchemaProblem, { readonly kind: 'wrong-type' }>): Finding {
  const { path, value, expected } = problem;
  if (expected !== 'int32' || typeof value !== 'number') return buildTypeFinding(problem);
  if (Number.isInteger(value)) return createInt32OverflowFinding(path, value);
  return createWrongTypeFinding(problem);
}

/**
 * Reports why KubeRay refuses an upgradeStrategy, in the order of its checks: type, deletion delay, then the rules of an incremental
 * upgrade.
 *
 * Source: KubeRay v1.7.0 `utils/validation.go`, ValidateRayServiceSpec and ValidateClusterUpgradeOptions; the CRD for required fields.
 */
function checkUpgradeStrategy(service: ParsedRayService): Finding[] {
  const { options } = service;
  return [
    ...checkInvalidType(service),
    ...checkDeletionDelay(service),
    ...checkAutoscalingRequired(service),
    ...(options
      ? [
          ...checkSurgeRange(service, options),
          ...checkStepRange(service, options),
          ...checkStepExceedsSurge(service, options),
          ...checkIntervalRequired(service, options),
          ...checkGatewayClassRequired(service, options),
        ]
      : checkMissingOptions(service)),
  ];
}

/** Reports an incremental upgrade without options: they are misplaced or missing. */
function checkMissingOptions(service: ParsedRayService): Finding[] {
  if (service.type !== INCREMENTAL_UPGRADE) return [];
  return service.misplacedOptionFields.length > 0 ? checkMisplacedOptions(service) : checkUpgradeOptionsRequired(service);
}

import type { Finding } from '../../core/findings/finding';
import { toFieldPath } from '../../core/manifest/field-path';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import type { SchemaProblem } from '../../core/values/schema';
import type { ParsedRayService } from './ray-service';
import { checkClusterParts } from './ray-cluster-fields';
import { CREATED_SERVICE, checkFieldNames } from './nested-fields';
import { mustDoubleAccelerators } from './rules/doubles-accelerators';
import { checkFeatureGate } from './rules/feature-gate';
import { checkMinReplicasAboveSurge } from './rules/min-replicas-above-surge';
import { checkMisplacedOptions } from './rules/misplaced-options';
import { checkNoUpgrade } from './rules/no-upgrade';
import { checkDuplicateCluster, checkServePort } from './rules/ray-cluster-spec';
import { checkFractionalCapacity, checkServeConfigConflict } from './rules/serve-config-conflict';
import { checkCappedStep } from './rules/step-exceeds-surge';
import { checkSurgeBelowOnePod } from './rules/surge-below-one-pod';
import { checkKuberayUnknownField } from './rules/unknown-field';
import { checkZeroStep } from './rules/zero-step';
import { checkZeroSurge } from './rules/zero-surge';
import { INCREMENTAL_UPGRADE, upgradePaceOf } from './strategy';
import { findRayServiceProblems, collectRayServiceErrors } from './validation';

/** The findings about a RayService on its own. */
export interface ValidatedRayService {
  /** Whether KubeRay or the API server refuses it. */
  readonly isRefused: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Validates a RayService. If it is refused, the findings are the reasons.
 *
 * Problems that keep its Serve config from running are reported in both cases.
 */
export function validateRayService(service: ParsedRayService): ValidatedRayService {
  const problems = findRayServiceProblems(service);
  const errors = collectRayServiceErrors(service, problems);
  const isRefused = errors.length > 0;
  return {
    isRefused,
    findings: [...(isRefused ? errors : collectAcceptedFindings(service, problems)), ...checkServeConfigConflict(service)],
  };
}

/** Reports the fields of a RayService that the API server drops. */
export function checkRayServiceFields(
  service: ParsedRayService,
  problems: readonly SchemaProblem[] = findRayServiceProblems(service),
): Finding[] {
  return [
    ...checkKuberayUnknownField(service),
    ...createUnknownFieldFindings(problems),
    ...checkFieldNames(service.object, toFieldPath`spec.serveService`, CREATED_SERVICE),
    ...checkClusterParts(service.object, toFieldPath`spec.rayClusterConfig`),
  ];
}

/** Collects the findings about a RayService that is not refused. */
function collectAcceptedFindings(service: ParsedRayService, problems: readonly SchemaProblem[]): Finding[] {
  return [
    ...checkMisplacedOptions(service),
    ...checkRayServiceFields(service, problems),
    ...checkNoUpgrade(service),
    ...collectPaceFindings(service),
    ...checkDuplicateCluster(service),
    ...checkServePort(service),
  ];
}

/** Collects the findings about the pace of an incremental upgrade. */
function collectPaceFindings(service: ParsedRayService): Finding[] {
  if (service.type !== INCREMENTAL_UPGRADE || !service.options) return [];
  const pace = upgradePaceOf(service.options);
  return [
    ...checkFeatureGate(service),
    ...checkZeroSurge(service, pace),
    ...checkZeroStep(service, pace),
    ...checkFractionalCapacity(service, pace),
    ...checkCappedStep(service, pace),
    ...(mustDoubleAccelerators(service, pace) ? [] : checkSurgeBelowOnePod(service, pace)),
    ...checkMinReplicasAboveSurge(service, pace),
  ];
}

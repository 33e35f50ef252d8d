import type { Finding } from '../../core/finding';
import { unknownFieldFinding } from '../../core/rules/unknown-field';
import { ofKind } from '../../core/schema';
import type { SchemaProblem } from '../../core/schema';
import type { ReadRayService } from './ray-service';
import { isDoubledForGood } from './rules/doubles-accelerators';
import { gateFindings } from './rules/feature-gate';
import { largeMinimumFindings } from './rules/min-replicas-above-surge';
import { misplacedOptionsFindings } from './rules/misplaced-options';
import { noUpgradeFindings } from './rules/no-upgrade';
import { secondClusterFindings, servePortFindings } from './rules/ray-cluster-spec';
import { fractionFindings, serveConfigFindings } from './rules/serve-config-conflict';
import { cappedStepFindings } from './rules/step-exceeds-surge';
import { smallSurgeFindings } from './rules/surge-below-one-pod';
import { droppedFieldFindings } from './rules/unknown-field';
import { zeroStepFindings } from './rules/zero-step';
import { zeroSurgeFindings } from './rules/zero-surge';
import { INCREMENTAL, paceOf } from './strategy';
import { fieldProblems, rayServiceRefusals } from './validation';

/** What is to be said of a RayService by itself. */
export interface JudgedRayService {
  /** Does KubeRay or the API server refuse it? */
  readonly isRefused: boolean;
  readonly findings: readonly Finding[];
}

/** Why a RayService is refused, else what there is to say of it; what keeps its Serve config from running holds either way. */
export function judge(service: ReadRayService): JudgedRayService {
  const problems = fieldProblems(service);
  const refusals = rayServiceRefusals(service, problems);
  const isRefused = refusals.length > 0;
  return { isRefused, findings: [...(isRefused ? refusals : acceptedFindings(service, problems)), ...serveConfigFindings(service)] };
}

/** What is to be said of a RayService that nothing refuses. */
function acceptedFindings(service: ReadRayService, problems: readonly SchemaProblem[]): Finding[] {
  return [
    ...misplacedOptionsFindings(service),
    ...droppedFieldFindings(service),
    ...ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem)),
    ...noUpgradeFindings(service),
    ...paceFindings(service),
    ...secondClusterFindings(service),
    ...servePortFindings(service),
  ];
}

/** What is to be said of an incremental upgrade. */
function paceFindings(service: ReadRayService): Finding[] {
  if (service.type !== INCREMENTAL || !service.options) return [];
  const pace = paceOf(service.options);
  return [
    ...gateFindings(service),
    ...zeroSurgeFindings(service, pace),
    ...zeroStepFindings(service, pace),
    ...fractionFindings(service, pace),
    ...cappedStepFindings(service, pace),
    ...(isDoubledForGood(service, pace) ? [] : smallSurgeFindings(service, pace)),
    ...largeMinimumFindings(service, pace),
  ];
}

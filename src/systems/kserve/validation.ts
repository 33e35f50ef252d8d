import type { Finding } from '../../core/findings/finding';
import type { Fields } from '../../core/manifest/manifest';
import { joinLists } from '../../core/text/join-lists';
import { checkKserveFields } from './check-fields';
import { resolveAdmittedAnnotation } from './mode';
import type { ModeSources } from './mode';
import { checkInvalidAutoscaling } from './rules/invalid-autoscaling';
import { checkInvalidCanary } from './rules/invalid-canary';
import { checkUnknownAnnotation } from './rules/invalid-config';
import { checkInvalidMultinode, checkMultinodeNodes } from './rules/invalid-multinode';
import { checkInvalidService } from './rules/invalid-service';
import { checkStrategyOutsideStandard } from './rules/strategy-outside-standard';
import type { KserveService } from './service';

/** The reasons why an entire service is refused, so that none of its Deployments is created, and what the API server drops. */
export interface ServiceFindings {
  /** Errors that leave the strategies undetermined: fields of the wrong type, an invalid mode. */
  readonly strategyFindings: readonly Finding[];
  /** Errors for other reasons. The strategies are valid once these are fixed. */
  readonly objectFindings: readonly Finding[];
  /** Fields that this KServe version does not support. */
  readonly dropped: readonly Finding[];
}

/**
 * Reports everything for which the API server, KServe's webhook or its controller refuses an entire service.
 *
 * A service without a model or container is accepted although the webhook refuses it, because the input may be a patch, as shown in the
 * guide.
 *
 * Source: KServe 0.16 to 0.20, inference_service_validation.go, components/predictor.go; the CRD.
 *
 * @param runtime - the spec of the serving runtime, if known
 */
export function validateInferenceService(service: KserveService, sources: ModeSources, runtime: Fields): ServiceFindings {
  const { errors: fieldErrors, dropped } = checkKserveFields(service);
  const nodeFindings = checkMultinodeNodes(service, runtime);
  if (fieldErrors.length > 0) return { strategyFindings: fieldErrors, objectFindings: nodeFindings, dropped };
  const admissionFindings = validateAdmission(service, sources);
  return {
    strategyFindings: joinLists(checkUnknownAnnotation(sources), checkStrategyOutsideStandard(service, sources)),
    objectFindings: joinLists(admissionFindings, nodeFindings),
    // One fault has one finding.
    dropped: dropped.filter(({ path }) => !admissionFindings.some((refusal) => refusal.path === path)),
  };
}

/** Reports what the webhook refuses, except strategies. */
function validateAdmission(service: KserveService, sources: ModeSources): readonly Finding[] {
  return joinLists(
    checkInvalidService(service, sources),
    checkInvalidAutoscaling(service, sources),
    checkInvalidMultinode(service),
    checkInvalidCanary(service, resolveAdmittedAnnotation(sources)),
  );
}

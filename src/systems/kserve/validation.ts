import type { Finding } from '../../core/finding';
import type { Fields } from '../../core/manifest';
import { joinLists } from '../../core/join-lists';
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

/** Everything for which a service is refused as a whole, so that none of its Deployments is made, and what the API server drops of it. */
export interface ServiceFindings {
  /** Why its strategies can't be told: fields of another type, its mode. */
  readonly strategyFindings: readonly Finding[];
  /** Why it is refused for something else: its strategies are what holds once the rest is mended. */
  readonly objectFindings: readonly Finding[];
  /** Fields that this KServe does not know. */
  readonly dropped: readonly Finding[];
}

/**
 * Everything for which the API server, KServe's webhook or its controller refuses a service as a whole.
 *
 * A service without any model or container is let pass, though the webhook refuses it: the input may be a patch, as the guide prints them.
 *
 * Source: KServe 0.16 to 0.20, inference_service_validation.go, components/predictor.go; the CRD.
 *
 * @param runtime spec of the serving runtime, as far as it is in view
 */
export function validateInferenceService(service: KserveService, sources: ModeSources, runtime: Fields): ServiceFindings {
  const { errors: fieldErrors, dropped } = checkKserveFields(service);
  const ofNodes = checkMultinodeNodes(service, runtime);
  if (fieldErrors.length > 0) return { strategyFindings: fieldErrors, objectFindings: ofNodes, dropped };
  return {
    strategyFindings: joinLists(checkUnknownAnnotation(sources), checkStrategyOutsideStandard(service, sources)),
    objectFindings: joinLists(validateAdmission(service, sources), ofNodes),
    dropped,
  };
}

/** What the webhook refuses, strategies apart. */
function validateAdmission(service: KserveService, sources: ModeSources): readonly Finding[] {
  return joinLists(
    checkInvalidService(service, sources),
    checkInvalidAutoscaling(service, sources),
    checkInvalidMultinode(service),
    checkInvalidCanary(service, resolveAdmittedAnnotation(sources)),
  );
}

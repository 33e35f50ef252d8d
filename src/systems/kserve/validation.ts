import type { Finding } from '../../core/finding';
import type { Fields } from '../../core/manifest';
import { together } from '../../core/together';
import { fieldFindings } from './field-findings';
import { admittedAnnotation } from './mode';
import type { ModeSources } from './mode';
import { autoscalingFindings } from './rules/invalid-autoscaling';
import { canaryFindings } from './rules/invalid-canary';
import { unknownAnnotationFindings } from './rules/invalid-config';
import { multinodeFindings, nodeFindings } from './rules/invalid-multinode';
import { refusedServiceFindings } from './rules/invalid-service';
import { strategyOutsideStandardFindings } from './rules/strategy-outside-standard';
import type { Service } from './service';

/** Everything for which a service is refused as a whole, so that none of its Deployments is made, and what the API server drops of it. */
export interface ServiceFindings {
  /** Why its strategies can't be told: fields of another type, its mode. */
  readonly ofStrategy: readonly Finding[];
  /** Why it is refused for something else: its strategies are what holds once the rest is mended. */
  readonly ofService: readonly Finding[];
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
export function serviceFindings(service: Service, sources: ModeSources, runtime: Fields): ServiceFindings {
  const { refused, dropped } = fieldFindings(service);
  const ofNodes = nodeFindings(service, runtime);
  if (refused.length > 0) return { ofStrategy: refused, ofService: ofNodes, dropped };
  return {
    ofStrategy: together(unknownAnnotationFindings(sources), strategyOutsideStandardFindings(service, sources)),
    ofService: together(webhookFindings(service, sources), ofNodes),
    dropped,
  };
}

/** What the webhook refuses, strategies apart. */
function webhookFindings(service: Service, sources: ModeSources): readonly Finding[] {
  return together(
    refusedServiceFindings(service, sources),
    autoscalingFindings(service, sources),
    multinodeFindings(service),
    canaryFindings(service, admittedAnnotation(sources)),
  );
}

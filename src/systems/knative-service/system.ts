import type { RolloutSystem } from '../../cluster/context/context';
import { computeKnativeEffect } from './effects';
import { planKnativeService } from './rollout';
import { KNATIVE_SERVICE_RULES } from './rules';
import { isKnativeService, hasOtherRoutedRevisions } from './service';

/**
 * The system for Services of Knative: a new Revision next to the old one, without KServe.
 *
 * Source: knative/serving, versions 1.15 to 1.24.
 */
export const knativeServiceSystem: RolloutSystem = {
  name: 'knative',
  rules: () => KNATIVE_SERVICE_RULES,
  recognises: isKnativeService,
  plan: (object, context) => [planKnativeService(object, context)],
  effects: (old, next) => [computeKnativeEffect(old, next)],
  concernsUnseenPods: hasOtherRoutedRevisions,
};

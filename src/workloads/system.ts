import { checkAutoscalers } from '../cluster/autoscaler-findings';
import type { RolloutSystem } from '../cluster/context';
import { checkContextObjects } from '../cluster/context-rules';
import { DAEMON_SET_RULES } from './daemonset/rules';
import { checkNoNodes } from './daemonset/rules/no-nodes';
import { DEPLOYMENT_RULES } from './deployment/rules';
import { SCALABLE_WORKLOADS, workloadKindOf } from './kinds';
import { planWorkload } from './plan-workload';
import { SHARED_RULES } from './rules';
import { STATEFUL_SET_RULES } from './statefulset/rules';

/** The system for workloads of apps/v1. */
export const kubernetesSystem: RolloutSystem = {
  name: 'kubernetes',
  rules: () => [...SHARED_RULES, ...DEPLOYMENT_RULES, ...STATEFUL_SET_RULES, ...DAEMON_SET_RULES],
  recognises: (object) => workloadKindOf(object) !== undefined,
  plan: (object, context) => {
    const kind = workloadKindOf(object);
    return kind ? [planWorkload(kind, object, context)] : [];
  },
  effects: 'pod-template',
  contextFindings: (context) => [
    ...checkContextObjects(context, SCALABLE_WORKLOADS),
    ...checkAutoscalers(context),
    ...checkNoNodes(context),
  ],
};

import { listAutoscalers } from '../cluster/autoscaling/autoscaler';
import { checkAutoscalers } from '../cluster/evaluation/autoscaler-findings';
import type { PlanContext, RolloutSystem } from '../cluster/context/context';
import { checkOtherOwners, isReplacedByOther } from '../cluster/evaluation/other-owners';
import type { SystemRollout } from '../cluster/rollout/system-rollout';
import type { Manifest } from '../core/manifest/manifest';
import { joinLists } from '../core/text/join-lists';
import { checkContextObjects } from '../cluster/evaluation/context-rules';
import { DAEMON_SET_RULES } from './daemonset/rules';
import { checkNoNodes } from './daemonset/rules/no-nodes';
import { DEPLOYMENT_RULES } from './deployment/rules';
import { SCALABLE_WORKLOADS, workloadKindOf } from './kinds';
import { planWorkload } from './plan-workload';
import type { RolloutKind } from './rollout-kind';
import { SHARED_RULES } from './rules';
import { checkDuplicateMergeKey } from './rules/duplicate-merge-key';
import { STATEFUL_SET_RULES } from './statefulset/rules';

/** Adds who else decides about the pods of a workload. It shows no waves if another controller replaces the pods. */
function withOtherOwners(planned: SystemRollout, object: Manifest, context: PlanContext): SystemRollout {
  const found = checkOtherOwners(object, context);
  if (found.length === 0) return planned;
  const findings = [...planned.findings, ...found];
  if (!isReplacedByOther(object, context)) return { ...planned, findings };
  const { pods, ...others } = planned;
  const workload = pods?.kind === 'workload' ? { ...pods.workload, rollout: undefined } : undefined;
  return { ...others, simulation: null, findings, ...(workload && { pods: { kind: 'workload', workload } }) };
}

/** Plans an object of apps/v1, whose lists kubectl merges item by item. It replaces those of a custom resource. */
function planAppsWorkload(kind: RolloutKind, object: Manifest, context: PlanContext): SystemRollout {
  const planned = planWorkload(kind, object, context);
  if (planned.strategy === null) return planned;
  return { ...planned, findings: joinLists(planned.findings, checkDuplicateMergeKey(object, kind.validationSpec.spec)) };
}

/** The system for workloads of apps/v1. */
export const kubernetesSystem: RolloutSystem = {
  name: 'kubernetes',
  rules: () => [...SHARED_RULES, ...DEPLOYMENT_RULES, ...STATEFUL_SET_RULES, ...DAEMON_SET_RULES],
  recognises: (object) => workloadKindOf(object) !== undefined,
  plan: (object, context) => {
    const kind = workloadKindOf(object);
    return kind ? [withOtherOwners(planAppsWorkload(kind, object, context), object, context)] : [];
  },
  effects: 'pod-template',
  contextFindings: (context) => [
    ...checkContextObjects(context, SCALABLE_WORKLOADS),
    ...(listAutoscalers(context).length > 0 ? checkAutoscalers(context) : []),
    ...(context.objects.some(({ kind }) => kind === 'DaemonSet') ? checkNoNodes(context) : []),
  ],
};

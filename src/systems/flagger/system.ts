import type { ChangedObject, PlanContext, RolloutSystem } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { listContainersAt } from '../../cluster/rollout/located-template';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import { applyChangeToPodCount, buildPodWorkload } from '../../workloads/build-pod-workload';
import { DAEMON_SET } from '../../workloads/daemonset/kind';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { Workload } from '../../cluster/rollout/workload';
import { validateObjectOfKind } from '../../workloads/plan-workload';
import { canPromote, simulateAnalysis } from './analysis';
import {
  countFlaggerPods,
  countPrimaryPods,
  findCanary,
  findPrimary,
  findTarget,
  isSuspended,
  primaryNameOf,
  primarySelectorOf,
  toPrimaryTemplate,
} from './canary';
import type { FlaggerPods } from './canary';
import { CANARY, computeFlaggerEffects, PRIMARY } from './effects';
import { countPodsNextToRollout } from './overlap';
import { FLAGGER_RULES } from './rules';
import { checkNeverPromoted } from './rules/never-promoted';
import { checkPrimaryServes } from './rules/primary-serves';
import { checkReplicasInManifest } from './rules/replicas-in-manifest';
import { checkSelectorLabels } from './rules/selector-label';

const POD_PATH = toFieldPath`spec.template.spec`;

/** Builds the workload of the primary, whose pods are those of the target. */
function buildPrimaryWorkload(
  target: Manifest,
  effective: ReturnType<typeof DEPLOYMENT.resolveStrategy>,
  { primary, autoscaler }: FlaggerPods,
  context: PlanContext,
): Workload {
  const { minReadySeconds } = getFieldsAt(target, 'spec');
  return buildPodWorkload(
    DEPLOYMENT,
    {
      effective,
      workload: {
        name: primaryNameOf(target),
        namespace: namespaceOf(target),
        template: toPrimaryTemplate(target),
        podPath: POD_PATH,
        strategyPath: DEPLOYMENT.strategyPath,
        ...(autoscaler && { replicaRange: autoscaler }),
      },
      minReadySeconds,
      count: applyChangeToPodCount({ steady: primary, initialState: { replicas: primary } }, context.changedPods?.(target, PRIMARY)),
      writtenPods: () => {
        const template = getFieldsAt(target, 'spec', 'template');
        return {
          containers: listContainersAt(template.spec, POD_PATH),
          metadata: [{ value: template.metadata, path: toFieldPath`spec.template.metadata` }],
        };
      },
      ruleInputs: { deadline: DEPLOYMENT.deadline(getFieldsAt(target, 'spec')) },
    },
    context,
  );
}

/** Plans the rolling update of the primary with which a promotion ends. */
function planPrimary(target: Manifest, canary: Manifest, pods: FlaggerPods, context: PlanContext): SystemRollout {
  const effective = DEPLOYMENT.resolveStrategy(target, context.versions);
  const namespace = namespaceOf(target);
  const workload = buildPrimaryWorkload(target, effective, pods, context);
  return {
    system: 'flagger',
    resource: { ...toResourceRef(target, nameOf(target), namespace), component: PRIMARY },
    pods: { kind: 'workload', workload },
    strategy: effective.strategy,
    provenance: effective.provenance,
    simulation: workload.rollout?.simulation ?? null,
    analysis: simulateAnalysis(canary, pods.canary),
    creates: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: primaryNameOf(target),
        ...(namespace !== undefined && { namespace }),
        replicas: pods.primary,
        selector: primarySelectorOf(target),
        strategy: effective.strategy,
      },
    ],
    findings: [],
  };
}

/** Plans the pods of the target, which exist only during an analysis. */
function planCanary(
  target: Manifest,
  canary: Manifest,
  pods: FlaggerPods,
  context: PlanContext,
  findings: readonly Finding[],
): SystemRollout {
  const effective = DEPLOYMENT.resolveStrategy(target, context.versions);
  const namespace = namespaceOf(target);
  const changed = context.changedPods?.(target, PRIMARY);
  const workload = buildPodWorkload(
    DEPLOYMENT,
    {
      effective,
      workload: {
        name: nameOf(target),
        namespace,
        template: getFieldsAt(target, 'spec', 'template'),
        podPath: POD_PATH,
        strategyPath: DEPLOYMENT.strategyPath,
      },
      count: { steady: changed && !changed.rolls ? 0 : countPodsNextToRollout(target, canary, pods, context.versions) },
    },
    context,
  );
  return {
    system: 'flagger',
    resource: { ...toResourceRef(target, nameOf(target), namespace), component: CANARY },
    pods: { kind: 'workload', workload: { ...workload, running: 0 } },
    strategy: null,
    provenance: [],
    simulation: null,
    findings,
  };
}

/** Plans the target of a Canary. */
function planTarget(target: Manifest, context: PlanContext): SystemRollout[] {
  const canary = findCanary(target, context)!;
  const resource = toResourceRef(target, nameOf(target), namespaceOf(target));
  const unplanned = { system: 'flagger', resource, strategy: null, provenance: [], simulation: null } as const;
  const isDeployment = target.kind === 'Deployment';
  const validation = isDeployment
    ? validateObjectOfKind(DEPLOYMENT, target, context.versions)
    : validateObjectOfKind(DAEMON_SET, target, context.versions);
  if (validation.some(({ severity }) => severity === 'error')) return [{ ...unplanned, findings: validation }];
  if (!isDeployment) return [{ ...unplanned, findings: [...validation, ...checkPrimaryServes(target, canary, undefined)] }];
  // The effect of a change knows the live primary, which no context contains because the Canary controls it.
  const running = context.changedPods?.(target, PRIMARY)?.replicas ?? countPrimaryPods(findPrimary(target, context));
  const pods = countFlaggerPods(target, canary, context, running);
  const explanation = checkPrimaryServes(target, canary, pods);
  const findings = [...validation, ...explanation, ...checkNeverPromoted(target, canary), ...checkReplicasInManifest(target, canary)];
  const isHeld = isSuspended(canary) || !canPromote(canary);
  if (isHeld && !context.changedPods) return [{ ...unplanned, findings }];
  const primary = planPrimary(target, canary, pods, context);
  return [{ ...primary, findings }, planCanary(target, canary, pods, context, explanation)];
}

/** Reports whether a Canary, with the primary that Flagger makes for it, is created, changed or deleted, and its target is not in view. */
function concernsUnseenTarget({ old, next }: ChangedObject): boolean {
  const { object, context } = (next ?? old)!;
  const { group, kind } = CONTEXT_KINDS.flaggerCanary;
  if (groupOf(object) !== group || object.kind !== kind) return false;
  const isTargetChanged =
    !old || !next || !isDeepEqual(getValueAt(old.object, 'spec', 'targetRef'), getValueAt(next.object, 'spec', 'targetRef'));
  return isTargetChanged && findTarget(object, context) === undefined;
}

/** The system for workloads that a Canary of Flagger targets. The Canary itself is context. */
export const flaggerSystem: RolloutSystem = {
  name: 'flagger',
  rules: () => FLAGGER_RULES,
  recognises: () => false,
  needsInView: { kinds: [CONTEXT_KINDS.flaggerCanary] },
  claims: (object, context) => findCanary(object, context) !== undefined,
  runsOtherPods: true,
  plan: planTarget,
  contextFindings: checkSelectorLabels,
  effects: computeFlaggerEffects,
  concernsUnseenPods: concernsUnseenTarget,
  tracksConfigs: true,
};

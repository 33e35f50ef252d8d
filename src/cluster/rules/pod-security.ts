import { appendToPath, toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { describeObject, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout } from '../../core/document/rollout';
import { formatAdmissionRejection } from '../rejections/admission-rejection';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { listPodObjects } from '../pods/pod-objects';
import { findPodSecurityRejection } from '../capacity/admission/pod-security-rejection';
import type { PodSecurityRejection } from '../capacity/admission/pod-security-rejection';
import { getBudgetedPods, podSetsOf } from '../rollout/system-rollout';
import { templateLocationOf } from '../rollout/workload';
import type { FindingLocation } from '../rollout/workload';
import type { PodSet } from '../rollout/pod-set';
import type { SystemRollout } from '../rollout/system-rollout';
import { renderDeployment } from '../pods/rules/examples';

interface RefusedData {
  readonly rejection: PodSecurityRejection;
}

interface DeadlockData extends RefusedData {
  readonly deadlockWave: number;
}

interface ObjectData extends RefusedData {
  /** `Job shop/migrate` */
  readonly object: string;
  /** Whether the object itself is the pod, which the API server then refuses. */
  readonly isPod: boolean;
}

const RESTRICTED_FIELDS =
  'securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}';

function suggestFields({ rejection: { level, namespace } }: RefusedData): string {
  const fields = level === 'restricted' ? ` A container that meets the restricted level has ${RESTRICTED_FIELDS}.` : '';
  return `Correct what is listed in the pod template, or label Namespace "${namespace}" with a level that allows it.${fields}`;
}

const SAMPLE: PodSecurityRejection = {
  kind: 'pod-security',
  namespace: 'shop',
  level: 'baseline',
  words: 'violates PodSecurity "baseline:latest": privileged (container "web" must not set securityContext.privileged=true)',
  field: ['containers', 0, 'securityContext', 'privileged'],
};

const NAMESPACE_EXAMPLE = `---
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: { pod-security.kubernetes.io/enforce: baseline }
`;

const EXAMPLE = renderDeployment('          securityContext:\n            privileged: true\n', '  namespace: shop\n');

/** Reports pods that Pod Security admission refuses. */
export const podSecurity = defineRule({
  code: 'kubernetes/pod-security',
  since: '0.1.0',
  severity: 'error',
  fires: 'The labels of the Namespace in the input enforce a Pod Security level that the pods violate.',
  why:
    'The API server stores the workload, at most with a warning, and then refuses each of its pods. A rollout deletes as many old pods as maxUnavailable allows and never finishes. ' +
    'A new label does not affect running pods: they are refused when they are created again, by the next rollout, a node drain or an autoscaler. ' +
    'The version of the label decides which checks exist; `latest` is that of the API server.',
  fix: 'Correct the fields that the message lists, or enforce a level that allows them.',
  example: EXAMPLE + NAMESPACE_EXAMPLE,
  fixedExample: EXAMPLE.replace('privileged: true', 'allowPrivilegeEscalation: false') + NAMESPACE_EXAMPLE,
  messages: {
    refused: defineMessage<DeadlockData>({
      text: ({ rejection, deadlockWave }) =>
        `${formatAdmissionRejection(rejection)}. The API server stores the workload, but the rollout deadlocks at wave ${deadlockWave}.`,
      help: suggestFields,
      sample: { rejection: SAMPLE, deadlockWave: 1 },
      variants: [{ rejection: { ...SAMPLE, level: 'restricted' }, deadlockWave: 1 }],
    }),
    'not-created': defineMessage<RefusedData>({
      text: ({ rejection }) =>
        `${formatAdmissionRejection(rejection)}. The API server stores the workload, but none of its new pods is created.`,
      help: suggestFields,
      sample: { rejection: SAMPLE },
    }),
    pending: defineMessage<RefusedData>({
      text: ({ rejection }) =>
        `${formatAdmissionRejection(rejection)}. The running pods stay, but none can be created again: the next rollout, node drain or scale-up fails.`,
      help: suggestFields,
      sample: { rejection: SAMPLE },
    }),
    object: defineMessage<ObjectData>({
      text: ({ rejection, object, isPod }) =>
        `${object}: ${formatAdmissionRejection(rejection)}.${isPod ? '' : ' The API server stores the object, but none of its new pods is created.'}`,
      help: suggestFields,
      sample: { rejection: SAMPLE, object: 'Job shop/migrate', isPod: false },
      variants: [{ rejection: SAMPLE, object: 'Pod shop/debug', isPod: true }],
    }),
  },
});

/** Returns the location of the first forbidden value. */
function locateViolation(rollout: SystemRollout, podSet: PodSet, { field }: PodSecurityRejection): FindingLocation {
  const { pods } = rollout;
  if (pods?.kind === 'workload') return templateLocationOf(pods.workload, appendToPath(pods.workload.podPath, ...field));
  const podPath = getBudgetedPods(rollout).find((one) => one === podSet)?.podPath;
  if (podPath !== undefined) return { path: appendToPath(podPath, ...field) };
  return { path: pods?.kind === 'clusters' ? pods.clusters.path : (pods?.groups.path ?? toFieldPath`spec`) };
}

function hasRunningPods({ replicas, running = replicas, isNew }: PodSet): boolean {
  return !isNew && running > 0;
}

/**
 * Reports pods of a rollout that the namespace refuses.
 *
 * @param evaluated - the rollout with its capacity, which says where it deadlocks
 */
export function checkPodSecurity(rollout: SystemRollout, evaluated: PlannedRollout, context: PlanContext): Finding[] {
  const reported = new Set<string>();
  return podSetsOf(rollout).flatMap((podSet) => {
    const rejection = findPodSecurityRejection(podSet, context);
    if (!rejection || reported.has(rejection.words)) return [];
    reported.add(rejection.words);
    const location = locateViolation(rollout, podSet, rejection);
    const { simulation, capacity } = evaluated;
    if (simulation !== null && capacity?.deadlockWave !== undefined)
      return [podSecurity.createFinding('refused', { ...location, data: { rejection, deadlockWave: capacity.deadlockWave } })];
    const isPending = context.changedPods !== undefined && hasRunningPods(podSet) && podSet.replicas <= (podSet.running ?? podSet.replicas);
    return [podSecurity.createFinding(isPending ? 'pending' : 'not-created', { ...location, data: { rejection } })];
  });
}

/** Reports Pods, and objects without a rollout that create pods, whose pods the namespace refuses. */
export function checkPodSecurityOfObjects(context: PlanContext): Finding[] {
  const isNamespaceChanged = (object: Manifest) => {
    const namespace = namespaceOf(object) ?? 'default';
    return context.all(CONTEXT_KINDS.namespace).some((one) => nameOf(one) === namespace && context.isChanged?.(one) === true);
  };
  return listPodObjects(context, isNamespaceChanged).flatMap(({ object, templates }) => {
    const namespace = namespaceOf(object);
    const name = describeObject(object);
    const reported = new Set<string>();
    return templates.flatMap(({ template, path: templatePath }) => {
      const rejection = findPodSecurityRejection({ template, ...(namespace !== undefined && { namespace }) }, context);
      if (!rejection || reported.has(rejection.words)) return [];
      reported.add(rejection.words);
      const path = appendToPath(templatePath, 'spec', ...rejection.field);
      const source = context.locate(object, path);
      const data = { rejection, object: name, isPod: object.kind === 'Pod' };
      return [podSecurity.createFinding('object', { path, data, ...(source && { source }) })];
    });
  });
}

import { suggestManualFix, suggestAutomaticFix, setField, getSiblingPath } from '../../core/findings/suggested-fix';
import type { SuggestedFix, Edit } from '../../core/findings/suggested-fix';
import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { formatUnavailableLimit, pluralize } from '../../core/text/text-format';
import {
  KUBERNETES_FIELD_NAMES,
  buildLimitEdits,
  getMaxUnavailablePath,
  ADVICE_BY_OWNER,
  getStrategyTypePath,
} from '../../cluster/rollout/strategy-field-names';
import type { StrategyFieldNames, StrategyOwner } from '../../cluster/rollout/strategy-field-names';
import type { RuleContext } from '../rule-context';
import { buildProbeEdits, findUnprobedContainer } from '../../cluster/pods/rules/no-readiness-probe';
import type { UnprobedContainer } from '../../cluster/pods/rules/no-readiness-probe';
import type { CapacityKnowledge, SurgeObstacle, Workload } from '../../cluster/rollout/workload';
import type { PodRollout } from '../../cluster/rollout/pod-rollout';

interface StrategyOwnerData {
  readonly strategyOwner?: StrategyOwner;
}

interface RecreateData extends StrategyOwnerData {
  readonly replicas: number;
  /** The container that lacks a readiness probe for a rolling update to wait for. */
  readonly unprobed?: UnprobedContainer;
  /** The reason why pods can't be replaced by surge either. */
  readonly obstacle?: SurgeObstacle;
}

interface UnavailableData extends StrategyOwnerData {
  readonly maxUnavailable: DisplayValue;
  readonly unavailable: number;
  readonly replicas: number;
  /** The unit that has one pod each. @default replica */
  readonly per?: 'replica' | 'node';
  readonly names: StrategyFieldNames;
  /** The reason why the only pod can't be replaced by surge. */
  readonly obstacle?: SurgeObstacle;
  /** The strictest budget that the rollout breaks, and how many unavailable pods it allows. @default - the advice breaks none */
  readonly budget?: { readonly name: string; readonly allows: number };
  /** The fewest replicas that an autoscaler may set, if the advice holds for these too. @default - the replicas */
  readonly minimum?: number;
}

/** Returns how many pods may be unavailable so that one stays, and no budget is broken. 0 if there may be only one pod. */
function countSpared({ replicas, minimum = replicas, budget }: UnavailableData): number {
  return Math.min(minimum - 1, budget?.allows ?? Infinity);
}

interface AtMinimumData extends StrategyOwnerData {
  readonly maxUnavailable: DisplayValue;
  readonly names: StrategyFieldNames;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
  readonly minimum: number;
  /** The reason why the only pod can't be replaced by surge. */
  readonly obstacle?: SurgeObstacle;
}

interface OnlyPodData {
  /** The container that lacks a readiness probe for a rollout of several pods to wait for. */
  readonly unprobed?: UnprobedContainer;
  /** Whether there is capacity for another pod, if known. */
  readonly hasCapacity: boolean;
  /** The autoscaler that sets the number of pods. */
  readonly scaledBy?: string;
}

interface AllAtOnceData {
  readonly replicas: number;
}

/** The reasons why a second pod can't run next to the only one, each as part of a sentence. */
const OBSTACLES: Readonly<Record<SurgeObstacle, string>> = {
  'insufficient-capacity': 'there is no capacity for a second pod next to it',
  'insufficient-capacity-at-maximum': 'at the maximum of its autoscaler there would be no capacity for one more pod',
  'extended-resource': 'a second pod next to it would need an extended resource that a cluster rarely has to spare',
  'one-node-each': 'a second pod would need a node of its own',
  volume: 'its volume can be used on only one node at a time',
};

/** Advises to run several pods if surge can't keep one available. */
function suggestMoreReplicas(obstacle: SurgeObstacle): string {
  const others = obstacle === 'volume' ? ', each with a volume of its own,' : '';
  return `No setting avoids this for one pod, since ${OBSTACLES[obstacle]}. Run 2 replicas or more${others} to keep one available.`;
}

function chooseAdvice({ strategyOwner }: StrategyOwnerData, otherwise: string): string {
  return strategyOwner ? ADVICE_BY_OWNER[strategyOwner] : otherwise;
}

/** Advises on Recreate, which is usually deliberate. If pods can be replaced one by one, a rolling update is the alternative. */
function suggestForRecreate(data: RecreateData): string {
  const { obstacle, unprobed } = data;
  if (isRecreateBest(data)) return `Keep it: ${OBSTACLES[obstacle!]}.`;
  const limits = obstacle === undefined ? '' : ' with maxSurge: 0 and maxUnavailable: 1';
  const probe = unprobed ? `, and give container ${formatDisplayValue(unprobed.container)} a readinessProbe,` : '';
  return `Write type: RollingUpdate${limits}${probe} unless two versions must never run at once.`;
}

function isRecreateBest({ replicas, obstacle }: RecreateData): boolean {
  return obstacle === 'volume' || (obstacle !== undefined && replicas === 1);
}

/** Suggests a rolling update instead, with a probe that works without knowledge of the application. */
function suggestRollingUpdate(data: RecreateData, path: FieldPath): SuggestedFix | undefined {
  const { obstacle, unprobed, strategyOwner } = data;
  if (strategyOwner || isRecreateBest(data)) return undefined;
  const limits =
    obstacle === undefined
      ? [setField(path, 'RollingUpdate')]
      : buildLimitEdits(buildMaxUnavailablePath(path), KUBERNETES_FIELD_NAMES, 0, 1);
  return suggestManualFix(...withProbe(limits, unprobed));
}

/** Adds the edits for a missing probe. Returns none if no probe can be written without knowledge of the application. */
function withProbe(edits: readonly Edit[], unprobed: UnprobedContainer | undefined): readonly Edit[] {
  if (!unprobed) return edits;
  const probe = buildProbeEdits(unprobed, unprobed.path);
  return probe.length === 0 ? [] : [...edits, ...probe];
}

function buildMaxUnavailablePath(typePath: FieldPath): FieldPath {
  return appendToPath(getSiblingPath(typePath, KUBERNETES_FIELD_NAMES.rollingUpdate), KUBERNETES_FIELD_NAMES.maxUnavailable);
}

/** Reports rollouts during which no pod is available at some point. */
export const outage = defineRule({
  code: 'kubernetes/outage',
  since: '0.1.0',
  severity: ['warning', 'info', 'error'],
  fires: 'At some point of the rollout no pod is available, now or once an autoscaler has scaled the workload to its minimum.',
  why:
    'maxUnavailable covers all replicas, so all old pods are deleted before a new one is ready. With a broken image, nothing then serves requests, ' +
    'and there is no automatic rollback. It is an info for Recreate, whose name says so, and for a single pod that cannot be replaced ' +
    'in a better way: a pod of a StatefulSet, a pod without capacity for a second one, or a pod that requests an extended resource such as a GPU, ' +
    'needs a node of its own or mounts a volume of one node. ' +
    'It is an error if a change brings it: the rollouts of OLD keep pods available.',
  fix: 'Set maxUnavailable below the replicas. With one replica, set `maxSurge: 1` and `maxUnavailable: 0`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    recreate: defineMessage<RecreateData>({
      text: ({ replicas }) =>
        `type Recreate takes down ${replicas === 1 ? 'the only pod' : `all ${replicas} pods`} before a new one starts: no pod is available in between.`,
      help: (data) => chooseAdvice(data, suggestForRecreate(data)),
      suggestedFix: suggestRollingUpdate,
      sample: { replicas: 4 },
      variants: [
        { replicas: 1, strategyOwner: 'kserve-canary' },
        { replicas: 1, obstacle: 'volume' },
        { replicas: 3, obstacle: 'extended-resource' },
        { replicas: 3, unprobed: { container: 'web', path: toFieldPath`spec.template.spec.containers[0].readinessProbe`, port: 8080 } },
      ],
    }),
    unavailable: defineMessage<UnavailableData>({
      text: ({ maxUnavailable, unavailable, replicas, per = 'replica', names }) =>
        `${names.maxUnavailable} ${formatDisplayValue(maxUnavailable)} allows ${pluralize(unavailable, 'unavailable pod')} for ${pluralize(replicas, per)}: ` +
        'all old pods are deleted before a new one is ready, and no pod is available in between.',
      help: (data) => {
        const { maxSurge, maxUnavailable } = data.names;
        const spared = countSpared(data);
        if (spared === 0)
          return chooseAdvice(data, data.obstacle ? suggestMoreReplicas(data.obstacle) : `Write ${maxSurge}: 1 and ${maxUnavailable}: 0.`);
        const reason = data.budget ? `, which PodDisruptionBudget "${data.budget.name}" allows too` : '';
        return chooseAdvice(data, `Write ${formatUnavailableLimit(maxUnavailable, spared)}${reason}.`);
      },
      suggestedFix: (data, path) => {
        if (data.strategyOwner || data.obstacle) return undefined;
        const spared = countSpared(data);
        // A second pod needs capacity, and maxSurge: 0 may have been written for lack of it.
        return spared === 0 ? suggestManualFix(...buildLimitEdits(path, data.names, 1, 0)) : suggestAutomaticFix(setField(path, spared));
      },
      sample: { maxUnavailable: 2, unavailable: 2, replicas: 2, names: KUBERNETES_FIELD_NAMES },
      variants: [
        { maxUnavailable: '100%', unavailable: 1, replicas: 1, names: KUBERNETES_FIELD_NAMES },
        { maxUnavailable: '100%', unavailable: 3, replicas: 3, per: 'node', names: KUBERNETES_FIELD_NAMES },
        { maxUnavailable: '100%', unavailable: 4, replicas: 4, names: KUBERNETES_FIELD_NAMES, budget: { name: 'web', allows: 1 } },
        { maxUnavailable: 1, unavailable: 1, replicas: 1, names: KUBERNETES_FIELD_NAMES, obstacle: 'extended-resource' },
        { maxUnavailable: 1, unavailable: 1, replicas: 1, names: KUBERNETES_FIELD_NAMES, obstacle: 'volume' },
        { maxUnavailable: '100%', unavailable: 4, replicas: 4, names: KUBERNETES_FIELD_NAMES, minimum: 2 },
      ],
    }),
    atMinimum: defineMessage<AtMinimumData>({
      text: ({ names, maxUnavailable, autoscaler, minimum }) =>
        `Once ${autoscaler} has scaled to its minimum of ${pluralize(minimum, 'pod')}, ${names.maxUnavailable} ${formatDisplayValue(maxUnavailable)} allows ` +
        `${minimum === 1 ? 'that pod' : 'all of them'} to be unavailable: a rollout that starts then, such as a restart, leaves no pod available in between.`,
      help: (data) => {
        const { maxSurge, maxUnavailable } = data.names;
        if (data.minimum > 1) return chooseAdvice(data, `Write ${formatUnavailableLimit(maxUnavailable, data.minimum - 1)}.`);
        return chooseAdvice(data, data.obstacle ? 'Raise the minimum to 2 or more.' : `Write ${maxSurge}: 1 and ${maxUnavailable}: 0.`);
      },
      sample: { maxUnavailable: 1, names: KUBERNETES_FIELD_NAMES, autoscaler: 'HorizontalPodAutoscaler "web"', minimum: 1 },
      variants: [
        { maxUnavailable: 2, names: KUBERNETES_FIELD_NAMES, autoscaler: 'HorizontalPodAutoscaler "web"', minimum: 2 },
        {
          maxUnavailable: 1,
          names: KUBERNETES_FIELD_NAMES,
          autoscaler: 'ScaledObject "web"',
          minimum: 1,
          obstacle: 'extended-resource',
        },
      ],
    }),
    onlyPod: defineMessage<OnlyPodData>({
      text: () => 'The only pod is deleted before its successor starts, since a StatefulSet has no surge: no pod is available in between.',
      help: ({ scaledBy, hasCapacity, unprobed }) => {
        const more = scaledBy ? `Set the minimum replicas of the ${scaledBy} to 2 or more` : 'Write replicas: 2 or more';
        const probe = unprobed ? `, and give container ${formatDisplayValue(unprobed.container)} a readinessProbe` : '';
        return `${more} to keep one available${hasCapacity ? '' : ', once there is capacity for them'}${probe}.`;
      },
      suggestedFix: ({ scaledBy, hasCapacity, unprobed }, path) =>
        suggestManualFix(...(hasCapacity && scaledBy === undefined ? withProbe([setField(path, 2)], unprobed) : [])),
      sample: { hasCapacity: true },
      variants: [
        { hasCapacity: false },
        { hasCapacity: true, scaledBy: 'HorizontalPodAutoscaler "db"' },
        {
          hasCapacity: true,
          unprobed: { container: 'db', path: toFieldPath`spec.template.spec.containers[0].readinessProbe`, port: 5432 },
        },
      ],
    }),
    allAtOnce: defineMessage<AllAtOnceData>({
      text: ({ replicas }) => `All ${replicas} pods are down at once: no pod is available until the new ones are ready.`,
      help: ({ replicas }) => `Write ${formatUnavailableLimit('maxUnavailable', replicas - 1)}.`,
      suggestedFix: ({ replicas }, path) => suggestAutomaticFix(setField(path, replicas - 1)),
      sample: { replicas: 3 },
    }),
  },
});

function findUnprobedContainerOf({ podTemplates }: RuleContext): UnprobedContainer | undefined {
  const [template] = podTemplates();
  return template && findUnprobedContainer(template);
}

/** Reports the outage of type Recreate as an info, since the type implies it. */
export function checkRecreateOutage(ruleContext: RuleContext): Finding[] {
  const { workload, rollout, capacity } = ruleContext;
  const { strategyOwner } = workload;
  if (!rollout || rollout.replicas === 0 || rollout.isDownBefore) return [];
  const { obstacle } = capacity.headroom();
  const unprobed = findUnprobedContainerOf(ruleContext);
  const data = {
    replicas: rollout.replicas,
    ...(strategyOwner && { strategyOwner }),
    ...(obstacle && { obstacle }),
    ...(unprobed && { unprobed }),
  };
  return [outage.createFinding('recreate', { path: getStrategyTypePath(workload), severity: 'info', data })];
}

/** Returns the fewest pods that an autoscaler may set, if these are fewer than now. */
function findSmallerMinimum({ replicaRange }: Workload, replicas: number): number | undefined {
  const minimum = Math.max(1, replicaRange?.minimum ?? replicas);
  return minimum < replicas ? minimum : undefined;
}

/** Reports a rolling update that keeps a pod available now, but not once an autoscaler has scaled the workload to its minimum. */
function checkOutageAtMinimum(workload: Workload, replicas: number, maxUnavailable: unknown, capacity: CapacityKnowledge): Finding[] {
  const { replicaRange: range, controller, names, strategyOwner } = workload;
  const minimum = findSmallerMinimum(workload, replicas);
  if (!range || minimum === undefined || controller.rolloutAt(minimum).leastAvailable > 0) return [];
  const obstacle = minimum === 1 ? capacity.headroom().obstacle : undefined;
  const data = {
    maxUnavailable: toDisplayValue(maxUnavailable),
    names,
    autoscaler: range.by,
    minimum,
    ...(strategyOwner && { strategyOwner }),
    ...(obstacle && { obstacle }),
  };
  return [outage.createFinding('atMinimum', { path: getMaxUnavailablePath(workload), severity: obstacle ? 'info' : 'warning', data })];
}

/** Reports a rolling update that deletes all old pods before a new one is ready. Reports nothing for 0 replicas. */
export function checkRollingUpdateOutage(
  workload: Workload,
  { replicas, leastAvailable, isDownBefore }: PodRollout,
  maxUnavailable: unknown,
  unavailable: number,
  capacity: CapacityKnowledge,
): Finding[] {
  const { strategyPath, names, strategyOwner, onePerNode } = workload;
  if (replicas === 0 || isDownBefore) return [];
  if (leastAvailable > 0) return checkOutageAtMinimum(workload, replicas, maxUnavailable, capacity);
  const obstacle = replicas === 1 ? capacity.headroom().obstacle : undefined;
  const minimum = findSmallerMinimum(workload, replicas);
  // One pod without capacity for a second one cannot be kept, so that the advice is about the replicas that run now.
  const isKept = minimum !== undefined && (minimum > 1 || capacity.headroom().obstacle === undefined);
  const data = {
    maxUnavailable: toDisplayValue(maxUnavailable),
    unavailable,
    replicas,
    ...(isKept && { minimum }),
    ...(onePerNode && { per: 'node' as const }),
    names,
    ...(strategyOwner && { strategyOwner }),
    ...(obstacle && { obstacle }),
  };
  const path = getMaxUnavailablePath({ strategyPath, names, strategyOwner });
  return [outage.createFinding('unavailable', { path, severity: obstacle ? 'info' : 'warning', data })];
}

/** Reports a StatefulSet whose pods are all down at once. A StatefulSet has no surge. */
export function checkStatefulSetOutage(ruleContext: RuleContext): Finding[] {
  const { rollout, capacity, autoscaler } = ruleContext;
  if (!rollout || rollout.replicas === 0 || rollout.leastAvailable > 0 || rollout.isDownBefore) return [];
  const { replicas } = rollout;
  if (replicas === 1) {
    const unprobed = findUnprobedContainerOf(ruleContext);
    const hasCapacity = capacity.headroom().obstacle !== 'insufficient-capacity';
    const data = { hasCapacity, ...(autoscaler && { scaledBy: autoscaler.by }), ...(unprobed && { unprobed }) };
    return [outage.createFinding('onlyPod', { path: toFieldPath`spec.replicas`, severity: 'info', data })];
  }
  return [outage.createFinding('allAtOnce', { path: toFieldPath`spec.updateStrategy.rollingUpdate.maxUnavailable`, data: { replicas } })];
}

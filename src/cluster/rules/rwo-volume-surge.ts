import { suggestManualFix } from '../../core/findings/suggested-fix';
import type { SuggestedFix } from '../../core/findings/suggested-fix';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { KUBERNETES_FIELD_NAMES, buildLimitEdits, getMaxUnavailablePath } from '../rollout/strategy-field-names';
import type { StrategyFieldNames } from '../rollout/strategy-field-names';
import type { FindingLocation, Workload } from '../rollout/workload';
import { READY_WEB, renderDeploymentOf } from '../pods/rules/examples';

/** Access modes of a volume that is attached to one node at a time. */
export type SingleNodeMode = 'ReadWriteOnce' | 'ReadWriteOncePod';

interface VolumeData {
  readonly claim: string;
  readonly mode: SingleNodeMode;
  readonly replicas: number;
  /** The remedy: the strategy of a single pod, a claim for each pod, or only a claim that many nodes can mount. */
  readonly way: 'one-pod' | 'several-pods' | 'claim-templates' | 'shared-claim';
  readonly names: StrategyFieldNames;
  /** Path of maxUnavailable. */
  readonly limitPath: FieldPath;
}

interface SurgeData extends VolumeData {
  readonly surge: number;
}

const SHARED_CLAIM = 'a claim that is ReadWriteMany';

const ADVICE_BY_WAY: Readonly<Record<VolumeData['way'], (names: StrategyFieldNames) => string>> = {
  'shared-claim': () => `Use ${SHARED_CLAIM}.`,
  'claim-templates': () => `Give each pod its own claim in volumeClaimTemplates, or use ${SHARED_CLAIM}.`,
  'several-pods': () => `Use ${SHARED_CLAIM}, or a StatefulSet with volumeClaimTemplates, which give each pod its own claim.`,
  'one-pod': ({ maxSurge, maxUnavailable }) => `Write ${maxSurge}: 0 and ${maxUnavailable}: 1, or type: Recreate, or use ${SHARED_CLAIM}.`,
};

function formatAdvice({ way, names }: VolumeData): string {
  return ADVICE_BY_WAY[way](names);
}

function proposeInPlace({ way, names, limitPath }: VolumeData): SuggestedFix {
  return suggestManualFix(...(way === 'one-pod' ? buildLimitEdits(limitPath, names, 0, 1) : []));
}

function formatOverlap({ claim, mode, surge }: SurgeData): string {
  return `PersistentVolumeClaim "${claim}" is ${mode}, and new pods start before the old ones are gone (surge ${surge})`;
}

const SAMPLE: SurgeData = {
  claim: 'data',
  mode: 'ReadWriteOnce',
  replicas: 1,
  surge: 1,
  way: 'one-pod',
  names: KUBERNETES_FIELD_NAMES,
  limitPath: toFieldPath`spec.strategy.rollingUpdate.maxUnavailable`,
};

function buildExample(strategy: string): string {
  const podSpec = `      volumes:
        - name: data
          persistentVolumeClaim: { claimName: data }
`;
  return `${renderDeploymentOf({ replicas: 1, spec: strategy, containers: READY_WEB, podSpec })}---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;
}

/** New pods that run next to old ones and share a single-node volume. */
export const rwoVolumeSurge = defineRule({
  code: 'kubernetes/rwo-volume-surge',
  since: '0.1.0',
  severity: ['warning', 'error', 'info'],
  fires: 'A Deployment creates new pods before the old ones are gone, and they mount a claim that is ReadWriteOnce.',
  why:
    'A ReadWriteOnce volume is attached to one node, even if it is only read. ' +
    'A new pod on another node waits until the old pods are gone. With maxUnavailable 0 the old pods wait for the new one, and the rollout deadlocks. ' +
    'If maxUnavailable allows the controller to delete the only pod at once, the new pod only waits until it is gone, which is an info. ' +
    'ReadWriteOncePod does not even allow a second pod on the same node. ' +
    'It is an error with 2 or more replicas, also in a StatefulSet, and if the only pod is not deleted first. ' +
    'The claim of a storageUri `pvc://claim/path` of an InferenceService counts too.',
  fix:
    'Delete a single pod first (Recreate, or `maxSurge: 0` with `maxUnavailable: 1`). ' +
    'For several pods, use a ReadWriteMany claim, or one claim for each pod: a StatefulSet with volumeClaimTemplates.',
  example: buildExample(''),
  fixedExample: buildExample('  strategy: { type: Recreate }\n'),
  messages: {
    severalPods: defineMessage<VolumeData>({
      text: ({ claim, mode, replicas }) =>
        `PersistentVolumeClaim "${claim}" is ${mode}, which only one pod at a time can mount, and there are ${replicas} replicas: ` +
        'the others stay Pending with any strategy.',
      help: formatAdvice,
      suggestedFix: proposeInPlace,
      sample: { ...SAMPLE, mode: 'ReadWriteOncePod', replicas: 3, way: 'several-pods' },
      variants: [{ ...SAMPLE, mode: 'ReadWriteOncePod', replicas: 3, way: 'claim-templates' }],
    }),
    neverMounted: defineMessage<SurgeData>({
      text: (data) => `${formatOverlap(data)}: the new pod stays Pending, and the old one is not deleted before it is ready.`,
      help: formatAdvice,
      suggestedFix: proposeInPlace,
      sample: { ...SAMPLE, mode: 'ReadWriteOncePod' },
    }),
    oldPodFirst: defineMessage<VolumeData>({
      text: ({ claim, mode }) =>
        `PersistentVolumeClaim "${claim}" is ${mode}, and the controller deletes the only pod without waiting for the new one: ` +
        `${mode === 'ReadWriteOncePod' ? 'the new pod' : 'a new pod on another node'} starts only after the old one is gone.`,
      help: (data) => `The surge keeps no pod available here. ${formatAdvice(data)}`,
      suggestedFix: proposeInPlace,
      sample: SAMPLE,
      variants: [{ ...SAMPLE, mode: 'ReadWriteOncePod' }],
    }),
    waits: defineMessage<SurgeData>({
      text: (data) =>
        `${formatOverlap(data)}: ${data.mode === 'ReadWriteOncePod' ? 'a new pod' : 'a new pod on another node'} can't mount it, and the rollout waits.`,
      help: formatAdvice,
      suggestedFix: proposeInPlace,
      sample: SAMPLE,
      variants: [{ ...SAMPLE, mode: 'ReadWriteOncePod', replicas: 2, way: 'shared-claim' }],
    }),
  },
});

/** The workload whose pods mount the claim. */
type ClaimingPods = Pick<Workload, 'names' | 'strategyPath'> & Partial<Pick<Workload, 'strategyOwner' | 'controller'>>;

/** The pods that mount a claim, and how many of them are created and deleted at once. */
export interface ClaimedRollout {
  readonly workload: ClaimingPods;
  readonly rollout: { readonly replicas: number; readonly surge: number; readonly unavailable: number };
}

/** Returns the remedy for a claim that only one node at a time can mount. */
function chooseWay({ strategyOwner, controller }: ClaimingPods, replicas: number) {
  const { hasClaimTemplates, canRecreate } = controller?.traits ?? {};
  if (strategyOwner) return 'shared-claim';
  if (hasClaimTemplates) return 'claim-templates';
  if (!canRecreate) return 'shared-claim';
  return replicas > 1 ? 'several-pods' : 'one-pod';
}

/** Reports how a claim that only one node at a time can mount affects a rollout. */
export function checkRwoVolumeSurge(
  { workload, rollout }: ClaimedRollout,
  claim: string,
  mode: SingleNodeMode,
  location: FindingLocation,
): Finding[] {
  const { replicas, surge, unavailable } = rollout;
  const data = {
    claim,
    mode,
    replicas,
    way: chooseWay(workload, replicas),
    names: workload.names,
    limitPath: getMaxUnavailablePath(workload),
  } as const;
  const isSinglePodMode = mode === 'ReadWriteOncePod';
  if (isSinglePodMode && replicas > 1) return [rwoVolumeSurge.createFinding('severalPods', { ...location, severity: 'error', data })];
  if (surge === 0 || replicas === 0) return [];
  if (replicas === 1 && unavailable >= 1) return [rwoVolumeSurge.createFinding('oldPodFirst', { ...location, severity: 'info', data })];
  const surging = { ...data, surge };
  if (isSinglePodMode && unavailable === 0)
    return [rwoVolumeSurge.createFinding('neverMounted', { ...location, severity: 'error', data: surging })];
  return [rwoVolumeSurge.createFinding('waits', { ...location, data: surging })];
}

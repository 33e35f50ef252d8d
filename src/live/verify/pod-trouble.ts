import type { VerifyReason } from '../../core/document/verify-report';
import { getListAt, getValueAt, isFields, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findCondition } from './observed-objects';
import type { ObservedObjects } from './observed-objects';
import { toSafeText } from '../../core/text/value-text';

/** Why a pod is not ready, and whether it can become ready without a change of it. */
export interface PodTrouble extends VerifyReason {
  /** Whether the pod can never become ready as it is. */
  readonly isFinal: boolean;
  /** Whether it lacks a share of a quota or of a node, which another rollout may leave. */
  readonly lacksCapacity: boolean;
}

/** Reasons of waiting containers that only a change of the pod or of the cluster ends. */
const FINAL_REASONS: ReadonlySet<unknown> = new Set(['CreateContainerConfigError', 'ErrImageNeverPull', 'InvalidImageName']);

/** Words of a registry that answers, and has no such image or refuses to send it. */
const IMAGE_REFUSED = /not found|manifest unknown|unauthorized|denied|forbidden|no basic auth|repository does not exist|invalid reference/i;

/** Number of restarts after which a container that ends at once counts as broken. */
const MIN_CRASHES = 3;

/** Reasons of events that announce another node for a pod that does not fit now. */
const NODE_COMES = new Set<unknown>(['TriggeredScaleUp', 'Nominated', 'NominatedPod']);

function findWaitingContainer(pod: Manifest): PodTrouble | undefined {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((list) => getListAt(pod, 'status', list)).filter(isFields);
  for (const status of statuses) {
    const reason = getValueAt(status, 'state', 'waiting', 'reason');
    if (typeof reason !== 'string' || reason === 'ContainerCreating' || reason === 'PodInitializing') continue;
    const said = getValueAt(status, 'state', 'waiting', 'message');
    const message = typeof said === 'string' ? said : `container "${toSafeText(status.name)}" waits`;
    const crashes = typeof status.restartCount === 'number' ? status.restartCount : 0;
    const isFinal =
      FINAL_REASONS.has(reason) ||
      (reason === 'ImagePullBackOff' && IMAGE_REFUSED.test(`${message} ${toSafeText(status.image)}`)) ||
      (reason === 'ErrImagePull' && IMAGE_REFUSED.test(message)) ||
      (reason === 'CrashLoopBackOff' && crashes >= MIN_CRASHES);
    return { reason, message: `${nameOf(pod)}: ${message}`, isFinal, lacksCapacity: false };
  }
  return undefined;
}

/** Reports whether the events about a pull say that the registry refuses the image. The back-off alone does not say why. */
function isPullRefused(pod: Manifest, observed: ObservedObjects): boolean {
  return observed.eventsAbout(pod).some((event) => {
    const { reason, message } = event as { readonly reason?: unknown; readonly message?: unknown };
    return reason === 'Failed' && typeof message === 'string' && IMAGE_REFUSED.test(message);
  });
}

/** Returns the times of the events of a reason about an object. */
function listTimesOf(reason: string, object: Manifest, observed: ObservedObjects): unknown[] {
  const events = observed.eventsAbout(object).map((event) => event as unknown as Fields);
  return events
    .filter((event) => event.reason === reason)
    .flatMap(({ lastTimestamp, eventTime, series }) => [lastTimestamp, eventTime, getValueAt(series, 'lastObservedTime')]);
}

function findUnscheduled(pod: Manifest, observed: ObservedObjects): PodTrouble | undefined {
  const { status, reason, message, lastTransitionTime } = findCondition(pod, 'PodScheduled');
  if (status !== 'False' || reason !== 'Unschedulable') return undefined;
  const isNodeComing = observed.eventsAbout(pod).some((event) => NODE_COMES.has((event as { readonly reason?: unknown }).reason));
  const times = [lastTransitionTime, ...listTimesOf('FailedScheduling', pod, observed)];
  return {
    reason: 'FailedScheduling',
    message: `${nameOf(pod)}: ${typeof message === 'string' ? message : 'no node fits'}`,
    isFinal: !isNodeComing && observed.wasUnschedulableSinceRemoval(pod, times),
    lacksCapacity: true,
  };
}

function findFailingProbe(pod: Manifest, observed: ObservedObjects): PodTrouble | undefined {
  const failing = observed.eventsAbout(pod).findLast((event) => (event as { readonly reason?: unknown }).reason === 'Unhealthy');
  if (!failing) return undefined;
  const { message } = failing as { readonly message?: unknown };
  return {
    reason: 'Unhealthy',
    message: `${nameOf(pod)}: ${typeof message === 'string' ? message : 'a probe fails'}`,
    isFinal: false,
    lacksCapacity: false,
  };
}

/** Returns why a pod is not ready, in the words of the scheduler or the kubelet; undefined if neither says. */
export function findPodTrouble(pod: Manifest, observed: ObservedObjects): PodTrouble | undefined {
  const waiting = findWaitingContainer(pod);
  if (waiting) {
    const isPull = waiting.reason === 'ImagePullBackOff' || waiting.reason === 'ErrImagePull';
    return isPull && isPullRefused(pod, observed) ? { ...waiting, isFinal: true } : waiting;
  }
  return findUnscheduled(pod, observed) ?? findFailingProbe(pod, observed);
}

/** Returns why a controller cannot create pods; undefined if it can. */
export function findCreationTrouble(controller: Manifest, observed: ObservedObjects): PodTrouble | undefined {
  const { status, reason, message, lastTransitionTime } = findCondition(controller, 'ReplicaFailure');
  const times = [lastTransitionTime, ...listTimesOf('FailedCreate', controller, observed)];
  const isFinal = observed.wasRefusedSinceRemoval(controller, times);
  if (status === 'True') {
    return {
      reason: toSafeText(reason),
      message: `${controller.kind} ${nameOf(controller)}: ${toSafeText(message)}`,
      isFinal,
      lacksCapacity: true,
    };
  }
  const failed = observed.eventsAbout(controller).findLast((event) => (event as { readonly reason?: unknown }).reason === 'FailedCreate');
  if (!failed) return undefined;
  const said = (failed as { readonly message?: unknown }).message;
  return { reason: 'FailedCreate', message: `${controller.kind} ${nameOf(controller)}: ${toSafeText(said)}`, isFinal, lacksCapacity: true };
}

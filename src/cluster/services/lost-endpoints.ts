import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import { isHeadless, labelsOf, isReadinessIgnored, resolveTargetPort, selectorOf } from './endpoints';
import type { ServicePort } from './endpoints';
import { getServingSeconds } from './pre-stop';
import {
  countOnPort,
  findOldPort,
  isEndpointOf,
  isTemplateSelected,
  listCountedPorts,
  listNeededPorts,
  listPodsByWave,
} from './service-plan';
import type { ServicePods, ReadyBatch, ServiceVersions } from './service-plan';
import { toSafeText } from '../../core/text/value-text';

/** Why a Service loses its ready endpoints. */
export type LossCause = 'selector' | 'labels' | 'service-port' | 'pod-port' | Exclude<NonNullable<ServicePods['fate']>, 'refused'>;

/** What a rule reports of a Service that loses all ready endpoints of a port. */
export interface LostEndpoints {
  readonly cause: LossCause;
  /** Ready endpoints before the apply. @default - some are on an unknown number of nodes */
  readonly before?: number;
  /** Whether it has none at the end either. */
  readonly stays: boolean;
  /** Object whose pods it loses. */
  readonly workload: ResourceRef;
  /** Whether the object that would have the new pods is refused. */
  readonly isRefused: boolean;
  /** Whether pods of the new template would be endpoints, and the apply replaces none: a partition or a pause holds them back. @default false */
  readonly isHeld?: boolean;
  /** Entry of the selector that the pods lack: `version=v2`. */
  readonly label?: string;
  /** Name of the port that resolves to nothing, with its protocol: `http (TCP)`. */
  readonly port?: string;
  /** Name of the Service's port that loses its endpoints, if the Service has several. */
  readonly servicePort?: string;
  /** Seconds for which terminating pods still answer; 0 if none does. */
  readonly servingSeconds: number;
}

/** Returns the first entry of a selector that a template lacks: `version=v2`. */
function findMissingLabel(template: Fields, service: Manifest): string | undefined {
  const labels = labelsOf(template);
  const entry = Object.entries(selectorOf(service) ?? {}).find(([key, value]) => labels[key] !== value);
  return entry && `${entry[0]}=${toSafeText(entry[1])}`;
}

function formatPort({ targetPort, protocol }: ServicePort): string {
  return `${targetPort} (${protocol})`;
}

/** Why an object's pods are no endpoints any more; undefined if its strategy alone leaves none ready. */
function findCause(
  { fate, after }: ServicePods,
  running: ReadyBatch,
  next: Manifest,
  port: ServicePort,
): Pick<LostEndpoints, 'cause' | 'label' | 'port'> | undefined {
  const missing = findMissingLabel(running.template, next);
  if (missing !== undefined) return { cause: 'selector', label: missing };
  if (resolveTargetPort(running.template.spec, port) === undefined) return { cause: 'service-port', port: formatPort(port) };
  if (fate !== undefined && fate !== 'refused') return { cause: fate };
  const lost = after.find(({ template, total }) => total > 0 && !isEndpointOf(template, next, port));
  if (lost === undefined) return undefined;
  const label = findMissingLabel(lost.template, next);
  return label === undefined ? { cause: 'pod-port', port: formatPort(port) } : { cause: 'labels', label };
}

/** Returns the seconds for which pods that terminate at the apply answer requests to a port. */
function findServingSeconds(pods: readonly ServicePods[], service: Manifest, port: ServicePort): number {
  const ended = pods.filter(({ fate }) => fate !== undefined && fate !== 'refused').flatMap(({ before }) => before);
  return ended
    .filter(({ template, ready }) => ready > 0 && isEndpointOf(template, service, port))
    .reduce((longest, { template }) => Math.max(longest, getServingSeconds(template.spec)), 0);
}

/** The templates of pods that objects create next. */
type NextPods = readonly { readonly template: Fields }[];

function findLossOnPort(
  versions: Required<ServiceVersions>,
  port: ServicePort,
  pods: readonly ServicePods[],
  following: NextPods,
): LostEndpoints | undefined {
  const { old, next } = versions;
  const oldPort = findOldPort(old, next, port);
  if (oldPort === undefined) return undefined;
  const countBefore = (one: ServicePods) => countOnPort(old, oldPort, one.before);
  const before = pods.reduce((sum, one) => sum + countBefore(one), 0);
  const atEnd = countOnPort(
    next,
    port,
    pods.flatMap(({ after }) => after),
  );
  const isLost = atEnd === 0 || listPodsByWave(pods).some((wave) => countOnPort(next, port, wave.pods) === 0);
  if (before === 0 || !isLost) return undefined;
  const owners = pods.filter((candidate) => countBefore(candidate) > 0);
  const isBeforeKnown = owners.every(({ isOnUnknownNodes }) => !isOnUnknownNodes);
  for (const one of owners) {
    const running = one.before.find(({ template, ready }) => ready > 0 && isEndpointOf(template, old, oldPort));
    const cause = running && findCause(one, running, next, port);
    if (!cause) continue;
    const isRefused = one.fate === 'refused';
    const keepsOldPods = atEnd === 0 && !isRefused && one.after.some(({ ready }) => ready > 0);
    return {
      ...cause,
      ...(cause.port !== undefined && listCountedPorts(next).length > 1 && { servicePort: port.name }),
      ...(isBeforeKnown && { before }),
      stays: atEnd === 0,
      workload: one.resource,
      isRefused,
      ...(keepsOldPods && following.some(({ template }) => isEndpointOf(template, next, port)) && { isHeld: true }),
      servingSeconds: findServingSeconds(pods, next, port),
    };
  }
  return undefined;
}

/** Reports whether the DNS name of a Service lists pods whether or not they are ready, so that only a label takes them from it. */
function listsEveryPod(service: Manifest): boolean {
  return isHeadless(service) && isReadinessIgnored(service);
}

/**
 * Finds why a Service that had ready endpoints has none at some moment of a change. It is undefined if it keeps some, or if only the strategy of a
 * rollout leaves none ready, which other rules report. For a headless Service that publishes pods that are not ready, it is only the loss of a
 * label, if it is permanent.
 *
 * @param following pods of the new templates, whether or not the apply creates them
 */
export function findLostEndpoints(
  { old, next }: ServiceVersions,
  pods: readonly ServicePods[],
  following: NextPods,
): LostEndpoints | undefined {
  if (old === undefined || selectorOf(next) === undefined) return undefined;
  for (const port of listNeededPorts(next)) {
    const loss = findLossOnPort({ old, next }, port, pods, following);
    if (loss && (!listsEveryPod(next) || (loss.stays && loss.label !== undefined))) return loss;
  }
  return undefined;
}

/** Pods that are replaced later and that lack what a Service needs. */
export type PendingLoss = Pick<LostEndpoints, 'workload' | 'label' | 'port'>;

/** Pods of an object, and the templates of those that it creates next. */
interface HeldPods extends ServicePods {
  readonly members: NextPods;
}

/**
 * Finds why a Service loses its last ready endpoints once old pods are replaced that this change leaves in place: a partition or a pause holds
 * them back. It is undefined if new pods of any object are endpoints too.
 */
export function findPendingLoss({ old, next }: ServiceVersions, pods: readonly HeldPods[]): PendingLoss | undefined {
  if (old === undefined || selectorOf(next) === undefined) return undefined;
  for (const port of listNeededPorts(next)) {
    const held = pods.find(({ after }) => after.some(({ template, ready }) => ready > 0 && isEndpointOf(template, next, port)));
    const following = pods.flatMap(({ members }) => members);
    if (!held || following.length === 0 || following.some(({ template }) => isEndpointOf(template, next, port))) continue;
    const template = held.members[0]?.template;
    if (template === undefined || pods.some(({ members }) => members.length === 0)) continue;
    const label = findMissingLabel(template, next);
    return { workload: held.resource, ...(label === undefined ? { port: formatPort(port) } : { label }) };
  }
  return undefined;
}

/** Reports whether a Service selects pods of an object before or after an apply, also pods that terminate then. */
export function selectsPodsOf({ old, next }: ServiceVersions, { before, waves, after }: ServicePods): boolean {
  const isSelected = (service: Manifest | undefined, pods: readonly ReadyBatch[]) =>
    service !== undefined && pods.some(({ template }) => isTemplateSelected(template, service));
  return isSelected(old, before) || isSelected(next, [...before, ...waves.flatMap(({ pods }) => pods), ...after]);
}

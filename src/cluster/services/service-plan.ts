import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import type { ReadyEndpoints, ServiceWave } from '../../core/document/service-plan';
import {
  isHeadless,
  matchesServiceSelector,
  labelsOf,
  listServicePorts,
  isReadinessIgnored,
  resolveTargetPort,
  selectorOf,
} from './endpoints';
import { getServingSeconds } from './pre-stop';
import type { ServicePort } from './endpoints';

/** Ready pods of one template. */
export interface ReadyBatch {
  readonly template: Fields;
  readonly ready: number;
  /** Pods that exist, ready or not. */
  readonly total: number;
  /** Whether they are of the new version. */
  readonly isNew: boolean;
}

/** Ready pods in one wave. */
export interface PodsInWave {
  readonly wave: number;
  readonly pods: readonly ReadyBatch[];
  /** Share of the requests that a router sends to the new version. @default - it follows from the pods */
  readonly routedShare?: number;
  /** Whether it is the second moment of a wave: its new pods are ready, but not available because of `minReadySeconds`. @default false */
  readonly isBeforeAvailable?: boolean;
}

/** What an apply does to an object, if that takes its pods from their Services at once. */
export type PodFate = 'deleted' | 'replaced' | 'refused' | 'scaled-to-zero';

/** Ready pods of one object, before, during and after a rollout. */
export interface ServicePods {
  readonly resource: ResourceRef;
  readonly namespace?: string;
  readonly fate?: PodFate;
  /** Whether its pods are deleted once all rollouts are done, after the last wave. @default false */
  readonly isDeletedLast?: boolean;
  /** Whether it has one pod on each of an unknown number of nodes. Its one pod here stands for all of them. @default false */
  readonly isOnUnknownNodes?: boolean;
  readonly before: readonly ReadyBatch[];
  readonly waves: readonly PodsInWave[];
  readonly after: readonly ReadyBatch[];
}

/** A Service before and after an apply. Without an apply, both are the same. */
export interface ServiceVersions {
  /** Undefined if the apply creates the Service. */
  readonly old?: Manifest;
  readonly next: Manifest;
}

/** The port of a Service without ports: every selected pod is an endpoint of it. */
const ANY_PORT: ServicePort = { name: '', number: 0, targetPort: 0, protocol: 'TCP' };

/** The ports of a Service, which may have thousands, and the first of each name and number. */
interface IndexedPorts {
  readonly all: readonly ServicePort[];
  readonly byName: ReadonlyMap<string, ServicePort>;
  readonly byNumber: ReadonlyMap<string, ServicePort>;
}

const formatPortNumber = ({ number, protocol }: ServicePort) => `${number}/${protocol}`;

const INDEXED_PORTS = new WeakMap<Manifest, IndexedPorts>();

function indexPorts(service: Manifest): IndexedPorts {
  const known = INDEXED_PORTS.get(service);
  if (known) return known;
  const ports = listServicePorts(service);
  const all = ports.length === 0 ? [ANY_PORT] : ports;
  const backwards = all.toReversed();
  const byName = new Map(backwards.map((port) => [port.name, port]));
  const indexed = { all, byName, byNumber: new Map(backwards.map((port) => [formatPortNumber(port), port])) };
  INDEXED_PORTS.set(service, indexed);
  return indexed;
}

/** Lists the ports that requests may use. */
export function listCountedPorts(service: Manifest): readonly ServicePort[] {
  return indexPorts(service).all;
}

/** Lists the ports without which a Service has no endpoint. The DNS name of a headless Service lists its pods whatever ports they have. */
export function listNeededPorts(service: Manifest): readonly ServicePort[] {
  return isHeadless(service) ? [ANY_PORT] : listCountedPorts(service);
}

/** Returns the port of the old Service that requests to a port of the new one used before: by name, by number, or the only one. */
export function findOldPort(old: Manifest, next: Manifest, port: ServicePort): ServicePort | undefined {
  if (port === ANY_PORT) return ANY_PORT;
  const oldPorts = indexPorts(old);
  if (oldPorts.all.length === 1 && listCountedPorts(next).length === 1) return oldPorts.all[0];
  return oldPorts.byName.get(port.name) ?? oldPorts.byNumber.get(formatPortNumber(port));
}

/** Lists the ports that a Service had before an apply, with their numbers and names of today: all ports if it had none of them, or is new. */
function listKeptPorts({ old, next }: ServiceVersions): readonly ServicePort[] {
  const ports = listCountedPorts(next);
  const kept = old === undefined ? ports : ports.filter((port) => findOldPort(old, next, port) !== undefined);
  return kept.length === 0 ? ports : kept;
}

/** Reports whether a Service of this moment selects the pods of a template. */
export function isTemplateSelected(template: Fields, service: Manifest): boolean {
  const selector = selectorOf(service);
  return selector !== undefined && matchesServiceSelector(labelsOf(template), selector);
}

/** Reports whether a pod of a template is an endpoint of a port once it is ready. */
export function isEndpointOf(template: Fields, service: Manifest, port: ServicePort): boolean {
  return isTemplateSelected(template, service) && resolveTargetPort(template.spec, port) !== undefined;
}

/** Counts the ready endpoints of one port. A Service that publishes addresses that are not ready counts every pod. */
export function countOnPort(service: Manifest, port: ServicePort, pods: readonly ReadyBatch[]): number {
  const countOf = ({ ready, total }: ReadyBatch) => (isReadinessIgnored(service) ? total : ready);
  return pods.reduce((sum, batch) => (countOf(batch) > 0 && isEndpointOf(batch.template, service, port) ? sum + countOf(batch) : sum), 0);
}

/** Returns the port with the fewest ready endpoints, and their number. */
function findLeastPort(service: Manifest, pods: readonly ReadyBatch[]): { readonly port: ServicePort; readonly ready: number } {
  return listCountedPorts(service)
    .map((port) => ({ port, ready: countOnPort(service, port, pods) }))
    .reduce((least, one) => (one.ready < least.ready ? one : least));
}

/** Lists the waves of several objects, each once. */
function listWaves(pods: readonly ServicePods[]): number[] {
  return [...new Set(pods.flatMap(({ waves }) => waves.map(({ wave }) => wave)))].toSorted((a, b) => a - b);
}

/** Returns the ready pods of an object in a wave: those of its last wave up to then, or those at the end if it is done. */
function podsInWave({ before, waves, after, isDeletedLast = false }: ServicePods, wave: number): readonly ReadyBatch[] {
  if (isDeletedLast) return before;
  const last = waves.at(-1);
  if (last === undefined || wave > last.wave) return after;
  return waves.findLast((one) => one.wave <= wave && one.isBeforeAvailable !== true)?.pods ?? before;
}

function hasSamePods(a: readonly ReadyBatch[], b: readonly ReadyBatch[]): boolean {
  const isSame = (one: ReadyBatch, other: ReadyBatch | undefined) =>
    one.template === other?.template && one.ready === other.ready && one.total === other.total;
  return a.length === b.length && a.every((batch, index) => isSame(batch, b[index]));
}

/**
 * Returns the ready pods of several objects that roll out together, for each wave of any of them. If some are deleted once the others are done, two
 * waves follow: the others are ready, and the deleted ones are gone.
 */
export function listPodsByWave(pods: readonly ServicePods[]): PodsInWave[] {
  const deletesLast = pods.some(({ isDeletedLast, before }) => isDeletedLast && before.length > 0);
  const [only, ...others] = pods;
  if (only && others.length === 0 && !deletesLast) return [...only.waves];
  const waves = listWaves(pods).map((wave) => ({ wave, pods: pods.flatMap((one) => podsInWave(one, wave)) }));
  if (!deletesLast) return waves;
  const last = waves.at(-1);
  const done = pods.flatMap(({ before, after, isDeletedLast }) => (isDeletedLast ? before : after));
  const all = last && hasSamePods(last.pods, done) ? waves : [...waves, { wave: (last?.wave ?? 0) + 1, pods: done }];
  return [...all, { wave: (all.at(-1)?.wave ?? 0) + 1, pods: pods.flatMap(({ after }) => after) }];
}

/** Digits of a share, so that 2 of 3 is 0.6667. */
const SHARE_FACTOR = 10_000;

/** Rounds a share to four digits. */
export function roundShare(share: number): number {
  return Math.round(share * SHARE_FACTOR) / SHARE_FACTOR;
}

function computeNewShare(service: Manifest, pods: readonly ReadyBatch[]): number | undefined {
  const { port, ready } = findLeastPort(service, pods);
  if (ready === 0) return undefined;
  const ofNew = countOnPort(
    service,
    port,
    pods.filter(({ isNew }) => isNew),
  );
  return roundShare(ofNew / ready);
}

/** Counts the ready pods of each template. */
function countReadyByTemplate(pods: readonly ReadyBatch[], countOf: (batch: ReadyBatch) => number): Map<Fields, number> {
  const counts = new Map<Fields, number>();
  for (const batch of pods) counts.set(batch.template, (counts.get(batch.template) ?? 0) + countOf(batch));
  return counts;
}

/** A wave in the order of all waves. */
interface Moment {
  readonly wave: number;
  /** Undefined for the first wave. */
  readonly previousWave: number | undefined;
  readonly isLast: boolean;
}

/**
 * Lists the templates of an object that have ready pods which terminate in a wave.
 *
 * All pods of a wave are ready at its end. With 3 pods in one wave and 2 ready ones in the next, one terminates.
 */
function listTerminatingTemplates(pods: ServicePods, { wave, previousWave, isLast }: Moment): Fields[] {
  if (pods.isDeletedLast) return isLast ? pods.before.filter(({ ready }) => ready > 0).map(({ template }) => template) : [];
  const start =
    previousWave === undefined
      ? countReadyByTemplate(pods.before, ({ ready }) => ready)
      : countReadyByTemplate(podsInWave(pods, previousWave), ({ total }) => total);
  const left = countReadyByTemplate(podsInWave(pods, wave), ({ ready }) => ready);
  return [...start].flatMap(([template, count]) => (count > (left.get(template) ?? 0) ? [template] : []));
}

/** Returns what answers a connection to the port of a Service that has no ready endpoint. Source: k/k 1.34 pkg/proxy/topology.go. */
function findAnswerInWave(
  service: Manifest,
  pods: readonly ServicePods[],
  port: ServicePort,
  moment: Moment,
): Pick<ServiceWave, 'answers' | 'answerSeconds'> {
  const serving = pods.flatMap((one) => listTerminatingTemplates(one, moment)).filter((template) => isEndpointOf(template, service, port));
  if (serving.length === 0) return { answers: 'refused' };
  const answerSeconds = serving.reduce((longest, { spec }) => Math.max(longest, getServingSeconds(spec)), 0);
  return { answers: 'terminating-pods', ...(answerSeconds > 0 && { answerSeconds }) };
}

/** Ready endpoints of a Service over time. */
export interface ServiceTimeline {
  readonly readyEndpoints: ReadyEndpoints;
  readonly waves: readonly ServiceWave[];
}

/**
 * Counts the ready endpoints of a Service over time. Its selector and ports change at once, the labels and ports of pods with each pod.
 *
 * With 4 pods and a selector that asks for a new label, before is 4, wave 1 has 0, wave 2 has 2, and after is 4.
 *
 * @param hasRole whether a rollout moves the Service between versions
 * @param isSplit whether a router sends the share of the new version to another Service
 */
export function buildServiceTimeline(
  versions: ServiceVersions,
  pods: readonly ServicePods[],
  { hasRole = false, isSplit = false } = {},
): ServiceTimeline {
  const { old, next } = versions;
  const isAnswerKnown = !hasRole && !isHeadless(next);
  const waves = listPodsByWave(pods).map(({ wave, pods: inWave, routedShare }, index, all): ServiceWave => {
    const newShare = routedShare === undefined ? computeNewShare(next, inWave) : roundShare(routedShare);
    const { port, ready } = findLeastPort(next, inWave);
    const moment = { wave, previousWave: all[index - 1]?.wave, isLast: index === all.length - 1 };
    const answer = ready === 0 && isAnswerKnown && findAnswerInWave(next, pods, port, moment);
    return { wave, ready, ...(newShare !== undefined && { newShare }), ...answer };
  });
  const countAt = (service: Manifest, moment: 'before' | 'after') =>
    findLeastPort(
      service,
      pods.flatMap((one) => one[moment]),
    ).ready;
  const before = old === undefined ? 0 : countAt(old, 'before');
  const after = countAt(next, 'after');
  const least = waves.reduce((fewest, { ready }) => Math.min(fewest, ready), Math.min(before, after));
  const ports = listKeptPorts(versions);
  const countKept = (inWave: readonly ReadyBatch[]) =>
    ports.reduce((fewest, port) => Math.min(fewest, countOnPort(next, port, inWave)), Infinity);
  const inUse = listPodsByWave(pods).filter(({ routedShare = 0 }) => !isSplit || routedShare === 0);
  const end = countKept(pods.flatMap((one) => one.after));
  const leastInUse = inUse.reduce((fewest, wave) => Math.min(fewest, countKept(wave.pods)), Math.min(before, end));
  return { readyEndpoints: { before, least, after, ...(leastInUse !== least && { leastInUse }) }, waves };
}

import { fieldsAt, isFields, listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { NANOS, nanosOf } from '../../core/quantity';
import { quantityText } from '../../core/quantity-text';
import { byNamespace } from '../namespaces';
import type { PodSet } from '../workload';
import { resourceUse } from './limits';
import type { ResourceLimit } from './limits';
import { isPodLevel, written } from './pod-requests';
import type { Refusal } from './refusal';

/* Why a LimitRange refuses a pod. Source: k/k plugin/pkg/admission/limitranger/admission.go, `PodValidateLimitFunc`. */

const BOUNDS = ['min', 'max', 'maxLimitRequestRatio'] as const;
type Bound = (typeof BOUNDS)[number];
const TYPES = ['Container', 'Pod'] as const;
type LimitType = (typeof TYPES)[number];

/** An amount in billionths, as it is written. */
interface Amount {
  readonly amount: bigint;
  readonly text: string;
}

interface Demand extends Amount {
  readonly limitRange: Manifest;
}

/** What the LimitRanges of a namespace demand of each resource: the tightest of each bound. */
type Demands = Readonly<Record<LimitType, Readonly<Record<Bound, ReadonlyMap<string, Demand>>>>>;

function amountOf(quantity: unknown): Amount | undefined {
  const text = quantityText(quantity, true);
  const amount = nanosOf(text);
  return amount === undefined ? undefined : { amount, text: String(text) };
}

function isTighter(bound: Bound, one: bigint, other: bigint): boolean {
  return bound === 'min' ? one > other : one < other;
}

function demandsOf(limitRanges: readonly Manifest[]): Demands {
  const none = () => ({ min: new Map<string, Demand>(), max: new Map<string, Demand>(), maxLimitRequestRatio: new Map<string, Demand>() });
  const demands = { Container: none(), Pod: none() };
  for (const limitRange of limitRanges) {
    for (const item of listAt(limitRange, 'spec', 'limits')) {
      const type = TYPES.find((name) => name === valueAt(item, 'type'));
      if (type === undefined) continue;
      for (const bound of BOUNDS) {
        for (const [resource, quantity] of Object.entries(fieldsAt(item, bound))) {
          const found = amountOf(quantity);
          const known = demands[type][bound].get(resource);
          if (found && (!known || isTighter(bound, found.amount, known.amount)))
            demands[type][bound].set(resource, { ...found, limitRange });
        }
      }
    }
  }
  return demands;
}

/** What a container, or a pod as a whole, asks for of each resource. */
interface Asked {
  readonly requests: ReadonlyMap<string, Amount>;
  readonly limits: ReadonlyMap<string, Amount>;
}

type Words = (demand: Amount, request: Amount | undefined, limit: Amount | undefined) => string | undefined;

const MILLI = NANOS / 1000n;

const WORDS: Readonly<Record<Bound, (of: string) => Words>> = {
  min: (of) => (least, request, limit) => {
    const words = `minimum ${of} is ${least.text}`;
    if (!request) return `${words}.  No request is specified`;
    if (request.amount < least.amount) return `${words}, but request is ${request.text}`;
    return limit && limit.amount < least.amount ? `${words}, but limit is ${limit.text}` : undefined;
  },
  max: (of) => (most, request, limit) => {
    const words = `maximum ${of} is ${most.text}`;
    if (!limit) return `${words}.  No limit is specified`;
    if (limit.amount > most.amount) return `${words}, but limit is ${limit.text}`;
    return request && request.amount > most.amount ? `${words}, but request is ${request.text}` : undefined;
  },
  maxLimitRequestRatio: (of) => (most, request, limit) => {
    const words = `${of} is ${most.text}`;
    if (!request || request.amount === 0n) return `${words}, but no request is specified or request is 0`;
    if (!limit || limit.amount === 0n) return `${words}, but no limit is specified or limit is 0`;
    const ratio = Number(limit.amount / MILLI) / Number(request.amount / MILLI);
    return ratio * 1000 > Number(most.amount / MILLI) ? `${words}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
  },
};

/** What is counted, as the server names it: `cpu usage per Container`. */
function subject(bound: Bound, resource: string, type: LimitType): string {
  return bound === 'maxLimitRequestRatio' ? `${resource} max limit to request ratio per ${type}` : `${resource} usage per ${type}`;
}

interface Refused {
  readonly limitRange: Manifest;
  readonly words: string;
}

/** The first demand that is not met. A resource that passes is one that is asked for, so no more demands are looked at than those and one. */
function firstRefused(type: LimitType, demands: Demands, { requests, limits }: Asked): Refused | undefined {
  for (const bound of BOUNDS) {
    for (const [resource, demand] of demands[type][bound]) {
      const words = WORDS[bound](subject(bound, resource, type))(demand, requests.get(resource), limits.get(resource));
      if (words !== undefined) return { limitRange: demand.limitRange, words };
    }
  }
  return undefined;
}

function amountsOf(quantities: Fields): Map<string, Amount> {
  return new Map(
    Object.entries(quantities).flatMap(([name, quantity]) => {
      const amount = amountOf(quantity);
      return amount ? [[name, amount] as const] : [];
    }),
  );
}

/** A limit that is given is the request where none is. */
function askedBy(container: unknown): Asked {
  const limits = fieldsAt(container, 'resources', 'limits');
  return { requests: amountsOf({ ...limits, ...fieldsAt(container, 'resources', 'requests') }), limits: amountsOf(limits) };
}

type Kind = keyof Asked;

function add(into: Map<string, bigint>, from: ReadonlyMap<string, bigint>): void {
  for (const [name, amount] of from) into.set(name, (into.get(name) ?? 0n) + amount);
}

function raise(into: Map<string, bigint>, from: ReadonlyMap<string, bigint>): void {
  for (const [name, amount] of from) into.set(name, amount > (into.get(name) ?? -1n) ? amount : into.get(name)!);
}

/** Of a pod as a whole; a resource of which any container asks for 0 is one that is asked for, and an overhead is none. */
function wholeOf(podSpec: Fields, kind: Kind): Map<string, Amount> {
  const plain = (container: unknown) => new Map([...askedBy(container)[kind]].map(([name, { amount }]) => [name, amount]));
  const running = new Map<string, bigint>();
  for (const container of listAt(podSpec, 'containers')) add(running, plain(container));
  const sidecars = new Map<string, bigint>();
  const starting = new Map<string, bigint>();
  for (const container of listAt(podSpec, 'initContainers')) {
    const own = plain(container);
    const isSidecar = valueAt(container, 'restartPolicy') === 'Always';
    if (isSidecar) add(running, own);
    if (isSidecar) add(sidecars, own);
    else add(own, sidecars);
    raise(starting, isSidecar ? sidecars : own);
  }
  raise(running, starting);
  const ofContainers = [...running].map(([name, amount]) => [name, { amount, text: written(amount, name) }] as const);
  const ofPod = [...amountsOf(fieldsAt(podSpec, 'resources', kind))].filter(([name]) => isPodLevel(name));
  return new Map([...ofContainers, ...ofPod]);
}

/** Why the LimitRanges of a namespace refuse a pod, once they have filled in what is missing. */
function refusalOf(demands: Demands, podSpec: Fields): { readonly limitRange: Manifest; readonly refusal: Refusal } | undefined {
  const refusal = ({ limitRange, words }: Refused, containers: readonly string[], field: readonly (string | number)[]) => ({
    limitRange,
    refusal: { kind: 'limit-range', limitRange: nameOf(limitRange), words, containers, field } as const,
  });
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of listAt(podSpec, list).entries()) {
      const found = isFields(container) ? firstRefused('Container', demands, askedBy(container)) : undefined;
      if (found) return refusal(found, [String(valueAt(container, 'name'))], [list, index, 'resources']);
    }
  }
  const whole = { requests: wholeOf(podSpec, 'requests'), limits: wholeOf(podSpec, 'limits') };
  const found = firstRefused('Pod', demands, whole);
  return found && refusal(found, [], ['containers', 0, 'resources']);
}

/** `LimitRange "defaults"`. */
export function limitRangeName(limitRange: Manifest): string {
  return `LimitRange "${nameOf(limitRange)}"`;
}

/** The LimitRanges that let no new pod of a set in, each as a limit on that set: of several the first. */
export function allLimitRangeRefusals(limitRanges: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const rangesOf = new Map<string, Manifest[]>();
  for (const limitRange of limitRanges) {
    const namespace = namespaceOf(limitRange) ?? '';
    const known = rangesOf.get(namespace);
    if (known) known.push(limitRange);
    else rangesOf.set(namespace, [limitRange]);
  }
  const podSetsOf = byNamespace(podSets);
  return [...rangesOf].flatMap(([namespace, own]) => {
    const demands = demandsOf(own);
    return (podSetsOf.get(namespace) ?? []).flatMap((podSet): ResourceLimit[] => {
      if (podSet.countOnly || podSet.resourcesAreFilledIn) return [];
      const found = refusalOf(demands, fieldsAt(podSet.template, 'spec'));
      if (!found) return [];
      const { limitRange, refusal } = found;
      const use = resourceUse([podSet], () => NANOS);
      return [
        { kind: 'quota', name: limitRangeName(limitRange), resource: 'pods', total: 0n, ...use, refusesPods: true, refusal, limitRange },
      ];
    });
  });
}

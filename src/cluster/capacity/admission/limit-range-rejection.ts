import { groupBy } from '../../../core/collections/group-by';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { normalizeQuantity } from '../../../core/values/normalize-quantity';
import { NANOS_PER_UNIT, parseQuantityNanos } from '../../../core/values/quantity';
import { groupByNamespace } from '../../context/group-by-namespace';
import type { PodSet } from '../../rollout/pod-set';
import { computeResourceUse } from '../limits';
import type { ResourceLimit } from '../limits';
import { isPodLevelResource, formatResourceAmount } from '../pod-requests';
import type { AdmissionRejection } from '../../rejections/admission-rejection';
import { toSafeText } from '../../../core/text/value-text';

/* Determines why a LimitRange refuses a pod. Source: k/k plugin/pkg/admission/limitranger/admission.go, `PodValidateLimitFunc`. */

const BOUNDS = ['min', 'max', 'maxLimitRequestRatio'] as const;
type Bound = (typeof BOUNDS)[number];
const LIMIT_TYPES = ['Container', 'Pod'] as const;
type LimitType = (typeof LIMIT_TYPES)[number];

/** An amount in billionths, with its text. */
interface ParsedAmount {
  readonly amount: bigint;
  readonly text: string;
}

interface LimitConstraint extends ParsedAmount {
  readonly limitRange: Manifest;
}

/** The tightest bounds that the LimitRanges of a namespace set for each resource. */
type LimitConstraints = Readonly<Record<LimitType, Readonly<Record<Bound, ReadonlyMap<string, LimitConstraint>>>>>;

function parseAmount(quantity: unknown): ParsedAmount | undefined {
  const text = normalizeQuantity(quantity, true);
  const amount = parseQuantityNanos(text);
  return amount === undefined ? undefined : { amount, text: toSafeText(text) };
}

function isTighter(bound: Bound, candidate: bigint, current: bigint): boolean {
  return bound === 'min' ? candidate > current : candidate < current;
}

function collectConstraints(limitRanges: readonly Manifest[]): LimitConstraints {
  const createEmpty = () => ({
    min: new Map<string, LimitConstraint>(),
    max: new Map<string, LimitConstraint>(),
    maxLimitRequestRatio: new Map<string, LimitConstraint>(),
  });
  const constraints = { Container: createEmpty(), Pod: createEmpty() };
  for (const limitRange of limitRanges) {
    for (const item of getListAt(limitRange, 'spec', 'limits')) {
      const type = LIMIT_TYPES.find((name) => name === getValueAt(item, 'type'));
      if (type === undefined) continue;
      for (const bound of BOUNDS) {
        for (const [resource, quantity] of Object.entries(getFieldsAt(item, bound))) {
          const found = parseAmount(quantity);
          const known = constraints[type][bound].get(resource);
          if (found && (!known || isTighter(bound, found.amount, known.amount)))
            constraints[type][bound].set(resource, { ...found, limitRange });
        }
      }
    }
  }
  return constraints;
}

/** Resources of a container, or of a pod as a whole. */
interface ContainerResources {
  readonly requests: ReadonlyMap<string, ParsedAmount>;
  readonly limits: ReadonlyMap<string, ParsedAmount>;
}

type ViolationMessage = (
  constraint: ParsedAmount,
  request: ParsedAmount | undefined,
  limit: ParsedAmount | undefined,
) => string | undefined;

const MILLI = NANOS_PER_UNIT / 1000n;

const VIOLATION_MESSAGES: Readonly<Record<Bound, (subjectText: string) => ViolationMessage>> = {
  min: (subjectText) => (minimum, request, limit) => {
    const reason = `minimum ${subjectText} is ${minimum.text}`;
    if (!request) return `${reason}.  No request is specified`;
    if (request.amount < minimum.amount) return `${reason}, but request is ${request.text}`;
    return limit && limit.amount < minimum.amount ? `${reason}, but limit is ${limit.text}` : undefined;
  },
  max: (subjectText) => (most, request, limit) => {
    const reason = `maximum ${subjectText} is ${most.text}`;
    if (!limit) return `${reason}.  No limit is specified`;
    if (limit.amount > most.amount) return `${reason}, but limit is ${limit.text}`;
    return request && request.amount > most.amount ? `${reason}, but request is ${request.text}` : undefined;
  },
  maxLimitRequestRatio: (subjectText) => (most, request, limit) => {
    const reason = `${subjectText} is ${most.text}`;
    if (!request || request.amount === 0n) return `${reason}, but no request is specified or request is 0`;
    if (!limit || limit.amount === 0n) return `${reason}, but no limit is specified or limit is 0`;
    const ratio = Number(limit.amount / MILLI) / Number(request.amount / MILLI);
    return ratio * 1000 > Number(most.amount / MILLI) ? `${reason}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
  },
};

/** Formats what is limited, in the words of the API server: `cpu usage per Container`. */
function describeSubject(bound: Bound, resource: string, type: LimitType): string {
  return bound === 'maxLimitRequestRatio' ? `${resource} max limit to request ratio per ${type}` : `${resource} usage per ${type}`;
}

interface LimitViolation {
  readonly limitRange: Manifest;
  readonly reason: string;
}

/**
 * Returns the first violated constraint. A resource that passes must be set, so at most one more constraint is checked than resources are
 * set.
 */
function findFirstViolation(
  type: LimitType,
  constraints: LimitConstraints,
  { requests, limits }: ContainerResources,
): LimitViolation | undefined {
  for (const bound of BOUNDS) {
    for (const [resource, constraint] of constraints[type][bound]) {
      const reason = VIOLATION_MESSAGES[bound](describeSubject(bound, resource, type))(
        constraint,
        requests.get(resource),
        limits.get(resource),
      );
      if (reason !== undefined) return { limitRange: constraint.limitRange, reason };
    }
  }
  return undefined;
}

function parseAmounts(quantities: Fields): Map<string, ParsedAmount> {
  return new Map(
    Object.entries(quantities).flatMap(([name, quantity]) => {
      const amount = parseAmount(quantity);
      return amount ? [[name, amount] as const] : [];
    }),
  );
}

/** Returns the resources of a container. A limit is the default request. */
function getContainerResources(container: unknown): ContainerResources {
  const limits = getFieldsAt(container, 'resources', 'limits');
  return { requests: parseAmounts({ ...limits, ...getFieldsAt(container, 'resources', 'requests') }), limits: parseAmounts(limits) };
}

type AmountKind = keyof ContainerResources;

function addAmounts(into: Map<string, bigint>, from: ReadonlyMap<string, bigint>): void {
  for (const [name, amount] of from) into.set(name, (into.get(name) ?? 0n) + amount);
}

function raiseAmounts(into: Map<string, bigint>, from: ReadonlyMap<string, bigint>): void {
  for (const [name, amount] of from) into.set(name, amount > (into.get(name) ?? -1n) ? amount : into.get(name)!);
}

/**
 * Computes the resources of a pod as a whole. A resource counts as requested even if a container requests 0 of it. Overhead does not count.
 */
function computePodTotals(podSpec: Fields, kind: AmountKind): Map<string, ParsedAmount> {
  const getAmounts = (container: unknown) =>
    new Map([...getContainerResources(container)[kind]].map(([name, { amount }]) => [name, amount]));
  const runningAmounts = new Map<string, bigint>();
  for (const container of getListAt(podSpec, 'containers')) addAmounts(runningAmounts, getAmounts(container));
  const sidecars = new Map<string, bigint>();
  const startupAmounts = new Map<string, bigint>();
  for (const container of getListAt(podSpec, 'initContainers')) {
    const own = getAmounts(container);
    const isSidecar = getValueAt(container, 'restartPolicy') === 'Always';
    if (isSidecar) addAmounts(runningAmounts, own);
    if (isSidecar) addAmounts(sidecars, own);
    else addAmounts(own, sidecars);
    raiseAmounts(startupAmounts, isSidecar ? sidecars : own);
  }
  raiseAmounts(runningAmounts, startupAmounts);
  const containerAmounts = [...runningAmounts].map(
    ([name, amount]) => [name, { amount, text: formatResourceAmount(amount, name) }] as const,
  );
  const podAmounts = [...parseAmounts(getFieldsAt(podSpec, 'resources', kind))].filter(([name]) => isPodLevelResource(name));
  return new Map([...containerAmounts, ...podAmounts]);
}

/** Returns why the LimitRanges of a namespace refuse a pod after their defaults are filled in. */
function findRejection(
  constraints: LimitConstraints,
  podSpec: Fields,
): { readonly limitRange: Manifest; readonly rejection: AdmissionRejection } | undefined {
  const toRejection = ({ limitRange, reason }: LimitViolation, containers: readonly string[], field: readonly (string | number)[]) => ({
    limitRange,
    rejection: { kind: 'limit-range', limitRange: nameOf(limitRange), words: reason, containers, field } as const,
  });
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of getListAt(podSpec, list).entries()) {
      const found = isFields(container) ? findFirstViolation('Container', constraints, getContainerResources(container)) : undefined;
      if (found) return toRejection(found, [toSafeText(getValueAt(container, 'name'))], [list, index, 'resources']);
    }
  }
  const podTotals = { requests: computePodTotals(podSpec, 'requests'), limits: computePodTotals(podSpec, 'limits') };
  const found = findFirstViolation('Pod', constraints, podTotals);
  return found && toRejection(found, [], ['containers', 0, 'resources']);
}

/** Formats the name of a LimitRange: `LimitRange "defaults"`. */
export function formatLimitRangeName(limitRange: Manifest): string {
  return `LimitRange "${nameOf(limitRange)}"`;
}

/** Returns the LimitRanges that refuse every new pod of a set, each as a limit on that set. If there are several, the first one counts. */
export function findLimitRangeRejections(limitRanges: readonly Manifest[], podSets: readonly PodSet[]): ResourceLimit[] {
  const rangesOf = groupBy(limitRanges, (limitRange) => namespaceOf(limitRange) ?? '');
  const podSetsOf = groupByNamespace(podSets);
  return [...rangesOf].flatMap(([namespace, own]) => {
    const constraints = collectConstraints(own);
    return (podSetsOf.get(namespace) ?? []).flatMap((podSet): ResourceLimit[] => {
      if (podSet.countOnly || podSet.hasDefaultedResources) return [];
      const found = findRejection(constraints, getFieldsAt(podSet.template, 'spec'));
      if (!found) return [];
      const { limitRange, rejection } = found;
      const use = computeResourceUse([podSet], () => NANOS_PER_UNIT);
      return [
        {
          kind: 'quota',
          name: formatLimitRangeName(limitRange),
          resource: 'pods',
          total: 0n,
          ...use,
          refusesPods: true,
          rejection,
          limitRange,
        },
      ];
    });
  });
}

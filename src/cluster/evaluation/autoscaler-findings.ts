import { MAX_LISTED_NAMES } from '../../core/text/text-format';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { matchesLabelSelector } from '../../core/values/label-selector';
import {
  annotationOf,
  getFieldsAt,
  getListAt,
  getValueAt,
  objectReferenceOf,
  isFields,
  nameOf,
  namespaceOf,
} from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { describeScaleTarget, isPausedAutoscaler, listAutoscalers, scalingBoundsOf } from '../autoscaling/autoscaler';
import type { ScaledTarget } from '../autoscaling/autoscaler';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { groupByNamespace } from '../context/group-by-namespace';
import { buildLabelIndex } from '../context/label-index';
import { autoscalerBlind } from '../rules/autoscaler-blind';
import { autoscalersConflict, SCALE_TARGET_PATH } from '../rules/autoscalers-conflict';
import type { ReplicaRange } from '../rollout/workload';
import { toSafeText } from '../../core/text/value-text';
import { listSidecars } from '../rollout/sidecars';

/** An autoscaler with its target in the input. */
interface TargetedAutoscaler extends ScaledTarget {
  readonly object: Manifest;
  /** `HorizontalPodAutoscaler "web"` */
  readonly title: string;
  readonly target: Manifest | undefined;
  /** `Deployment "web"` */
  readonly targetName: string;
}

/** Creates a function that finds the target of an autoscaler. Each kind is indexed once. */
function createTargetLookup(context: PlanContext): (target: ScaledTarget) => Manifest | undefined {
  const byKind = new Map<string, ReadonlyMap<string, Manifest>>();
  return ({ group, kind, name, namespace }) => {
    const key = `${group}/${kind}`;
    const index =
      byKind.get(key) ??
      new Map(
        context
          .all({ group, kind })
          .toReversed()
          .map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object]),
      );
    byKind.set(key, index);
    return index.get(`${namespace}/${name}`);
  };
}

function keyOf(namespace: string | undefined, name: unknown): string {
  return JSON.stringify([namespace, name]);
}

/** Returns the HorizontalPodAutoscaler that a ScaledObject takes over. Source: KEDA 2.20 scaledobject_webhook.go, `verifyHpas`. */
function findTakenOver(scaledObject: Manifest): string | undefined {
  if (scaledObject.kind !== CONTEXT_KINDS.scaledObject.kind) return undefined;
  if (annotationOf(scaledObject, 'scaledobject.keda.sh/transfer-hpa-ownership') !== 'true') return undefined;
  return keyOf(namespaceOf(scaledObject), getValueAt(scaledObject, 'spec', 'advanced', 'horizontalPodAutoscalerConfig', 'name'));
}

function listTargetedAutoscalers(context: PlanContext): TargetedAutoscaler[] {
  const findTarget = createTargetLookup(context);
  const active = listAutoscalers(context).filter((object) => !isPausedAutoscaler(object));
  const takenOver = new Set(active.map(findTakenOver));
  const isTakenOver = (object: Manifest) =>
    object.kind !== CONTEXT_KINDS.scaledObject.kind && takenOver.has(keyOf(namespaceOf(object), nameOf(object)));
  return active
    .filter((object) => !isTakenOver(object))
    .flatMap((object) => {
      const scaled = describeScaleTarget(object);
      if (!scaled) return [];
      const title = `${object.kind} "${nameOf(object)}"`;
      return [{ ...scaled, object, title, target: findTarget(scaled), targetName: `${scaled.kind} "${scaled.name}"` }];
    });
}

function createFinding(finding: Finding, object: Manifest, context: PlanContext): Finding {
  const source = context.locate(object, finding.path);
  return { ...finding, object: objectReferenceOf(object), ...(source && { source }) };
}

function toTargetKey({ namespace, group, kind, name }: ScaledTarget): string {
  return [namespace, group, kind, name].join('/');
}

function labelsOf(target: Manifest | undefined): Fields {
  return getFieldsAt(target, 'spec', 'template', 'metadata', 'labels');
}

/** Reports whether the selector of one target also selects the pods of another one in its namespace. */
function selectsPodsOf(one: TargetedAutoscaler, other: TargetedAutoscaler): boolean {
  const selector = getValueAt(one.target, 'spec', 'selector');
  const labels = labelsOf(other.target);
  if (!isFields(selector) || Object.keys(selector).length === 0 || Object.keys(labels).length === 0) return false;
  return matchesLabelSelector(selector, labels);
}

/** Finds, for each autoscaler, the first of the earlier ones whose target selects its pods, or the reverse. */
function findOverlaps(autoscalers: readonly TargetedAutoscaler[]): ReadonlyMap<TargetedAutoscaler, TargetedAutoscaler> {
  const positions = new Map(autoscalers.map((autoscaler, position) => [autoscaler, position]));
  const overlaps = new Map<TargetedAutoscaler, TargetedAutoscaler>();
  const isBefore = (one: TargetedAutoscaler, other: TargetedAutoscaler) => positions.get(one)! < positions.get(other)!;
  const addOverlap = (later: TargetedAutoscaler, earlier: TargetedAutoscaler) => {
    const known = overlaps.get(later);
    if (isBefore(earlier, later) && (known === undefined || isBefore(earlier, known))) overlaps.set(later, earlier);
  };
  for (const inNamespace of groupByNamespace(autoscalers).values()) {
    const candidatesOf = buildLabelIndex(inNamespace, ({ target }) => labelsOf(target));
    const selectedBy = new Map<string, readonly TargetedAutoscaler[]>();
    for (const autoscaler of inNamespace) {
      const selector = getValueAt(autoscaler.target, 'spec', 'selector');
      const key = JSON.stringify(selector ?? null);
      const known = selectedBy.get(key);
      const selected = known ?? candidatesOf(selector).filter((other) => selectsPodsOf(autoscaler, other));
      selectedBy.set(key, selected);
      // The first autoscaler with a selector already overlaps with all that it selects.
      if (!known) for (const other of selected) addOverlap(other, autoscaler);
      if (selected[0]) addOverlap(autoscaler, selected[0]);
    }
  }
  return overlaps;
}

/** Autoscalers that target a workload, before the one that is checked. */
interface EarlierAutoscalers {
  /** The first of them, and further ones. */
  readonly titles: string[];
  readonly count: number;
  readonly hasKeda: boolean;
  /** Bounds of the one with the lowest maximum, and of the one with the highest minimum. */
  readonly lowest?: ReplicaRange | undefined;
  readonly highest?: ReplicaRange | undefined;
}

/** Adds an autoscaler to those that target a workload. */
function addAutoscaler(
  { titles, count, hasKeda, lowest, highest }: EarlierAutoscalers,
  autoscaler: TargetedAutoscaler,
): EarlierAutoscalers {
  const bounds = scalingBoundsOf(autoscaler.object);
  if (titles.length < MAX_LISTED_NAMES) titles.push(autoscaler.title);
  return {
    titles,
    count: count + 1,
    hasKeda: hasKeda || autoscaler.object.kind === CONTEXT_KINDS.scaledObject.kind,
    lowest: bounds && (!lowest || bounds.maximum < lowest.maximum) ? bounds : lowest,
    highest: bounds && (!highest || bounds.minimum > highest.minimum) ? bounds : highest,
  };
}

/** Returns the finding about an autoscaler whose bounds exclude those of an earlier one. */
function checkBounds(
  { object, targetName: target }: TargetedAutoscaler,
  { lowest, highest }: EarlierAutoscalers,
  isKeda: boolean,
): Finding[] {
  const bounds = scalingBoundsOf(object);
  const other = [lowest, highest].find((one) => one && bounds && (one.maximum < bounds.minimum || bounds.maximum < one.minimum));
  if (!bounds || !other) return [];
  const { by: autoscaler, minimum, maximum } = bounds;
  const data = { autoscaler, minimum, maximum, other: other.by, otherMinimum: other.minimum, otherMaximum: other.maximum, target, isKeda };
  return [autoscalersConflict.createFinding('bounds-exclude', { path: SCALE_TARGET_PATH, severity: 'error', data })];
}

/** Reports autoscalers that control the same pods, each once, at the later one. */
function checkConflicts(autoscalers: readonly TargetedAutoscaler[], context: PlanContext): Finding[] {
  const own = new Set(context.objects);
  const byTarget = new Map<string, EarlierAutoscalers>();
  const overlaps = findOverlaps(autoscalers);
  return autoscalers.flatMap((autoscaler) => {
    const { object, title, targetName } = autoscaler;
    const key = toTargetKey(autoscaler);
    const same = byTarget.get(key) ?? { titles: [], count: 0, hasKeda: false };
    const all = addAutoscaler(same, autoscaler);
    byTarget.set(key, all);
    if (!own.has(object)) return [];
    if (same.count > 0) {
      const [excluded] = checkBounds(autoscaler, same, all.hasKeda);
      if (excluded) return [createFinding(excluded, object, context)];
      const others = same.titles.slice(0, same.count);
      const omitted = same.count - others.length;
      const data = { autoscaler: title, others, ...(omitted > 0 && { omitted }), target: targetName };
      const finding = autoscalersConflict.createFinding(all.hasKeda ? 'same-target-keda' : 'same-target', {
        path: SCALE_TARGET_PATH,
        data,
      });
      return [createFinding(finding, object, context)];
    }
    const overlapping = overlaps.get(autoscaler);
    if (!overlapping) return [];
    const isOwnSelector = selectsPodsOf(autoscaler, overlapping);
    const data = {
      autoscaler: title,
      others: [overlapping.title],
      target: isOwnSelector ? targetName : overlapping.targetName,
      otherTarget: isOwnSelector ? overlapping.targetName : targetName,
    };
    return [createFinding(autoscalersConflict.createFinding('same-pods', { path: SCALE_TARGET_PATH, data }), object, context)];
  });
}

/** A metric that targets the utilization of a resource of all containers, or of one. */
interface UtilizationMetric {
  readonly resource: string;
  readonly container?: string;
  readonly path: FieldPath;
}

/** The metric of a HorizontalPodAutoscaler without metrics: 80% of the requested cpu. Source: k/k autoscaling/v2 defaults, and the conversion of v1. */
const DEFAULT_METRIC: UtilizationMetric = { resource: 'cpu', path: toFieldPath`spec` };

/** Metrics of a HorizontalPodAutoscaler, and triggers of a ScaledObject, that target a utilization. */
function listUtilizationMetrics(object: Manifest): UtilizationMetric[] {
  if (object.kind === CONTEXT_KINDS.scaledObject.kind) {
    return getListAt(object, 'spec', 'triggers').flatMap((trigger, index): UtilizationMetric[] => {
      const { type, metricType = 'Utilization', metadata } = isFields(trigger) ? trigger : {};
      if ((type !== 'cpu' && type !== 'memory') || metricType !== 'Utilization') return [];
      const container = getValueAt(metadata, 'containerName');
      return [{ resource: type, ...(typeof container === 'string' && { container }), path: toFieldPath`spec.triggers[${index}]` }];
    });
  }
  if (object.apiVersion === 'autoscaling/v1') {
    const isSet = getValueAt(object, 'spec', 'targetCPUUtilizationPercentage') !== undefined;
    return [isSet ? { resource: 'cpu', path: toFieldPath`spec.targetCPUUtilizationPercentage` } : DEFAULT_METRIC];
  }
  if (getListAt(object, 'spec', 'metrics').length === 0) return [DEFAULT_METRIC];
  return getListAt(object, 'spec', 'metrics').flatMap((metric, index): UtilizationMetric[] => {
    const path = toFieldPath`spec.metrics[${index}]`;
    const type = getValueAt(metric, 'type');
    const source = type === 'Resource' ? 'resource' : type === 'ContainerResource' ? 'containerResource' : undefined;
    if (source === undefined || getValueAt(metric, source, 'target', 'type') !== 'Utilization') return [];
    const [resource, container] = [getValueAt(metric, source, 'name'), getValueAt(metric, source, 'container')];
    if (typeof resource !== 'string') return [];
    return [{ resource, ...(typeof container === 'string' && { container }), path }];
  });
}

/** Metrics of a HorizontalPodAutoscaler, and triggers of a ScaledObject, that are about one container, with any type of target. */
function listContainerMetrics(object: Manifest): Required<UtilizationMetric>[] {
  const isScaledObject = object.kind === CONTEXT_KINDS.scaledObject.kind;
  return getListAt(object, 'spec', isScaledObject ? 'triggers' : 'metrics').flatMap((metric, index) => {
    const type = getValueAt(metric, 'type');
    if (isScaledObject ? type !== 'cpu' && type !== 'memory' : type !== 'ContainerResource') return [];
    const resource = isScaledObject ? type : getValueAt(metric, 'containerResource', 'name');
    const container = isScaledObject
      ? getValueAt(metric, 'metadata', 'containerName')
      : getValueAt(metric, 'containerResource', 'container');
    if (typeof resource !== 'string' || typeof container !== 'string' || container === '') return [];
    return [{ resource, container, path: isScaledObject ? toFieldPath`spec.triggers[${index}]` : toFieldPath`spec.metrics[${index}]` }];
  });
}

/** Reports whether a LimitRange fills in a request that a container lacks. */
function isDefaulted(resource: string, namespace: string | undefined, context: PlanContext): boolean {
  return context
    .all(CONTEXT_KINDS.limitRange)
    .some(
      (limitRange) =>
        namespaceOf(limitRange) === namespace &&
        getListAt(limitRange, 'spec', 'limits').some(
          (limit) =>
            getValueAt(limit, 'type') === 'Container' &&
            ['defaultRequest', 'default'].some((field) => getValueAt(limit, field, resource) !== undefined),
        ),
    );
}

/** Containers whose requests count: all regular ones, and init containers that keep running. */
function listCountedContainers(podSpec: Fields): Fields[] {
  return [...getListAt(podSpec, 'containers'), ...listSidecars(podSpec)].filter(isFields);
}

function lacksRequest(container: Fields, resource: string): boolean {
  return ['requests', 'limits'].every((field) => getValueAt(container, 'resources', field, resource) === undefined);
}

/** Reports metrics about a container that the target does not have. Source: k/k podautoscaler/metrics/client.go, `getContainerMetrics`. */
function checkMissingContainers({ object, title, target, targetName }: TargetedAutoscaler, context: PlanContext): Finding[] {
  const containers = listCountedContainers(getFieldsAt(target, 'spec', 'template', 'spec')).map(({ name }) => toSafeText(name));
  const metrics = [...getListAt(object, 'spec', 'metrics'), ...getListAt(object, 'spec', 'triggers')];
  return listContainerMetrics(object).flatMap(({ resource, container, path }) => {
    if (containers.includes(toSafeText(container))) return [];
    const hasOtherMetrics = metrics.length > 1;
    const data = { autoscaler: title, target: targetName, resource, container: toSafeText(container), containers, hasOtherMetrics };
    return [createFinding(autoscalerBlind.createFinding('missing-container', { path, data }), object, context)];
  });
}

/** Reports autoscalers that compute no utilization because a container lacks the request, or is missing. */
function checkBlind(autoscalers: readonly TargetedAutoscaler[], context: PlanContext): Finding[] {
  const own = new Set(context.objects);
  return autoscalers.flatMap((autoscaler) => {
    const { object, title, target, targetName, namespace } = autoscaler;
    const podSpec = getFieldsAt(target, 'spec', 'template', 'spec');
    if (!own.has(object) || Object.keys(podSpec).length === 0) return [];
    const missing = checkMissingContainers(autoscaler, context);
    const hasPodRequests = isFields(getValueAt(podSpec, 'resources', 'requests')) || isFields(getValueAt(podSpec, 'resources', 'limits'));
    if (hasPodRequests) return missing;
    const metrics = listUtilizationMetrics(object);
    const all = [...getListAt(object, 'spec', 'metrics'), ...getListAt(object, 'spec', 'triggers')].length;
    const blind = metrics.flatMap(({ resource, container, path }) => {
      if (isDefaulted(resource, namespace, context)) return [];
      const counted = listCountedContainers(podSpec).filter((one) => container === undefined || one.name === container);
      const containers = counted.filter((one) => lacksRequest(one, resource)).map((one) => toSafeText(one.name));
      if (containers.length === 0) return [];
      const isDefault = metrics[0] === DEFAULT_METRIC;
      const data = { autoscaler: title, target: targetName, resource, containers, hasOtherMetrics: all > 1, isDefault };
      return [createFinding(autoscalerBlind.createFinding('missing-request', { path, data }), object, context)];
    });
    return [...missing, ...blind];
  });
}

/** Reports autoscalers that do not scale: several for the same pods, and those that cannot compute a utilization. */
export function checkAutoscalers(context: PlanContext): Finding[] {
  const autoscalers = listTargetedAutoscalers(context);
  return autoscalers.length === 0 ? [] : [...checkConflicts(autoscalers, context), ...checkBlind(autoscalers, context)];
}

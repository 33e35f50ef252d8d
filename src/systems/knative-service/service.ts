import type { ChangedObject } from '../../cluster/context/context';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getListAt, getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** A Service of Knative, read once. Its fields may have any type. */
export interface KnativeService {
  readonly object: Manifest;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Template of its Revisions. */
  readonly template: Fields;
  readonly podSpec: Fields;
  /** Percentage of the requests that the newest ready Revision gets. */
  readonly latestPercent: number;
  /** Whether traffic names the newest Revision at all. Without traffic it does. */
  readonly targetsLatest: boolean;
}

export const TEMPLATE_PATH: FieldPath = toFieldPath`spec.template`;
export const POD_PATH: FieldPath = toFieldPath`spec.template.spec`;
export const TRAFFIC_PATH: FieldPath = toFieldPath`spec.traffic`;

/** Reports whether an object is a Service of Knative, and not one of Kubernetes. */
export function isKnativeService(object: Manifest): boolean {
  return object.kind === 'Service' && groupOf(object) === 'serving.knative.dev';
}

/** Returns the targets of the traffic that a service sets. */
export function listTraffic(object: Manifest): readonly Fields[] {
  return getListAt(object, 'spec', 'traffic').filter(isFields);
}

/** Reports whether a target follows the newest ready Revision. */
function isLatest({ latestRevision, revisionName }: Fields): boolean {
  return latestRevision === true || ((latestRevision === undefined || latestRevision === null) && !revisionName);
}

/** Lists the Revisions that traffic names, also those without requests. The newest is undefined if the template does not name it. */
function listRoutedRevisions(service: Manifest): ReadonlySet<unknown> {
  const traffic = listTraffic(service);
  const newest = getValueAt(service, 'spec', 'template', 'metadata', 'name');
  return new Set((traffic.length === 0 ? [{}] : traffic).map((target: Fields) => (isLatest(target) ? newest : target.revisionName)));
}

/**
 * Reports whether traffic names other Revisions than before. Knative removes the pods of one that no traffic names, whatever its min-scale is,
 * and starts those of one that it names again.
 *
 * Source: knative/serving pkg/reconciler/labeler and pkg/reconciler/revision/resources/pa.go, `reachability`.
 */
export function hasOtherRoutedRevisions({ old, next }: ChangedObject): boolean {
  if (!old || !next || !isKnativeService(next.object)) return false;
  const [before, after] = [old, next].map(({ object }) => listRoutedRevisions(object)) as [ReadonlySet<unknown>, ReadonlySet<unknown>];
  return before.size !== after.size || [...before].some((name) => !after.has(name));
}

/** Name of a container that has none. */
const USER_CONTAINER = 'user-container';

/**
 * Names the containers of a pod that have no name.
 *
 * Source: knative/serving v0.51.0, pkg/apis/serving/v1/revision_defaults.go, `applyDefaultContainerNames`.
 */
function withContainerNames(podSpec: Fields): Fields {
  const { containers } = podSpec;
  if (!Array.isArray(containers) || !containers.some((container) => isFields(container) && !container.name)) return podSpec;
  const taken = new Set(containers.map((container) => getValueAt(container, 'name')));
  let suffix = 0;
  const pickName = (): string => {
    if (containers.length === 1) return USER_CONTAINER;
    let name: string;
    do name = `${USER_CONTAINER}-${suffix++}`;
    while (taken.has(name));
    return name;
  };
  return {
    ...podSpec,
    containers: containers.map((container: unknown) =>
      isFields(container) && !container.name ? { ...container, name: pickName() } : container,
    ),
  };
}

export function readKnativeService(object: Manifest): KnativeService {
  const template = getFieldsAt(object, 'spec', 'template');
  const traffic = listTraffic(object);
  const latest = traffic.filter(isLatest);
  const sum = latest.reduce((total, { percent }) => total + (isInt32(percent) ? percent : 0), 0);
  return {
    object,
    name: nameOf(object),
    namespace: namespaceOf(object),
    template,
    podSpec: withContainerNames(getFieldsAt(template, 'spec')),
    latestPercent: traffic.length === 0 ? 100 : Math.min(100, Math.max(0, sum)),
    targetsLatest: traffic.length === 0 || latest.length > 0,
  };
}

/** Returns the name that the service gives to its next Revision; undefined if Knative names it. */
export function revisionNameOf({ template }: KnativeService): string | undefined {
  const name = getValueAt(template, 'metadata', 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Returns an annotation of the Revisions, or of the service for what is set there. */
export function readRevisionAnnotation({ object, template }: KnativeService, name: string): unknown {
  return getValueAt(template, 'metadata', 'annotations', name) ?? getFieldsAt(object, 'metadata', 'annotations')[name];
}

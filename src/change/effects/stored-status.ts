import { memoizePerPlan } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, getListAt, getValueAt, isFields, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import type { ObjectComparison } from '../compare/object-comparison';

/** Kinds whose definitions in view have a subresource for the status in each version, by group and kind. */
const kindsWithStatus = memoizePerPlan(
  ({ objects }: PlanContext): ReadonlySet<string> =>
    new Set(
      objects.flatMap((object) => {
        if (kindKeyOf(object) !== 'apiextensions.k8s.io/CustomResourceDefinition') return [];
        const versions = getListAt(object, 'spec', 'versions');
        const hasStatus = versions.length > 0 && versions.every((version) => isFields(getValueAt(version, 'subresources', 'status')));
        const { group, names } = getFieldsAt(object, 'spec');
        return hasStatus ? [`${toSafeText(group)}/${toSafeText(getValueAt(names, 'kind'))}`] : [];
      }),
    ),
);

/** Returns the status that an object writes. An empty one is none. */
function statusOf({ status }: Manifest): unknown {
  return isFields(status) && Object.keys(status).length === 0 ? undefined : status;
}

/**
 * Reports whether two manifests of a custom resource write another status, which the API server stores like any field unless the definition has a
 * subresource for it. The status of a live object is that of its controller.
 */
export function mayStoreStatus({ old, next }: ObjectComparison, context: PlanContext): boolean {
  if (!old || old.isLive || isDeepEqual(statusOf(old.manifest), statusOf(next))) return false;
  return !kindsWithStatus(context).has(kindKeyOf(next));
}

import { parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { groupOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import type { ContextKind } from '../kinds/context-kinds';
import { checkIntOrPercent, checkFieldTypes } from '../rules/type-errors';
import { checkHpaWithoutTarget } from '../rules/hpa-without-target';
import { checkInvalidAutoscaler } from '../rules/invalid-autoscaler';
import { checkInvalidBudget } from '../rules/invalid-budget';
import { checkNonNegative } from '../rules/invalid-strategy';
import { checkScaledObject } from '../rules/scaled-object-refused';

/** Further checks by kind, for what a version of the API server refuses or what has no effect. */
const EXTRA_CHECKS: Partial<
  Readonly<Record<keyof typeof CONTEXT_KINDS, (object: Manifest, version: string, scaledWorkloads: readonly string[]) => Finding[]>>
> = {
  podDisruptionBudget: checkInvalidBudget,
  horizontalPodAutoscaler: (autoscaler, version, scaledWorkloads) => [
    ...checkInvalidAutoscaler(autoscaler, version),
    ...checkHpaWithoutTarget(autoscaler, scaledWorkloads),
  ],
  scaledObject: checkScaledObject,
};

function checkFields(object: Manifest, { schema, intOrPercentPaths = [], countPaths = [] }: ContextKind): Finding[] {
  const toCheckedValue = (path: FieldPath) => ({ path, value: getValueAt(object, ...parseFieldPath(path)) });
  return [
    ...(schema ? checkFieldTypes(object, schema) : []),
    ...intOrPercentPaths.flatMap((path) => checkIntOrPercent(toCheckedValue(path), 'at most 100%')),
    ...countPaths.flatMap((path) => checkNonNegative(toCheckedValue(path))),
  ];
}

function filterByKind(objects: readonly Manifest[], kind: ContextKind): Manifest[] {
  return objects.filter((object) => object.kind === kind.kind && groupOf(object) === kind.group);
}

/**
 * Reports what the API server refuses in budgets, autoscalers, quotas and claims, for fields that affect a rollout.
 *
 * @param scaledWorkloads - the kinds of apps/v1 that have a scale subresource
 */
export function checkContextObjects(context: PlanContext, scaledWorkloads: readonly string[]): Finding[] {
  return (Object.keys(CONTEXT_KINDS) as (keyof typeof CONTEXT_KINDS)[]).flatMap((name) =>
    filterByKind(context.objects, CONTEXT_KINDS[name]).flatMap((object) => {
      const extraFindings = EXTRA_CHECKS[name]?.(object, context.versions.kubernetes, scaledWorkloads) ?? [];
      return [...checkFields(object, CONTEXT_KINDS[name]), ...extraFindings].map((finding) => {
        const source = context.locate(object, finding.path);
        return source ? { ...finding, source } : finding;
      });
    }),
  );
}

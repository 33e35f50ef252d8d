import { fieldPathParts } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { groupOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import type { ContextKind } from './context-kinds';
import { intOrPercentFindings, typeFindings } from './refusals';
import { targetFindings } from './rules/hpa-without-target';
import { scaleRangeFindings } from './rules/invalid-autoscaler';
import { bothLimitsFindings } from './rules/invalid-budget';
import { negativeFindings } from './rules/invalid-strategy';

/** What else the API server of a version refuses, or what does nothing, by kind. */
const FURTHER: Partial<
  Readonly<Record<keyof typeof CONTEXT_KINDS, (object: Manifest, version: string, scaledWorkloads: readonly string[]) => Finding[]>>
> = {
  podDisruptionBudget: bothLimitsFindings,
  horizontalPodAutoscaler: (autoscaler, version, scaledWorkloads) => [
    ...scaleRangeFindings(autoscaler, version),
    ...targetFindings(autoscaler, scaledWorkloads),
  ],
};

function fieldFindings(object: Manifest, { schema, limits = [], counts = [] }: ContextKind): Finding[] {
  const judged = (path: FieldPath) => ({ path, value: valueAt(object, ...fieldPathParts(path)) });
  return [
    ...(schema ? typeFindings(object, schema) : []),
    ...limits.flatMap((path) => intOrPercentFindings(judged(path), 'at most 100%')),
    ...counts.flatMap((path) => negativeFindings(judged(path))),
  ];
}

function ofKind(objects: readonly Manifest[], kind: ContextKind): Manifest[] {
  return objects.filter((object) => object.kind === kind.kind && groupOf(object) === kind.group);
}

/**
 * What the API server refuses in budgets, autoscalers, quotas and claims, as far as they count for a rollout.
 *
 * @param scaledWorkloads - the kinds of apps/v1 that have a subresource scale
 */
export function contextFindings(context: PlanContext, scaledWorkloads: readonly string[]): Finding[] {
  return (Object.keys(CONTEXT_KINDS) as (keyof typeof CONTEXT_KINDS)[]).flatMap((name) =>
    ofKind(context.objects, CONTEXT_KINDS[name]).flatMap((object) => {
      const further = FURTHER[name]?.(object, context.versions.kubernetes, scaledWorkloads) ?? [];
      return [...fieldFindings(object, CONTEXT_KINDS[name]), ...further].map((finding) => {
        const source = context.locate(object, finding.path);
        return source ? { ...finding, source } : finding;
      });
    }),
  );
}

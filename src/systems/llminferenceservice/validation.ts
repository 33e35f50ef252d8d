import { checkIntOrPercent, checkFieldTypes } from '../../cluster/type-errors';
import { checkNonNegative } from '../../cluster/rules/invalid-strategy';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { checkUnknownField } from '../../core/rules/unknown-field';
import { INT32, INT_OR_PERCENT, MAP, METADATA, defineMap, requireNonNull } from '../../core/values/schema';
import type { LlmComponent } from './components';
import { defineStruct } from '../../workloads/pod/field';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { checkLlmNoStrategy } from './rules/llm-no-strategy';
import { checkLlmLimitsAtOneReplica } from './rules/llm-limits-at-one-replica';
import { checkLlmRouteGroup } from './rules/llm-route-group';
import { llmBehaviourOf } from './versions';

const STRATEGY = defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT });

const WORKLOAD = {
  replicas: INT32,
  template: defineStruct(POD_SPEC),
  worker: defineStruct(POD_SPEC),
  parallelism: MAP,
  rolloutStrategy: STRATEGY,
};

const OBJECT = defineMap({
  metadata: METADATA,
  spec: requireNonNull(defineMap({ ...WORKLOAD, prefill: defineMap(WORKLOAD), router: defineMap({ scheduler: MAP }) })),
});

/** Reports what the webhook and the CRD refuse in a workload's strategy, or a strategy that the version does not support. */
export function checkLlmStrategy(component: LlmComponent, version: string): Finding[] {
  if (component.name === 'scheduler') return [];
  if (!llmBehaviourOf(version).hasStrategy) return checkLlmNoStrategy(component, version);
  const path = toFieldPath`${component.path}.rolloutStrategy`;
  const limits = getFieldsAt(component.spec, 'rolloutStrategy');
  const limitErrors = (['maxSurge', 'maxUnavailable'] as const).flatMap((field) =>
    checkIntOrPercent({ path: toFieldPath`${path}.${field}`, value: limits[field] }, 'at most 100%'),
  );
  return [
    ...checkUnknownField(limits, path, ['maxSurge', 'maxUnavailable']),
    ...limitErrors,
    ...(limitErrors.length > 0 ? [] : checkLlmLimitsAtOneReplica(component, limits)),
  ];
}

/** Reports what is refused in a service, except its strategies. */
export function checkLlmObject(object: Manifest, components: readonly LlmComponent[]): Finding[] {
  return [
    ...checkFieldTypes(object, OBJECT),
    ...components.flatMap(({ spec, path }) => checkNonNegative({ path: toFieldPath`${path}.replicas`, value: spec.replicas })),
  ];
}

/** Reports everything that is refused or dropped in the rollout fields of a service. */
export function validateLlmService(object: Manifest, components: readonly LlmComponent[], version: string): Finding[] {
  return [
    ...checkLlmObject(object, components),
    ...checkLlmRouteGroup(object, version),
    ...components.flatMap((component) => checkLlmStrategy(component, version)),
  ];
}

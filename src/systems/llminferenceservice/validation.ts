import { intOrPercentFindings, typeFindings } from '../../cluster/refusals';
import { negativeFindings } from '../../cluster/rules/invalid-strategy';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { unknownFieldFindings } from '../../core/rules/unknown-field';
import { INT32, INT_OR_PERCENT, MAP, METADATA, map, needed } from '../../core/schema';
import type { LlmComponent } from './components';
import { struct } from '../../workloads/pod/field';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { noStrategyFindings } from './rules/llm-no-strategy';
import { oneReplicaFindings } from './rules/llm-limits-at-one-replica';
import { llmBehaviour } from './versions';

const STRATEGY = map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT });

const WORKLOAD = { replicas: INT32, template: struct(POD_SPEC), worker: struct(POD_SPEC), parallelism: MAP, rolloutStrategy: STRATEGY };

const OBJECT = map({ metadata: METADATA, spec: needed(map({ ...WORKLOAD, prefill: map(WORKLOAD), router: map({ scheduler: MAP }) })) });

/** What the webhook and the CRD refuse of a workload's strategy, or drop where the version has none. */
export function strategyFindings(component: LlmComponent, version: string): Finding[] {
  if (component.name === 'scheduler') return [];
  if (!llmBehaviour(version).hasStrategy) return noStrategyFindings(component, version);
  const path = at`${component.path}.rolloutStrategy`;
  const limits = fieldsAt(component.spec, 'rolloutStrategy');
  const judged = (['maxSurge', 'maxUnavailable'] as const).flatMap((field) =>
    intOrPercentFindings({ path: at`${path}.${field}`, value: limits[field] }, 'at most 100%'),
  );
  return [
    ...unknownFieldFindings(limits, path, ['maxSurge', 'maxUnavailable']),
    ...judged,
    ...(judged.length > 0 ? [] : oneReplicaFindings(component, limits)),
  ];
}

/** What is refused of a service beside its strategies. */
export function objectFindings(object: Manifest, components: readonly LlmComponent[]): Finding[] {
  return [
    ...typeFindings(object, OBJECT),
    ...components.flatMap(({ spec, path }) => negativeFindings({ path: at`${path}.replicas`, value: spec.replicas })),
  ];
}

/** Everything that is refused of a service as far as its rollouts go, and what is dropped. */
export function llmFindings(object: Manifest, components: readonly LlmComponent[], version: string): Finding[] {
  return [...objectFindings(object, components), ...components.flatMap((component) => strategyFindings(component, version))];
}

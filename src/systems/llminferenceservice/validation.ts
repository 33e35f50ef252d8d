import { checkIntOrPercent, checkFieldTypes } from '../../cluster/rules/type-errors';
import { checkNonNegative } from '../../cluster/rules/invalid-strategy';
import { appendToPath, toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { checkUnknownField } from '../../core/rules/unknown-field';
import { INT32, INT_OR_PERCENT, MAP, METADATA, defineMap, requireNonNull } from '../../core/values/schema';
import type { LlmComponent } from './components';
import { defineStruct } from '../../workloads/pod/field';
import { checkPodFieldNames } from '../../workloads/pod/field-names';
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
function checkLlmStrategy(component: LlmComponent, version: string): Finding[] {
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

/** All fields of a workload, except those of the entire service. Source: the CRD of KServe v0.20.0, v1alpha1 and v1alpha2. */
const WORKLOAD_FIELDS = [...Object.keys(WORKLOAD), 'annotations', 'kvCacheOffloading', 'labels', 'scaling'];

const SERVICE_FIELDS = [...WORKLOAD_FIELDS, 'baseRefs', 'model', 'prefill', 'router', 'storageInitializer', 'tracing'];

/** Path of a map below a component, and the names of its fields. */
type KnownMap = readonly [keys: readonly string[], fields: readonly string[]];

const KNOWN_FIELDS: Readonly<Record<LlmComponent['name'], readonly string[]>> = {
  workload: SERVICE_FIELDS,
  decode: SERVICE_FIELDS,
  prefill: WORKLOAD_FIELDS,
  scheduler: ['annotations', 'config', 'labels', 'pool', 'replicas', 'template'],
};

/** All fields of the maps in a workload, by the path of the map. Source: as of a workload. */
const FIELDS_IN_WORKLOAD: readonly KnownMap[] = [
  [['parallelism'], ['data', 'dataLocal', 'dataRPCPort', 'expert', 'pipeline', 'tensor']],
  [['scaling'], ['maxReplicas', 'minReplicas', 'wva']],
];

/** All fields of the maps in the entire service, by the path of the map. Source: as of a workload. */
const FIELDS_IN_SERVICE: readonly KnownMap[] = [
  ...FIELDS_IN_WORKLOAD,
  [['model'], ['confidential', 'criticality', 'lora', 'name', 'uri']],
  [['router'], ['gateway', 'ingress', 'route', 'scheduler']],
  [['router', 'gateway'], ['refs']],
  [['router', 'ingress'], ['refs']],
  [
    ['router', 'route'],
    ['group', 'http', 'weight'],
  ],
  [
    ['router', 'route', 'http'],
    ['refs', 'spec'],
  ],
];

const KNOWN_MAPS: Readonly<Record<LlmComponent['name'], readonly KnownMap[]>> = {
  workload: FIELDS_IN_SERVICE,
  decode: FIELDS_IN_SERVICE,
  prefill: FIELDS_IN_WORKLOAD,
  scheduler: [[['pool'], ['ref', 'spec']]],
};

/** Reports the misspelled fields of a component. A field that is like no known one may be of a later version. */
export function checkLlmFields({ name, spec, path }: LlmComponent): Finding[] {
  const nested = KNOWN_MAPS[name].flatMap(([keys, fields]) =>
    checkUnknownField(getFieldsAt(spec, ...keys), appendToPath(toFieldPath`${path}`, ...keys), fields),
  );
  return [
    ...[...checkUnknownField(spec, path, KNOWN_FIELDS[name]), ...nested].filter(({ data }) => data.nearest !== undefined),
    ...(['template', 'worker'] as const).flatMap((field) => checkPodFieldNames(getValueAt(spec, field), toFieldPath`${path}.${field}`)),
  ];
}

/** Reports the fields of a component that are dropped, and a strategy that is refused. */
export function checkLlmComponent(component: LlmComponent, version: string): Finding[] {
  return [...checkLlmFields(component), ...checkLlmStrategy(component, version)];
}

/** Reports everything that is refused or dropped in the rollout fields of a service. */
export function validateLlmService(object: Manifest, components: readonly LlmComponent[], version: string): Finding[] {
  return [
    ...checkLlmObject(object, components),
    ...checkLlmRouteGroup(object, version),
    ...components.flatMap((component) => checkLlmComponent(component, version)),
  ];
}

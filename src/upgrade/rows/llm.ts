import { isDeepEqual } from '../../core/collections/deep-equal';
import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import type { FieldChange } from '../../core/document/change';
import { getFieldsAt, getListAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { getValueAtVersion, isAtLeast } from '../../core/values/versions';
import { KSERVE_NAMESPACE } from '../../systems/kserve/platform-config';
import { isLlmServiceStopped, listLlmComponents } from '../../systems/llminferenceservice/components';
import type { LlmComponent } from '../../systems/llminferenceservice/components';
import type { RowMatch, UpgradeRow, UpgradeSides } from '../upgrade-row';

/*
 * Differences between the workloads that versions of KServe write for the same LLMInferenceService. Most come from the presets that its
 * chart installs. Source: KServe v0.16.0 to v0.20.0, config/llmisvcconfig/*.yaml and
 * pkg/controller/v1alpha2/llmisvc/config_merge.go. 0.16.0, 0.17.0, 0.19.0 and 0.20.0 were run (`oracle/llmisvc/upgrades.go`).
 */

/** First version with LLMInferenceServices. */
const FIRST_VERSION = '0.16';

/** A preset of one version: its main image, and the other parts that differ from the version before. */
interface Preset {
  readonly image: string;
  readonly fields: readonly string[];
  /** Annotation of the pods. @default - none */
  readonly annotation?: string;
}

type PresetHistory = readonly (readonly [since: string, preset: Preset])[];

const MODEL_SERVER: PresetHistory = [
  ['0', { image: 'ghcr.io/llm-d/llm-d-dev:v0.2.2', fields: [] }],
  ['0.17', { image: 'ghcr.io/llm-d/llm-d-cuda:v0.4.0', fields: ['startupProbe', 'livenessProbe', 'readinessProbe', 'args'] }],
  ['0.18', { image: 'ghcr.io/llm-d/llm-d-cuda:v0.6.0', fields: ['command', 'args'] }],
  ['0.19', { image: 'ghcr.io/llm-d/llm-d-cuda:v0.6.0', fields: ['lifecycle.preStop', 'args'] }],
  ['0.20', { image: 'ghcr.io/llm-d/llm-d-cuda:v0.8.0', fields: ['readinessProbe', 'securityContext.readOnlyRootFilesystem', 'args'] }],
];

const SCHEDULER: PresetHistory = [
  ['0', { image: 'ghcr.io/llm-d/llm-d-inference-scheduler:v0.2.0', fields: [] }],
  ['0.17', { image: 'ghcr.io/llm-d/llm-d-inference-scheduler:v0.4.0', fields: ['args', 'ports', 'livenessProbe', 'readinessProbe'] }],
  ['0.18', { image: 'ghcr.io/llm-d/llm-d-inference-scheduler:v0.7.1', fields: ['command', 'args', 'env', 'volumeMounts'] }],
  ['0.19', { image: 'ghcr.io/llm-d/llm-d-inference-scheduler:v0.7.1', fields: [], annotation: 'app.kubernetes.io/version' }],
  ['0.20', { image: 'ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.9.0', fields: ['lifecycle', 'resources'] }],
];

/** Versions in which the preset of the scheduler has the tokenizer as a second container. */
const TOKENIZER_SIDECAR = [
  ['0', false],
  ['0.18', true],
  ['0.20', false],
] as const;

/** Reports whether an object is a preset. KServe merges those with well-known names, and those of `baseRefs`, into LLMInferenceServices. */
export function isLlmPreset(object: Manifest): boolean {
  return object.kind === 'LLMInferenceServiceConfig' && groupOf(object) === 'serving.kserve.io';
}

function isLlmService(object: Manifest): boolean {
  return object.kind === 'LLMInferenceService' && groupOf(object) === 'serving.kserve.io';
}

/** Returns the name of the preset of a component, without its prefix. Undefined if KServe ships none for it. */
function presetNameOf({ name, groupSize, spec }: LlmComponent): string | undefined {
  if (name === 'scheduler') return 'config-llm-scheduler';
  const role = name === 'workload' ? '' : `${name}-`;
  if (groupSize === undefined) return `config-llm-${role}template`;
  const { data, dataLocal } = getFieldsAt(spec, 'parallelism');
  return data !== undefined || dataLocal !== undefined ? `config-llm-${role}worker-data-parallel` : undefined;
}

const DEFAULT_PREFIX = 'kserve-';
const PIN_PREFIX = 'serving.kserve.io/';

/** Returns the name of the preset that a service is pinned to, or the default one. KServe pins names since 0.17. */
function resolvePresetName(object: Manifest, suffix: string): string {
  const pinned = getFieldsAt(object, 'status', 'annotations')[`${PIN_PREFIX}${suffix}`];
  return typeof pinned === 'string' && pinned !== '' ? pinned : `${DEFAULT_PREFIX}${suffix}`;
}

/** Returns the presets in view, by namespace and name. */
const presetsOf = memoizePerPlan(
  ({ objects }): ReadonlyMap<string, Manifest> =>
    new Map(objects.filter(isLlmPreset).map((object) => [`${namespaceOf(object) ?? ''}/${nameOf(object)}`, object])),
);

/** Returns a preset in view: in the namespace of the service, else in that of KServe. A file may name no namespace. */
function findPreset(context: PlanContext, name: string, namespace = ''): Manifest | undefined {
  const presets = presetsOf(context);
  return presets.get(`${namespace}/${name}`) ?? presets.get(`${KSERVE_NAMESPACE}/${name}`) ?? presets.get(`/${name}`);
}

/** Returns the fields of the pods that the presets of the chart write differently. */
function comparePresets({ name, template }: LlmComponent, { from, to }: UpgradeSides): FieldChange[] {
  const history = name === 'scheduler' ? SCHEDULER : MODEL_SERVER;
  const [before, after] = [getValueAtVersion(history, from), getValueAtVersion(history, to)];
  const main = getListAt(template, 'containers').find((one) => getValueAt(one, 'name') === 'main');
  const prefix = 'spec.template.spec.containers[main]';
  const image: FieldChange[] =
    before.image === after.image || getValueAt(main, 'image') !== undefined
      ? []
      : [{ path: `${prefix}.image`, old: before.image, new: after.image }];
  const crossed = history.filter(([since]) => since !== '0' && !isAtLeast(from, since) && isAtLeast(to, since));
  const fields = new Set(crossed.flatMap(([, preset]) => preset.fields));
  const [wasSidecar, isSidecar] = [from, to].map((version) => getValueAtVersion(TOKENIZER_SIDECAR, version));
  return [
    ...image,
    ...[...fields].map((field) => ({ path: `${prefix}.${field}` })),
    ...crossed.flatMap(([, { annotation }]) =>
      annotation === undefined ? [] : [{ path: `spec.template.metadata.annotations[${annotation}]` }],
    ),
    ...(name !== 'scheduler' && !isAtLeast(from, '0.19') && isAtLeast(to, '0.19')
      ? [{ path: 'spec.template.spec.terminationGracePeriodSeconds', old: 30, new: 60 }]
      : []),
    ...(name === 'scheduler' && wasSidecar !== isSidecar ? [{ path: 'spec.template.spec.containers[tokenizer]' }] : []),
  ];
}

/** Compares the presets of a component: those given for both versions, else those of the chart. */
function matchPreset(object: Manifest, component: LlmComponent, sides: UpgradeSides): readonly RowMatch[] {
  const suffix = presetNameOf(component);
  if (suffix === undefined) return [];
  const name = resolvePresetName(object, suffix);
  const [was, is] = [sides.old, sides.next].map((context) => findPreset(context, name, namespaceOf(object)));
  if (was && is && was !== is) {
    return isDeepEqual(was.spec, is.spec) ? [] : [{ component: component.name, fields: [{ path: `spec (from ${name})` }] }];
  }
  // A preset under another name stays as it is until someone changes it.
  if (name !== `${DEFAULT_PREFIX}${suffix}`) return [];
  const fields = comparePresets(component, sides);
  return fields.length === 0 ? [] : [{ component: component.name, fields }];
}

/** Returns the part of a preset that a component is made of. */
function presetPartOf(preset: Manifest, { name }: LlmComponent): unknown {
  const { prefill, router, ...workload } = getFieldsAt(preset, 'spec');
  if (name === 'prefill') return prefill;
  return name === 'scheduler' ? getValueAt(router, 'scheduler') : workload;
}

/** Compares the presets that a service names itself, if they were given for both versions. */
function matchBaseRefs(object: Manifest, component: LlmComponent, sides: UpgradeSides): readonly RowMatch[] {
  const names = getListAt(object, 'spec', 'baseRefs').flatMap((ref) => {
    const name = getValueAt(ref, 'name');
    return typeof name === 'string' ? [name] : [];
  });
  const changed = names.filter((name) => {
    const [was, is] = [sides.old, sides.next].map((context) => findPreset(context, name, namespaceOf(object)));
    return was && is && was !== is && !isDeepEqual(presetPartOf(was, component), presetPartOf(is, component));
  });
  return changed.map((name) => ({ component: component.name, fields: [{ path: `spec (from ${name})` }] }));
}

/** Returns what the changed presets write differently for each component of a service. */
function matchPresets(object: Manifest, sides: UpgradeSides): readonly RowMatch[] {
  if (!isLlmService(object) || isLlmServiceStopped(object) || !isAtLeast(sides.from, FIRST_VERSION)) return [];
  return listLlmComponents(object).flatMap((component) => [
    ...matchPreset(object, component, sides),
    ...matchBaseRefs(object, component, sides),
  ]);
}

const presets: UpgradeRow = {
  id: 'llm-presets',
  effect: 'roll',
  message: ({ to }) =>
    `The presets kserve-config-llm-* of KServe ${to} differ, and KServe merges them into every LLMInferenceService again, also under the names that a service is pinned to.`,
  match: matchPresets,
};

/**
 * Returns the components that KServe writes for another reason. It ignores labels and annotations that it leaves out when it compares.
 *
 * Source: KServe v0.20.0, workload_single_node.go, `semanticDeploymentIsEqual`: `DeepDerivative` ignores what the new side lacks.
 */
function listWrittenComponents(object: Manifest, sides: UpgradeSides): ReadonlySet<string | undefined> {
  return new Set(matchPresets(object, sides).map(({ component }) => component));
}

const routingAnnotation: UpgradeRow = {
  id: 'llm-routing-annotation',
  since: '0.20',
  effect: 'roll',
  message: 'KServe 0.20 leaves the annotation serving.kserve.io/model-based-routing-enabled out of the pod templates.',
  match: (object, sides) => {
    const annotation = 'serving.kserve.io/model-based-routing-enabled';
    const value = isLlmService(object) ? getValueAt(object, 'spec', 'annotations', annotation) : undefined;
    if (value === undefined) return [];
    const written = listWrittenComponents(object, sides);
    return listLlmComponents(object)
      .filter(({ name }) => name !== 'scheduler' && written.has(name))
      .map(({ name }) => ({ component: name, fields: [{ path: `spec.template.metadata.annotations[${annotation}]`, old: value }] }));
  },
};

/** First version that adds spec.labels to the pods. */
const FIRST_WITH_LABELS = '0.17';

/**
 * Leaves spec.labels out of the prefill pods. The labels of its Deployment's pods and its selector are one map, so the selector changes.
 *
 * Source: KServe v0.19.0 and v0.20.0, workload_single_node.go, `propagateDeploymentMetadata` and `expectedPrefillMainDeployment`.
 */
const prefillSelector: UpgradeRow = {
  id: 'llm-prefill-selector',
  since: '0.20',
  effect: 'roll',
  message:
    'KServe 0.20 leaves spec.labels out of the selector of the prefill Deployment. The API server refuses another selector, so prefill and scheduler keep their pods and the service reports an error until that Deployment is deleted.',
  match: (object, sides) => {
    if (!isLlmService(object) || !isAtLeast(sides.from, FIRST_WITH_LABELS)) return [];
    const components = listLlmComponents(object);
    const prefill = components.find(({ name, groupSize }) => name === 'prefill' && groupSize === undefined);
    const written = listWrittenComponents(object, sides);
    if (!prefill || !written.has('prefill')) return [];
    const own = getFieldsAt(prefill.spec, 'labels');
    const removed = Object.entries(getFieldsAt(object, 'spec', 'labels')).filter(([label]) => own[label] === undefined);
    if (removed.length === 0) return [];
    const fields = removed.map(([label, old]) => ({ path: `spec.selector.matchLabels[${label}]`, old }));
    // The scheduler is reconciled after the workloads.
    return components
      .filter(({ name }) => (name === 'prefill' || name === 'scheduler') && written.has(name))
      .map(({ name }) => ({ component: name, fields, heldUntil: 'the prefill Deployment is deleted' }));
  },
};

/** Differences between versions of KServe for LLMInferenceServices. */
export const LLM_ROWS: readonly UpgradeRow[] = [presets, routingAnnotation, prefillSelector];

import type { ConfigKind, ConfigReference } from '../../core/document/change';
import { REFERENCE_FIELDS } from '../../cluster/pods/config-reference-fields';
import { explainNotPlanned } from '../../cluster/kinds/unplanned-kinds';
import { addToGroup, groupBy } from '../../core/collections/group-by';
import { isFields, getFieldsAt, getListAt, getOwnValue, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { isUnknownKind } from './config-only-kinds';
import { isConfigExpression, listConfigsNamedToReloader, matchesConfigName } from './reloader';
import { toSafeText } from '../../core/text/value-text';

function isConfigKind(kind: string): kind is ConfigKind {
  return kind === 'ConfigMap' || kind === 'Secret';
}

function configKeyOf(namespace: string | undefined, kind: string, name: unknown): string {
  return `${namespace ?? ''}\u0000${kind}\u0000${toSafeText(name)}`;
}

/** A workload and how its pods read a configuration. */
export interface ConfigConsumer {
  readonly object: Manifest;
  /** Empty if its annotations name the configuration to Reloader, and its pods do not read it. */
  readonly reads: Set<ConfigReference>;
}

/** Returns the components of an InferenceService. They are pod specs, and may have a model instead of containers. */
function listComponents(object: Manifest): unknown[] {
  return ['predictor', 'transformer', 'explainer'].map((component) => getValueAt(object, 'spec', component)).filter(isFields);
}

/** Levels at which a pod spec may be in an object. Those of all known kinds are within 8. */
const MAX_DEPTH = 12;

/** Returns the variables that KubeRay makes of credentials in the spec of a cluster. */
function listRayVariables(spec: unknown): unknown[] {
  const { redisUsername, redisPassword } = getFieldsAt(spec, 'gcsFaultToleranceOptions');
  const name = getValueAt(spec, 'authOptions', 'secretName');
  const token = typeof name === 'string' ? { valueFrom: { secretKeyRef: { name } } } : undefined;
  return [redisUsername, redisPassword, token].filter(isFields);
}

function visitPodSpecs(value: unknown, depth: number, found: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (isFields(value) && Array.isArray(value.containers)) {
    found.add(value);
    return;
  }
  // Some kinds have a container, or its variables, without a pod spec: a step of a workflow, the driver of a SparkApplication.
  if (isFields(value) && (Array.isArray(value.env) || Array.isArray(value.envFrom))) found.add({ containers: [value] });
  if (isFields(value) && Array.isArray(value.volumes)) found.add({ volumes: value.volumes });
  const variables = listRayVariables(value);
  if (variables.length > 0) found.add({ containers: [{ env: variables }] });
  for (const inner of Object.values(value)) visitPodSpecs(inner, depth + 1, found);
}

type RecordUse = (kind: ConfigKind, name: unknown, use: ConfigReference) => void;

/** Fields of custom resources that list ConfigMaps or Secrets, which their operators mount: `configMaps` of Prometheus, or of the driver of Spark. */
const LISTS: Readonly<Record<string, ConfigKind>> = { configMaps: 'ConfigMap', secrets: 'Secret' };

/** A field with the name of a ConfigMap: `sparkConfigMap`, `configMapName`. */
const CONFIG_MAP_NAME = /^(?:\w+C|c)onfigMap(?:Name)?$/;

/** Records what the fields of a custom resource name outside of pod specs. */
function recordNamedConfigs(value: unknown, recordUse: RecordUse, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(value)) {
    const kind = getOwnValue(LISTS, name);
    if (kind && Array.isArray(inner)) for (const item of inner) recordUse(kind, isFields(item) ? item.name : item, 'volume');
    if (typeof inner === 'string' && CONFIG_MAP_NAME.test(name)) recordUse('ConfigMap', inner, 'volume');
    if (name === 'envSecretKeyRefs' && isFields(inner))
      for (const reference of Object.values(inner)) recordUse('Secret', getValueAt(reference, 'name'), 'env');
    recordNamedConfigs(inner, recordUse, depth + 1);
  }
}

/** Returns the pod specs of an object of any kind. */
export function findPodSpecs(object: Manifest): readonly unknown[] {
  const found = new Set(listComponents(object));
  visitPodSpecs(object.spec, 0, found);
  return [...found];
}

/** Serving runtimes run no pods themselves. The pods of an InferenceService that uses one read what it names. */
const TEMPLATE_KINDS: ReadonlySet<string> = new Set(['ServingRuntime', 'ClusterServingRuntime']);

export function containersOf(podSpec: unknown): unknown[] {
  return [...getListAt(podSpec, 'initContainers'), ...getListAt(podSpec, 'containers'), getValueAt(podSpec, 'model')].filter(isFields);
}

function recordContainerUses(podSpec: unknown, recordUse: RecordUse): void {
  for (const container of containersOf(podSpec)) {
    for (const kind of ['ConfigMap', 'Secret'] as const) {
      for (const variable of getListAt(container, 'env'))
        recordUse(kind, getValueAt(variable, 'valueFrom', REFERENCE_FIELDS[kind].env, 'name'), 'env');
      for (const source of getListAt(container, 'envFrom'))
        recordUse(kind, getValueAt(source, REFERENCE_FIELDS[kind].envFrom, 'name'), 'envFrom');
    }
  }
}

/** Lists how a volume with these mounts is mounted. It counts as mounted by subPath too if any container does so: that part is never updated. */
function listVolumeUses(mounts: readonly unknown[]): ConfigReference[] {
  const isPartial = (mount: unknown) => Boolean(getValueAt(mount, 'subPath')) || Boolean(getValueAt(mount, 'subPathExpr'));
  const uses: ConfigReference[] = [];
  if (mounts.some(isPartial)) uses.push('subPath');
  if (mounts.length === 0 || mounts.some((mount) => !isPartial(mount))) uses.push('volume');
  return uses;
}

function recordVolumeUses(podSpec: unknown, recordUse: RecordUse): void {
  const mountsByName = groupBy(
    containersOf(podSpec).flatMap((container) => getListAt(container, 'volumeMounts')),
    (mount) => getValueAt(mount, 'name'),
  );
  for (const volume of getListAt(podSpec, 'volumes')) {
    for (const use of listVolumeUses(mountsByName.get(getValueAt(volume, 'name')) ?? [])) {
      for (const kind of ['ConfigMap', 'Secret'] as const) {
        const { volume: field, name } = REFERENCE_FIELDS[kind];
        recordUse(kind, getValueAt(volume, field, name), use);
        for (const source of getListAt(volume, 'projected', 'sources')) recordUse(kind, getValueAt(source, field, 'name'), use);
      }
    }
  }
}

/** An object whose annotations name configurations to Reloader by an expression. */
interface ExpressionConsumer {
  readonly object: Manifest;
  readonly value: string;
}

interface ConsumerIndex {
  readonly byConfig: ReadonlyMap<string, ReadonlyMap<Manifest, Set<ConfigReference>>>;
  /** By the key of a configuration without a name. */
  readonly byExpression: ReadonlyMap<string, readonly ExpressionConsumer[]>;
}

function indexConsumers(objects: readonly Manifest[], holderOf: TemplateHolderLookup): ConsumerIndex {
  const byExpression = new Map<string, ExpressionConsumer[]>();
  const byConfig = new Map<string, Map<Manifest, Set<ConfigReference>>>();
  const consumersOfConfig = (object: Manifest, kind: ConfigKind, name: string) => {
    const key = configKeyOf(namespaceOf(object), kind, name);
    const consumers = byConfig.get(key) ?? new Map<Manifest, Set<ConfigReference>>();
    byConfig.set(key, consumers);
    const uses = consumers.get(object) ?? new Set<ConfigReference>();
    consumers.set(object, uses);
    return uses;
  };
  for (const object of objects) {
    if (TEMPLATE_KINDS.has(object.kind)) continue;
    const recordUse: RecordUse = (kind, name, use) => {
      if (typeof name !== 'string' || name === '') return;
      consumersOfConfig(object, kind, name).add(use);
    };
    const holder = holderOf(object);
    for (const podSpec of [...findPodSpecs(object), ...(holder ? findPodSpecs(holder) : [])]) {
      recordContainerUses(podSpec, recordUse);
      recordVolumeUses(podSpec, recordUse);
    }
    if (isUnknownKind(object) || explainNotPlanned(object) !== undefined) recordNamedConfigs(object.spec, recordUse);
    for (const { kind, name } of listConfigsNamedToReloader(object)) {
      if (isConfigExpression(name)) addToGroup(byExpression, configKeyOf(namespaceOf(object), kind, ''), { object, value: name });
      else consumersOfConfig(object, kind, name);
    }
  }
  return { byConfig, byExpression };
}

/** Returns the object that provides the pod template of another, if there is one. */
type TemplateHolderLookup = (object: Manifest) => Manifest | undefined;

/** An index of the objects whose pods read each ConfigMap and Secret. It is built once it is needed. */
export class ConfigConsumers {
  private index: ConsumerIndex | undefined;

  constructor(
    private readonly objects: readonly Manifest[],
    private readonly holderOf: TemplateHolderLookup = () => undefined,
  ) {}

  /** Returns the objects whose pods read a ConfigMap or Secret, in their order. */
  consumersOf(config: Manifest): ConfigConsumer[] {
    if (!isConfigKind(config.kind)) return [];
    this.index ??= indexConsumers(this.objects, this.holderOf);
    const keyOf = (name: string) => configKeyOf(namespaceOf(config), config.kind, name);
    const consumers = new Map(this.index.byConfig.get(keyOf(nameOf(config))));
    for (const { object, value } of this.index.byExpression.get(keyOf('')) ?? [])
      if (!consumers.has(object) && matchesConfigName(value, nameOf(config))) consumers.set(object, new Set());
    return [...consumers].map(([object, reads]) => ({ object, reads }));
  }
}

/** Reports whether an object is a ConfigMap or Secret of the core group. */
export function isConfigObject({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && isConfigKind(kind);
}

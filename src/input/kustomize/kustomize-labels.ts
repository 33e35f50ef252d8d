import { getFieldsAt, groupOf, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** Labels that a kustomization adds to the objects it includes, by where they are added, and its annotations. */
export interface AddedLabels {
  /** Labels for selectors: `commonLabels`, and `labels` with `includeSelectors`. They are added to pod templates too. */
  readonly selectors: Fields;
  /** Labels for pod templates: those for selectors, and `labels` with `includeTemplates`. */
  readonly templates: Fields;
  /** Labels for the object: all of them. */
  readonly objects: Fields;
  /** Annotations for objects and their pod templates: `commonAnnotations`. */
  readonly annotations: Fields;
}

/** Stands for each item of a list, which kustomize does not create. */
const EACH_ITEM = '*';

/** A map in objects of some kinds to which kustomize adds labels or annotations. A list on the way stands for each of its items. */
interface LabelPath {
  readonly kind: string;
  /** @default - any group */
  readonly group?: string;
  /** @default - any version */
  readonly version?: string;
  readonly path: readonly string[];
  /** Whether kustomize adds a missing map. */
  readonly creates: boolean;
}

/** Objects of a kind. */
type Target = Omit<LabelPath, 'path' | 'creates'>;

function toPaths(targets: readonly Target[], creates: boolean, ...paths: readonly string[]): LabelPath[] {
  return targets.flatMap((target) => paths.map((path) => ({ ...target, creates, path: path.split('/') })));
}

const DEPLOYMENT: Target = { kind: 'Deployment' };
const REPLICA_SET: Target = { kind: 'ReplicaSet' };
const DAEMON_SET: Target = { kind: 'DaemonSet' };
const STATEFUL_SET: Target = { kind: 'StatefulSet', group: 'apps' };
const CONTROLLER: Target = { kind: 'ReplicationController', version: 'v1' };
const JOB: Target = { kind: 'Job', group: 'batch' };
const CRON_JOB: Target = { kind: 'CronJob', group: 'batch' };
const NETWORK_POLICY: Target = { kind: 'NetworkPolicy', group: 'networking.k8s.io' };

const AFFINITIES: readonly string[] = ['podAffinity', 'podAntiAffinity'].flatMap((name) => [
  `spec/template/spec/affinity/${name}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `spec/template/spec/affinity/${name}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);

/** Selectors, to which the labels for selectors are added. Source: kustomize api v0.21.1, builtinpluginconsts/commonlabels.go. */
const SELECTORS: readonly LabelPath[] = [
  ...toPaths([{ kind: 'Service', version: 'v1' }, CONTROLLER], true, 'spec/selector'),
  ...toPaths([DEPLOYMENT, REPLICA_SET, DAEMON_SET, STATEFUL_SET], true, 'spec/selector/matchLabels'),
  ...toPaths(
    [{ ...DEPLOYMENT, group: 'apps' }, STATEFUL_SET],
    false,
    ...AFFINITIES,
    'spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels',
  ),
  ...toPaths([JOB, { kind: 'PodDisruptionBudget', group: 'policy' }], false, 'spec/selector/matchLabels'),
  ...toPaths([CRON_JOB], false, 'spec/jobTemplate/spec/selector/matchLabels'),
  ...toPaths(
    [NETWORK_POLICY],
    false,
    'spec/podSelector/matchLabels',
    'spec/ingress/from/podSelector/matchLabels',
    'spec/egress/to/podSelector/matchLabels',
  ),
];

const CRON_JOB_TEMPLATES: readonly string[] = ['spec/jobTemplate/metadata', 'spec/jobTemplate/spec/template/metadata'];

/** Metadata of templates, to whose annotations those of the object are added. Source: kustomize api v0.21.1, builtinpluginconsts/commonannotations.go. */
const ANNOTATED: readonly LabelPath[] = [
  ...toPaths([CONTROLLER, DEPLOYMENT, REPLICA_SET, DAEMON_SET, { kind: 'StatefulSet' }, JOB], true, 'spec/template/metadata'),
  ...toPaths([CRON_JOB], true, ...CRON_JOB_TEMPLATES),
];

/**
 * Metadata of templates, to whose labels those for templates are added. Kustomize creates no list of claims.
 * Source: kustomize api v0.21.1, builtinpluginconsts/metadatalabels.go.
 */
const LABELED: readonly LabelPath[] = [
  ...ANNOTATED.map((each) => (each.kind === 'StatefulSet' ? { ...each, group: 'apps' } : each)),
  ...toPaths([STATEFUL_SET], true, 'spec/volumeClaimTemplates/*/metadata'),
];

/** Maximum number of labels and of annotations, more than any real kustomization has. Beyond it none is added, because each object would contain them all. */
const MAX_LABELS = 100;

const NO_LABELS: AddedLabels = { selectors: {}, templates: {}, objects: {}, annotations: {} };

function countLabels(labels: Fields): number {
  return Object.keys(labels).length;
}

/** Reports whether labels or annotations exceed the maximum. */
export function hasTooManyLabels({ objects, annotations }: AddedLabels): boolean {
  return countLabels(objects) > MAX_LABELS || countLabels(annotations) > MAX_LABELS;
}

/** Returns the texts of a map. Go reads null as an empty text. Another value fails the build of kustomize, which says so itself. */
function getStringPairs(object: unknown, field: string): Fields {
  const texts = Object.entries(getFieldsAt(object, field)).map(([name, value]) => [name, value ?? ''] as const);
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'));
}

/** Returns labels with the values that later ones of the same names have. */
function replaceValues(labels: Fields, later: Fields): Fields {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, Object.hasOwn(later, name) ? later[name] : value]));
}

/**
 * The labels of both; what kustomize adds later wins, for it replaces what is there. A label that kustomize has added to several places is one value
 * in its memory, so a later label for objects alone replaces it in selectors too.
 */
export function mergeAddedLabels(first: AddedLabels, later: AddedLabels): AddedLabels {
  return {
    selectors: { ...replaceValues(first.selectors, later.objects), ...later.selectors },
    templates: { ...replaceValues(first.templates, later.objects), ...later.templates },
    objects: { ...first.objects, ...later.objects },
    annotations: { ...first.annotations, ...later.annotations },
  };
}

function parseLabelsEntry(entry: unknown): AddedLabels {
  const pairs = getStringPairs(entry, 'pairs');
  const inSelectors = getValueAt(entry, 'includeSelectors') === true;
  const inTemplates = inSelectors || getValueAt(entry, 'includeTemplates') === true;
  return { selectors: inSelectors ? pairs : {}, templates: inTemplates ? pairs : {}, objects: pairs, annotations: {} };
}

/** Returns the labels and annotations that a kustomization adds: undefined if there are none, `too-many` if they exceed the maximum. */
export function readAddedLabels(kustomization: unknown): AddedLabels | 'too-many' | undefined {
  const common = getStringPairs(kustomization, 'commonLabels');
  const entries = getListAt(kustomization, 'labels').map(parseLabelsEntry);
  const annotations = getStringPairs(kustomization, 'commonAnnotations');
  const all = [...entries, { selectors: common, templates: common, objects: common, annotations }];
  const total = Math.max(
    all.reduce((sum, { objects }) => sum + countLabels(objects), 0),
    countLabels(annotations),
  );
  if (total === 0) return undefined;
  return total > MAX_LABELS ? 'too-many' : all.reduce(mergeAddedLabels, NO_LABELS);
}

/** Adds labels to the maps at a path. Returns the outer value unchanged if the path leads through something else. */
function addLabelsAt(value: unknown, path: readonly string[], labels: Fields, creates: boolean): unknown {
  const [name, ...rest] = path;
  if (Array.isArray(value)) return value.map((item) => addLabelsAt(item, name === EACH_ITEM ? rest : path, labels, creates));
  if (!isFields(value) || name === EACH_ITEM) return value;
  if (name === undefined) return { ...value, ...labels };
  const inner = value[name] ?? (creates && rest[0] !== EACH_ITEM ? {} : undefined);
  return inner === undefined ? value : { ...value, [name]: addLabelsAt(inner, rest, labels, creates) };
}

/** Adds labels at those paths that are for the kind of an object. */
function addLabels(object: Manifest, paths: readonly LabelPath[], labels: Fields, below: readonly string[] = []): Manifest {
  if (countLabels(labels) === 0) return object;
  const { kind } = object;
  const [group, version] = [groupOf(object), object.apiVersion.split('/').at(-1)];
  const isFor = (each: LabelPath) => each.kind === kind && (each.group ?? group) === group && (each.version ?? version) === version;
  return paths
    .filter(isFor)
    .reduce<unknown>((result, { path, creates }) => addLabelsAt(result, [...path, ...below], labels, creates), object) as Manifest;
}

/**
 * Returns an object with the labels and annotations added, as kustomize prints it.
 */
export function withLabels(object: Manifest, added: AddedLabels): Manifest {
  const { selectors, templates, objects, annotations } = added;
  const metadata = toPaths([{ kind: object.kind }], true, 'metadata');
  const labeled = addLabels(object, metadata, objects, ['labels']);
  const selecting = addLabels(labeled, SELECTORS, selectors);
  const withTemplates = addLabels(selecting, LABELED, templates, ['labels']);
  return addLabels(withTemplates, [...metadata, ...ANNOTATED], annotations, ['annotations']);
}

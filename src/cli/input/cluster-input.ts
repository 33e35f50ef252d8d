import { addClusterSource } from '../../core/document/plan-key-order';
import { escapeForTerminal } from '../../core/text/escape-output';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { getValueAt, nameOf, namespaceOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { describeResource } from '../../core/document/rollout';
import { withSummary } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import type { Severity } from '../../core/findings/finding';
import { unreadable } from '../../core/rules/unreadable';
import { joinWords, pluralize, truncateNames } from '../../core/text/text-format';
import { getProduct, PRODUCTS } from '../../core/values/versions';
import { CONTEXT_KINDS, formatKindKey } from '../../cluster/kinds/context-kinds';
import { findControllerMade } from '../../cluster/kinds/created-kinds';
import { incompleteInformation } from '../../change/rules/incomplete-information';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { isLive } from '../../appliers/live-object';
import { objectKeyOf } from '../../change/match/match-objects';
import type { OldInput } from '../../change/change-state';
import { findProgram } from '../../input/git/find-program';
import type { RunBudget } from '../../input/read-budget';
import type { InputFile } from '../../input/discovered-file';
import { ClusterError, Kubectl } from '../../live/kubectl';
import type { KubectlLimit } from '../../live/kubectl';
import { collectSnapshot } from '../../live/collect-snapshot';
import { hashSecrets } from '../../live/secret-digest';
import { createMissingCheck, isSnapshotHeader, isSnapshotManifest, listMissingNamespaces } from '../../live/snapshot-file';
import type { SnapshotHeader } from '../../live/snapshot-file';
import { withUnreadCapacity } from '../../live/unread-capacity';
import { formatUnreadResource, listUnreadConsequences } from '../../live/unread-consequences';
import { replaceObjects } from '../../plan/plan-input';
import { resourceOf } from '../../plan/resource-refs';
import type { PlanInput } from '../../plan/plan-input';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';
import { showCount, writeOverProgress } from '../output/progress';

const NAMESPACE = formatKindKey(CONTEXT_KINDS.namespace);

const CLUSTER = 'cluster';
const CLUSTER_PREFIX = 'cluster:';

/** Reports whether a value of `--from` is a cluster: `cluster`, `cluster:prod`. `./cluster` is a path. */
export function isClusterSource(value: string): boolean {
  return value === CLUSTER || value.startsWith(CLUSTER_PREFIX);
}

/** Returns the context of `cluster:CONTEXT`; undefined for the current one. */
function parseContext(value: string): string | undefined {
  if (value === CLUSTER) return undefined;
  const context = value.slice(CLUSTER_PREFIX.length);
  if (context === '') throw new UsageError(`${value} names no context; write cluster:CONTEXT, or cluster for the current context`);
  return context;
}

/** Runs some work with kubectl, and rethrows its errors as UsageErrors. */
export async function withClusterErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ClusterError ? new UsageError(error.message) : error;
  }
}

/** Creates a kubectl that logs each command to standard error before it runs. All commands that are no watches must end in time. */
export function createKubectl({ cwd, kubectlCwd = cwd, env, stderr }: Io, limit: KubectlLimit, instead?: string): Kubectl {
  const log = (command: string) => writeOverProgress(`rolloutkit: runs ${escapeForTerminal(command)}\n`, { stderr });
  const found = findProgram('kubectl', { cwd, env });
  return new Kubectl({ program: found?.file, instead, cwd: kubectlCwd, env: found?.env ?? env, log, limit });
}

/** Scope of a snapshot, besides the objects to apply. */
export interface ClusterScope {
  readonly context?: string;
  readonly namespaces?: readonly string[];
  readonly budget: Pick<RunBudget, 'seconds'>;
  /** Whether all namespaces are read if neither an object nor a namespace is given. @default false: that of the context */
  readonly readsAllNamespaces?: boolean;
  /** What to do without kubectl, other than to install it. @default - nothing */
  readonly instead?: string;
}

/** Reads a snapshot from a cluster, and logs what is read from where. @throws UsageError if it cannot be read */
export function readSnapshot(objects: readonly Manifest[], scope: ClusterScope, io: Io): Promise<string> {
  const { context, namespaces = [], readsAllNamespaces = false, budget, instead } = scope;
  const say = (text: string) => io.stderr.write(`rolloutkit: ${escapeForTerminal(text)}\n`);
  return withClusterErrors(() =>
    collectSnapshot(createKubectl(io, { seconds: budget.seconds, reduce: 'name fewer files or namespaces' }, instead), {
      objects,
      namespaces,
      readsAllNamespaces,
      ...(context !== undefined && { context }),
      onContext: (name) => say(`reads the cluster of context ${name} with kubectl, and changes nothing`),
      onNamespaces: (names, unasked) => {
        say(names ? `reads ${pluralize(names.length, 'namespace')}: ${names.join(', ')}` : 'reads all namespaces');
        if (unasked.length > 0) say(`does not read ${pluralize(unasked.length, 'further namespace')}: ${unasked.join(', ')}`);
      },
      onProgress: (done, total) => showCount(done, total, 'read', io),
    }),
  );
}

/** Reads the clusters among the values of `--from`, each as the file that `rolloutkit snapshot` writes. */
export async function readClusterSources(
  values: readonly string[],
  listObjects: () => readonly Manifest[],
  io: Io,
  scope: Omit<ClusterScope, 'context'>,
): Promise<ReadonlyMap<string, InputFile>> {
  const files = new Map<string, InputFile>();
  for (const value of values.filter(isClusterSource)) {
    const context = parseContext(value);
    const instead = 'name a file that rolloutkit snapshot wrote elsewhere';
    const text = await readSnapshot(listObjects(), { ...scope, instead, ...(context !== undefined && { context }) }, io);
    files.set(value, { file: value, content: Buffer.from(text), given: { path: value, as: 'file' } });
  }
  return files;
}

/** Both sides of a change whose OLD may be a snapshot. */
export interface AlignedSides {
  readonly old: OldInput;
  readonly next: PlanInput;
  /** What the snapshot says; undefined if OLD is none. */
  readonly header?: SnapshotHeader;
}

/** Returns an object as the cluster has it: in the namespace of the context if it names none, and with digests for values of Secrets. */
function toClusterForm(object: Manifest, { defaultNamespace, clusterScopedKinds }: SnapshotHeader): Manifest {
  const isClusterScoped = clusterScopedKinds.includes(kindKeyOf(object));
  const isPlaced = isClusterScoped || namespaceOf(object) !== undefined;
  const placed = isPlaced ? object : { ...object, metadata: { ...object.metadata, namespace: defaultNamespace } };
  return hashSecrets(placed);
}

function collectUnaskedFindings({ namespaces, unasked = [] }: SnapshotHeader) {
  if (unasked.length === 0) return [];
  return [unreadable.createFinding('namespaces', { path: ROOT_PATH, data: { read: namespaces.length, ...truncateNames(unasked) } })];
}

/** What NEW has that a snapshot was made without. */
interface MissingInput {
  readonly namespaces: readonly string[];
  readonly objects: readonly Manifest[];
}

function collectMissingFindings({ namespaces, objects }: MissingInput, severity: Severity) {
  const names = truncateNames(objects.map((object) => describeResource(resourceOf(object))));
  return [
    ...(namespaces.length === 0
      ? []
      : [incompleteInformation.createFinding('not-in-snapshot', { path: ROOT_PATH, data: truncateNames(namespaces), severity })]),
    ...(objects.length === 0 ? [] : [incompleteInformation.createFinding('not-read-by-name', { path: ROOT_PATH, data: names, severity })]),
  ];
}

/** Lists what NEW has that a snapshot was made without. An object that is in the snapshot all the same is not missing. */
function findMissingInput(header: SnapshotHeader, live: readonly Manifest[], next: readonly Manifest[]): MissingInput {
  const isMissing = createMissingCheck(header);
  const known = new Set(live.map(objectKeyOf));
  const namespaces = listMissingNamespaces(header, next);
  const unread = new Set([...namespaces, ...(header.unasked ?? [])]);
  const objects = next.filter(
    (object) =>
      !isKustomization(object) &&
      !isFleetYaml(object) &&
      isMissing(object) &&
      !known.has(objectKeyOf(object)) &&
      !unread.has(namespaceOf(object) ?? ''),
  );
  return { namespaces, objects };
}

function collectUnreadFindings(header: SnapshotHeader, severity: Severity) {
  const { unread } = header;
  if (unread.length === 0) return [];
  const data = { resources: unread.map((each) => formatUnreadResource(each, header)), unknown: listUnreadConsequences(unread) };
  return [incompleteInformation.createFinding('unread', { path: ROOT_PATH, data, severity })];
}

/** Returns the key of the kind that a CustomResourceDefinition defines; undefined for any other object. */
function getDefinedKind(object: Manifest): string | undefined {
  if (kindKeyOf(object) !== 'apiextensions.k8s.io/CustomResourceDefinition') return undefined;
  const [group, kind] = [getValueAt(object, 'spec', 'group'), getValueAt(object, 'spec', 'names', 'kind')];
  return typeof group === 'string' && typeof kind === 'string' ? formatKindKey({ group, kind }) : undefined;
}

/** Creates a function that returns why a cluster refuses a new object: it lacks its kind or its Namespace, and NEW brings none. */
function createRefusal(header: SnapshotHeader, live: readonly Manifest[], next: readonly Manifest[]) {
  const { clusterScopedKinds, namespaces, unread } = header;
  const unserved = new Set(header.unserved);
  const written = [...live, ...next].filter((object) => kindKeyOf(object) === NAMESPACE).map(nameOf);
  const existing = new Set([...written, ...live.map(namespaceOf)]);
  const isRead = clusterScopedKinds.includes(NAMESPACE) && !unread.some(({ kind }) => kind === NAMESPACE);
  const defined = new Set(next.map(getDefinedKind));
  return (object: Manifest): string | undefined => {
    // A kustomization is read by a program, and is no object of the server.
    if (isKustomization(object)) return undefined;
    const key = kindKeyOf(object);
    if (unserved.has(key)) return defined.has(key) ? undefined : `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
    const namespace = namespaceOf(object);
    const isAbsent = namespace !== undefined && isRead && namespaces.includes(namespace) && !existing.has(namespace);
    return isAbsent ? `namespaces "${namespace}" not found` : undefined;
  };
}

/**
 * Prepares both sides of a change. Without a snapshot they stay as they are. A snapshot is given by name: an object of this kind in a folder is
 * one of many files that a pull request may write, and does not decide which cluster is planned.
 *
 * @param from - what `--from` names
 * @param unreadSeverity - how severe it is that the user may not read a part of the cluster
 */
export function alignWithSnapshot(
  old: PlanInput,
  next: PlanInput,
  from: readonly string[],
  unreadSeverity: Severity = 'info',
): AlignedSides {
  const isNamed = (object: Manifest) => {
    const file = old.textOf?.(object)?.file;
    return file === undefined || from.includes(file) || isClusterSource(file);
  };
  const headers = old.objects.filter(isSnapshotManifest).filter(isNamed);
  const [first, ...others] = headers;
  if (!first) return { old, next };
  if (others.length > 0) throw new UsageError('two snapshots are given with --from; name only one cluster');
  const header = first.snapshot;
  if (!isSnapshotHeader(header)) {
    throw new UsageError(
      `${old.textOf?.(first)?.file ?? 'the snapshot'} is not a snapshot; write it with rolloutkit snapshot --output FILE`,
    );
  }
  const nextInCluster = replaceObjects(next, (object) => toClusterForm(object, header));
  const missing = findMissingInput(header, old.objects, nextInCluster.objects);
  const unasked = new Set([...(header.unasked ?? []), ...missing.namespaces]);
  const missingObjects = new Set(missing.objects);
  return {
    header: unasked.size > 0 ? { ...header, unasked: [...unasked] } : header,
    old: {
      ...old,
      objects: old.objects.filter((object) => object !== first),
      findings: [
        ...(old.findings ?? []),
        ...collectUnaskedFindings(header),
        ...collectMissingFindings(missing, unreadSeverity),
        ...collectUnreadFindings(header, unreadSeverity),
      ],
      isSurrounding: isLive,
      refuseNewObject: createRefusal(header, old.objects, next.objects),
      isUnread: (object) =>
        missingObjects.has(object) ||
        unasked.has(namespaceOf(object) ?? '') ||
        header.unread.some(
          ({ kind, namespace }) => kind === kindKeyOf(object) && (namespace ?? namespaceOf(object)) === namespaceOf(object),
        ),
    },
    next: nextInCluster,
  };
}

/** Adds the cluster to a plan that starts from a snapshot, and what the user may not read of it. */
export function withCluster(plan: PlanDocument, header: SnapshotHeader | undefined): PlanDocument {
  return header ? addClusterSource(withUnreadCapacity(plan, header), header) : plan;
}

/** Logs which versions the plan takes from the cluster. */
export function reportDetectedVersions({ context, detectedVersions }: SnapshotHeader, { stderr }: Io): void {
  const versions = PRODUCTS.flatMap((product) => {
    const version = detectedVersions[product];
    return version === undefined ? [] : [`${getProduct(product).name} ${version}`];
  });
  if (versions.length > 0) stderr.write(`rolloutkit: detected ${escapeForTerminal(`${joinWords(versions)} in context ${context}`)}\n`);
}

/** Both sides as a comparison of behaviours plans them, each on its own. */
interface ComparedSides {
  readonly old: PlanInput;
  readonly next: PlanInput;
  /** Reduces a plan of one side to what NEW names. */
  readonly select: (plan: PlanDocument) => PlanDocument;
}

/**
 * Prepares both sides for a comparison of behaviours. With a snapshot, both are planned amid what surrounds them, and only the rollouts that
 * NEW names are compared. Running pods are left out, since they belong to one side only.
 */
export function toComparedSides({ old, next }: Pick<AlignedSides, 'old' | 'next'>): ComparedSides {
  const { isSurrounding } = old;
  if (!isSurrounding) return { old, next, select: (plan) => plan };
  const named = new Set(next.objects.map(objectKeyOf));
  const controllerMade = findControllerMade(old.objects);
  const objects = old.objects.filter((object) => named.has(objectKeyOf(object)) || !controllerMade.has(object));
  const around = objects.filter((object) => isSurrounding(object) && !named.has(objectKeyOf(object)));
  const kinds = new Set(next.objects.map(kindKeyOf));
  return {
    old: { ...old, objects },
    next: { ...next, objects: [...next.objects, ...around] },
    select: (plan) => {
      const rollouts = plan.rollouts.filter(({ resource: { apiVersion, kind, namespace, name } }) =>
        named.has(objectKeyOf({ apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } })),
      );
      const notPlanned = plan.notPlanned.filter((unplanned) => kinds.has(kindKeyOf(unplanned)));
      return withSummary({ ...plan, rollouts, notPlanned });
    },
  };
}

import { buildFieldPath, parseFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { IntentError } from '../../core/intent-error';
import { isFields, isClassInstance } from '../../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { describeType } from '../../core/field-type';
import { MAP, STRING, defineMap, filterProblems, findSchemaProblems } from '../../core/schema';
import { describeValue } from '../../core/display-value';
import { resolveIntent } from '../../workloads/deployment/intent';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import { IBM_GROUP } from './embedded-strategy';
import { OPERATOR_STRATEGY_FIELDS, toOperatorStrategy } from './strategy';
import type { NumberStyle } from './strategy';

/** Where IBM's page has the strategy. */
export const DEFAULT_MOUNT_PATH = 'spec.strategy';

/** What is written where no resource is given. */
export const OPERATOR_RESOURCE = { apiVersion: `${IBM_GROUP}/v1`, kind: 'ICP4ACluster' } as const;

/** A custom resource, as far as it is given. */
export interface OperatorResource {
  /** Group and version of the resource, as the operator's CRD has them. @default icp4a.ibm.com/v1 */
  readonly apiVersion?: string;
  /** The resource's kind, as the operator's CRD has it. @default ICP4ACluster */
  readonly kind?: string;
  /** Labels, annotations, namespace. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Properties of an `OperatorRollingUpdate`: how an operator's resource rolls out, and where the resource says so. */
export interface OperatorRollingUpdateProps {
  /**
   * The resource as it is; a strategy and replicas in it are replaced, everything else stays.
   *
   * @default - an ICP4ACluster with nothing else
   */
  readonly resource?: OperatorResource;
  /** How the pods of the operator's Deployments may be replaced. */
  readonly strategy: RolloutIntent;
  /**
   * Pods, written beside the strategy.
   *
   * @default - as the resource has it; without, 1 for a plan, and none is shown more than one level below `spec`
   */
  readonly replicas?: number;
  /**
   * Field path of the strategy, below `spec`. IBM's page shows the fragment `spec.strategy` and does not name the kind that it is in;
   * an operator may read it elsewhere, such as `spec.baw_configuration[0].strategy`.
   *
   * @default spec.strategy
   */
  readonly mountPath?: string;
  /** Whole numbers in quotes, as IBM's page writes them, or plain. @default quoted */
  readonly numbers?: NumberStyle;
}

/** Thrown for a mount path that is none, leads nowhere in the resource, or to something else than a strategy; the message says which. */
export class MountPathError extends IntentError {
  override readonly name = 'MountPathError';
}

/** Names after dots; list indexes, and names with dots, in brackets; no path is as long as a hundred of them. */
const FIELD_PATH = /^\w[\w-]*(?:\.[\w-]+|\[[\w./-]+\]){0,100}$/;

type PathParts = readonly (string | number)[];

/**
 * Where the strategy goes, as the API server writes it.
 *
 * @throws MountPathError for anything but the path of a field below `spec`
 */
export function parseMountPath({ mountPath = DEFAULT_MOUNT_PATH }: Pick<OperatorRollingUpdateProps, 'mountPath'>): FieldPath {
  const path = typeof mountPath === 'string' && FIELD_PATH.test(mountPath) ? parseFieldPath(mountPath) : [];
  if (path[0] === 'spec' && path.length > 1 && typeof path.at(-1) === 'string') return buildFieldPath(...path);
  throw new MountPathError(
    `mountPath is ${describeValue(mountPath)}, which is not a field below spec: write one such as ${DEFAULT_MOUNT_PATH} or ` +
      'spec.baw_configuration[0].strategy',
  );
}

/** A copy of `value` in which the map at the end of a path is changed; maps that are missing are made, list items have to be there. */
function updateAt(value: unknown, path: PathParts, change: (holder: Fields) => Fields, refuse: (remaining: PathParts) => Error): unknown {
  const [part, ...rest] = path;
  if (Array.isArray(value) && typeof part === 'number' && part < value.length) {
    return value.with(part, updateAt(value[part], rest, change, refuse));
  }
  if (!isFields(value) || isClassInstance(value) || typeof part === 'number') throw refuse(path);
  return part === undefined ? change(value) : { ...value, [part]: updateAt(value[part] ?? {}, rest, change, refuse) };
}

/** Nothing but a strategy may be replaced. */
function rejectContent(content: unknown, mountPath: string): void {
  if (content === undefined || content === null) return;
  const fields = isFields(content) && !isClassInstance(content) ? Object.keys(content) : undefined;
  if (fields?.every((field) => OPERATOR_STRATEGY_FIELDS.includes(field))) return;
  const seen = fields ? `a map with ${fields.join(', ')}` : describeValue(content);
  throw new MountPathError(`mountPath "${mountPath}" leads to ${seen} in the resource, which is not a strategy and would be lost`);
}

const RESOURCE = defineMap({ apiVersion: STRING, kind: STRING, metadata: MAP });

function buildBaseResource({ apiVersion, kind, ...others }: OperatorResource): Fields {
  const resource = { apiVersion: apiVersion ?? OPERATOR_RESOURCE.apiVersion, kind: kind ?? OPERATOR_RESOURCE.kind, ...others };
  const [mistyped] = filterProblems(findSchemaProblems(resource, RESOURCE, buildFieldPath('resource')), 'wrong-type');
  if (!mistyped) return resource;
  throw new IntentError(`${mistyped.path} is ${describeValue(mistyped.value)}: write ${describeType(mistyped.expected)}, or leave it out`);
}

/**
 * The operator's resource with the settled strategy at the mount path: both limits explicit,
 * since no default of the operator is documented.
 *
 * `{ type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' }` becomes
 * `{ type: 'RollingUpdate', rolling_update: { max_surge: '1', max_unavailable: '25%' } }`.
 *
 * @throws MountPathError for a path that is no field below `spec`, leads nowhere, or to something else than a strategy
 * @throws IntentError for a resource whose apiVersion, kind or metadata has another type
 */
export function buildOperatorResource(props: OperatorRollingUpdateProps): Manifest {
  const { numbers, replicas } = props;
  const mountPath = parseMountPath(props);
  const path = parseFieldPath(mountPath);
  const holderPath = path.slice(0, -1);
  const field = `${path.at(-1)}`;
  const strategy = toOperatorStrategy(defaultDeploymentStrategy(resolveIntent(props.strategy)), numbers);
  const addStrategy = (holder: Fields) => {
    rejectContent(holder[field], mountPath);
    return { ...holder, [field]: strategy, ...(replicas !== undefined && { replicas }) };
  };
  const refuse = (remaining: PathParts) => {
    const reached = buildFieldPath(...holderPath.slice(0, holderPath.length - remaining.length));
    return new MountPathError(`mountPath "${mountPath}" leads nowhere in the resource, whose "${reached}" holds no such field or item`);
  };
  return updateAt(buildBaseResource(props.resource ?? {}), holderPath, addStrategy, refuse) as Manifest;
}

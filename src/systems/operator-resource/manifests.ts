import { appendToPath, buildFieldPath, parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { parseSpecPath } from '../../core/manifest/spec-path';
import { IntentError } from '../../core/errors/intent-error';
import { isDigitString } from '../../core/values/int-or-percent';
import { getFieldsAt, getValueAt, groupOf, isFields, isClassInstance } from '../../core/manifest/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import { describeType } from '../../core/values/field-type';
import { MAP, STRING, defineMap, filterProblems, findSchemaProblems } from '../../core/values/schema';
import { describeValue } from '../../core/text/display-value';
import { resolveIntent } from '../../workloads/deployment/intent';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import { IBM_GROUP } from './embedded-strategy';
import { NUMBERS_ANNOTATION, OPERATOR_STRATEGY_FIELDS, toOperatorStrategy } from './strategy';
import type { NumberStyle } from './strategy';
import type { OperatorStrategy } from './types';

/** The path of the strategy on IBM's page. */
export const DEFAULT_MOUNT_PATH = 'spec.strategy';

/** The apiVersion and kind of the generated object if no resource is given. */
export const OPERATOR_RESOURCE = { apiVersion: `${IBM_GROUP}/v1`, kind: 'ICP4ACluster' } as const;

/** A custom resource; every field is optional. */
export interface OperatorResource {
  /** The API version of the resource, as in the operator's CRD. @default icp4a.ibm.com/v1 */
  readonly apiVersion?: string;
  /** The kind of the resource, as in the operator's CRD. @default ICP4ACluster */
  readonly kind?: string;
  /** The metadata. @default - the adapter's id or name as the name */
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Properties of an `OperatorRollingUpdate`: the rollout of an operator's resource, and the path at which it is written. */
export interface OperatorRollingUpdateProps {
  /**
   * The resource. Its strategy and replicas are replaced, everything else stays.
   *
   * @default - an ICP4ACluster with nothing else
   */
  readonly resource?: OperatorResource;
  /** How the pods of the operator's Deployments are replaced. */
  readonly strategy: RolloutIntent;
  /**
   * The number of pods, written next to the strategy.
   *
   * @default - from the resource; if unset, a plan uses 1 and shows none more than one level below `spec`
   */
  readonly replicas?: number;
  /**
   * The path of the strategy, below `spec`. IBM's page shows only the fragment `spec.strategy` without its kind; an operator may read
   * another path, such as `spec.baw_configuration[0].strategy`.
   *
   * @default spec.strategy
   */
  readonly mountPath?: string;
  /** Whether whole numbers are written in quotes, as on IBM's page, or plain. @default quoted */
  readonly numbers?: NumberStyle;
}

/** Thrown for a mount path that is invalid, not in the resource, or not a strategy. The message says which. */
export class MountPathError extends IntentError {
  override readonly name = 'MountPathError';
}

type PathParts = readonly (string | number)[];

/**
 * Returns the path of the strategy in the format of the API server.
 *
 * @throws MountPathError if it is not the path of a field below `spec`
 */
export function parseMountPath({ mountPath = DEFAULT_MOUNT_PATH }: Pick<OperatorRollingUpdateProps, 'mountPath'>): FieldPath {
  const path = parseSpecPath(mountPath);
  if (path !== undefined) return path;
  throw new MountPathError(
    `mountPath is ${describeValue(mountPath)}, which is not a field below spec: write a path such as ${DEFAULT_MOUNT_PATH} or ` +
      'spec.baw_configuration[0].strategy',
  );
}

/** Returns a copy of `value` in which the map at the end of the path is changed. Missing maps are created, but list items must exist. */
function updateAt(value: unknown, path: PathParts, change: (holder: Fields) => Fields, refuse: (remaining: PathParts) => Error): unknown {
  const [part, ...rest] = path;
  if (Array.isArray(value) && typeof part === 'number' && part < value.length) {
    return value.with(part, updateAt(value[part], rest, change, refuse));
  }
  if (!isFields(value) || isClassInstance(value) || typeof part === 'number') throw refuse(path);
  return part === undefined ? change(value) : { ...value, [part]: updateAt(value[part] ?? {}, rest, change, refuse) };
}

/** Throws if the path leads to anything but a strategy, which would be overwritten. */
function rejectContent(content: unknown, mountPath: string): void {
  if (content === undefined || content === null) return;
  const fields = isFields(content) && !isClassInstance(content) ? Object.keys(content) : undefined;
  if (fields?.every((field) => OPERATOR_STRATEGY_FIELDS.includes(field))) return;
  const description = fields ? `a map with ${fields.join(', ')}` : describeValue(content);
  throw new MountPathError(
    `mountPath "${mountPath}" leads to ${description} in the resource, which is not a strategy and would be overwritten`,
  );
}

const RESOURCE = defineMap({ apiVersion: STRING, kind: STRING, metadata: MAP });

/** Marks a resource whose strategy has a number in quotes, unless the user has set the annotation. */
function markQuotedNumbers(resource: Fields, strategy: OperatorStrategy): Fields {
  if (!Object.values(strategy.rolling_update ?? {}).some(isDigitString)) return resource;
  const metadata = getFieldsAt(resource, 'metadata');
  return {
    ...resource,
    metadata: { ...metadata, annotations: { [NUMBERS_ANNOTATION]: 'quoted', ...getFieldsAt(metadata, 'annotations') } },
  };
}

function buildBaseResource({ apiVersion, kind, ...others }: OperatorResource): Fields {
  if (kind === undefined && typeof apiVersion === 'string' && groupOf({ apiVersion }) !== IBM_GROUP) {
    throw new IntentError(`resource.kind is missing: write the kind of ${apiVersion} that your operator reads`);
  }
  // The fields of the kind are found by its apiVersion.
  if (isClassInstance(apiVersion)) throw new IntentError(`resource.apiVersion is ${describeValue(apiVersion)}: write a string`);
  const resource = { apiVersion: apiVersion ?? OPERATOR_RESOURCE.apiVersion, kind: kind ?? OPERATOR_RESOURCE.kind, ...others };
  const [mistyped] = filterProblems(findSchemaProblems(resource, RESOURCE, buildFieldPath('resource')), 'wrong-type');
  if (resource.apiVersion === '') throw new IntentError('resource.apiVersion is "": write that of the resource, such as icp4a.ibm.com/v1');
  if (resource.kind === '') throw new IntentError('resource.kind is "": write that of the resource, such as ICP4ACluster');
  if (!mistyped) return resource;
  throw new IntentError(`${mistyped.path} is ${describeValue(mistyped.value)}: write ${describeType(mistyped.expected)}, or leave it out`);
}

/**
 * Builds the operator's resource with the resolved strategy at the mount path. Both limits are explicit, because no default of the operator
 * is documented.
 *
 * `{ type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' }` becomes
 * `{ type: 'RollingUpdate', rolling_update: { max_surge: '1', max_unavailable: '25%' } }`.
 *
 * @throws MountPathError if the path is not a field below `spec`, is not in the resource, or is not a strategy
 * @throws IntentError if the apiVersion, kind or metadata of the resource has another type
 */
export function buildOperatorResource(props: OperatorRollingUpdateProps): Manifest {
  const { numbers = 'quoted', replicas } = props;
  if (numbers !== 'quoted' && numbers !== 'plain') throw new IntentError(`numbers is ${describeValue(numbers)}: write quoted or plain`);
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
    const value = getValueAt(props.resource, ...parseFieldPath(reached));
    if (isClassInstance(value))
      return new IntentError(`${appendToPath('resource', ...parseFieldPath(reached))} is ${describeValue(value)}: write a map or list`);
    return new MountPathError(`mountPath "${mountPath}" is not in the resource: its "${reached}" has no such field or item`);
  };
  const resource = updateAt(buildBaseResource(props.resource ?? {}), holderPath, addStrategy, refuse) as Fields;
  return markQuotedNumbers(resource, strategy) as unknown as Manifest;
}

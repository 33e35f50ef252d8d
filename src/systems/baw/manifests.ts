import { fieldPathParts, isFields } from '../../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { strategyOfIntent } from '../kubernetes/intent';
import type { RolloutIntent } from '../kubernetes/intent';
import { storedDeploymentStrategy } from '../kubernetes/strategy';
import { IBM_GROUP } from './mount';
import { operatorStrategyOf } from './strategy';
import type { NumberStyle } from './strategy';

/** Where IBM's page has the strategy. */
const DEFAULT_MOUNT_PATH = 'spec.strategy';

/** A custom resource, as far as it is given. */
export interface OperatorResource {
  /** @default icp4a.ibm.com/v1 */
  readonly apiVersion?: string;
  /** @default ICP4ACluster */
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** How an operator's resource rolls out, and where the resource says so. */
export interface OperatorRolloutProps {
  /**
   * The resource as it is; a strategy and replicas in it are replaced, everything else stays.
   *
   * @default - an ICP4ACluster with nothing else
   */
  readonly resource?: OperatorResource;
  readonly strategy: RolloutIntent;
  /** Pods, written beside the strategy. @default - as the resource has it; 1 without */
  readonly replicas?: number;
  /**
   * Field path of the strategy. IBM's page shows the fragment `spec.strategy` and does not name the kind that it is in; an operator may
   * read it elsewhere, such as `spec.baw_configuration[0].strategy`.
   *
   * @default spec.strategy
   */
  readonly mountPath?: string;
  /** Whole numbers in quotes, as IBM's page writes them, or plain. @default quoted */
  readonly numbers?: NumberStyle;
}

/** Thrown for a mount path that leads nowhere in the resource; the message says where it breaks. */
export class MountPathError extends Error {
  override readonly name = 'MountPathError';
}

type Path = readonly (string | number)[];

/** A copy of `value` in which the map at the end of a path is changed; maps that are missing are made, list items have to be there. */
function changedAt(value: unknown, path: Path, change: (holder: Fields) => Fields, refuse: (remaining: Path) => Error): unknown {
  const [part, ...rest] = path;
  if (part === undefined) {
    if (isFields(value)) return change(value);
    throw refuse(path);
  }
  if (Array.isArray(value) && typeof part === 'number' && part < value.length) {
    return value.with(part, changedAt(value[part], rest, change, refuse));
  }
  if (!isFields(value) || typeof part === 'number') throw refuse(path);
  return { ...value, [part]: changedAt(value[part] ?? {}, rest, change, refuse) };
}

/**
 * The operator's resource with the settled strategy at the mount path: both limits explicit, since no default of the operator is
 * documented.
 *
 * `{ type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' }` becomes
 * `{ type: 'RollingUpdate', rolling_update: { max_surge: '1', max_unavailable: '25%' } }`.
 *
 * @throws MountPathError for a path that leads nowhere
 */
export function operatorResource(props: OperatorRolloutProps): Manifest {
  const { mountPath = DEFAULT_MOUNT_PATH, numbers, replicas } = props;
  const resource = { apiVersion: `${IBM_GROUP}/v1`, kind: 'ICP4ACluster', ...props.resource };
  const path = fieldPathParts(mountPath);
  const field = path.at(-1);
  if (typeof field !== 'string')
    throw new MountPathError(`mountPath "${mountPath}" names no field: write one such as ${DEFAULT_MOUNT_PATH}`);
  const holderPath = path.slice(0, -1);
  const strategy = operatorStrategyOf(storedDeploymentStrategy(strategyOfIntent(props.strategy)), numbers);
  const mounted = (holder: Fields) => ({ ...holder, [field]: strategy, ...(replicas !== undefined && { replicas }) });
  const refuse = (remaining: Path) => {
    const reached = holderPath.slice(0, holderPath.length - remaining.length).join('.');
    return new MountPathError(`mountPath "${mountPath}" leads nowhere in the resource, whose "${reached}" holds no such field or item`);
  };
  return changedAt(resource, holderPath, mounted, refuse) as Manifest;
}

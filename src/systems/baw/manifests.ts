import { fieldPathParts, isFields } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { strategyOfIntent } from '../kubernetes/intent';
import type { RolloutIntent } from '../kubernetes/intent';
import { storedDeploymentStrategy } from '../kubernetes/strategy';
import { operatorStrategyOf } from './strategy';
import type { NumberStyle } from './strategy';

/** Where IBM's page has the strategy. */
export const DEFAULT_MOUNT_PATH = 'spec.strategy';

/** How an operator's resource rolls out, and where the resource says so. */
export interface OperatorRolloutProps {
  /** The resource as it is; a strategy and replicas in it are replaced, everything else stays. */
  readonly resource: Manifest;
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

type Container = Record<string | number, unknown>;

/** The map at the end of a path, maps that are missing made; list items have to be there. */
function holderAt(root: Manifest, parts: readonly (string | number)[], mountPath: string): Container {
  let holder = root as Container;
  for (const [index, part] of parts.entries()) {
    if (holder[part] === undefined && typeof part === 'string' && typeof parts[index + 1] !== 'number') holder[part] = {};
    const inner = holder[part];
    if (!isFields(inner) && !Array.isArray(inner)) {
      throw new MountPathError(`mountPath "${mountPath}" leads nowhere: the resource has no map or list at "${parts.slice(0, index + 1).join('.')}"`);
    }
    holder = inner as Container;
  }
  if (Array.isArray(holder)) throw new MountPathError(`mountPath "${mountPath}" leads into a list: write which item, such as [0]`);
  return holder;
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
  const resource = structuredClone(props.resource);
  const parts = fieldPathParts(mountPath);
  const last = parts.at(-1);
  if (last === undefined || typeof last === 'number') throw new MountPathError(`mountPath "${mountPath}" names no field: write one such as ${DEFAULT_MOUNT_PATH}`);
  const holder = holderAt(resource, parts.slice(0, -1), mountPath);
  holder[last] = operatorStrategyOf(storedDeploymentStrategy(strategyOfIntent(props.strategy)), numbers);
  if (replicas !== undefined) holder.replicas = replicas;
  return resource;
}

import type { Finding } from '../../core/finding';
import { listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { oncePerPlan } from '../../core/system';
import type { PlanContext } from '../../core/system';
import type { PlannedRollout } from '../../core/workload';
import { surroundingsFinding } from './surroundings-catalogue';

function claimKey(namespace: string | undefined, name: unknown): string {
  return JSON.stringify([namespace ?? '', name]);
}

const claims = oncePerPlan(
  (context) =>
    new Map(
      context.ofKind('', 'PersistentVolumeClaim').map((claim): [string, Manifest] => [claimKey(namespaceOf(claim), nameOf(claim)), claim]),
    ),
);

/** Modes in which a volume may be on several nodes at once. */
const MANY_NODES: ReadonlySet<unknown> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/** The access mode that ties a claim to one node; undefined where it may be on several. */
function singleNodeMode(claim: Manifest): string | undefined {
  const modes = listAt(claim, 'spec', 'accessModes');
  if (modes.some((mode) => MANY_NODES.has(mode))) return undefined;
  return modes.find((mode): mode is string => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

/** Warns of new pods that have to mount a volume which the old ones still hold on their node. */
export function volumeFindings({ workload, simulation }: PlannedRollout, context: PlanContext): Finding[] {
  if (!workload || simulation?.kind !== 'deployment' || simulation.surge === 0 || simulation.replicas === 0) return [];
  return listAt(workload.template, 'spec', 'volumes').flatMap((volume, index) => {
    const name = valueAt(volume, 'persistentVolumeClaim', 'claimName');
    const claim = typeof name === 'string' ? claims(context).get(claimKey(workload.namespace, name)) : undefined;
    const mode = claim && singleNodeMode(claim);
    if (!mode) return [];
    return [
      surroundingsFinding('kubernetes/rwo-volume-surge', {
        path: `${workload.podPath}.volumes[${index}].persistentVolumeClaim.claimName`,
        message:
          `PersistentVolumeClaim "${name as string}" is ${mode}, and new pods start before the old ones are gone ` +
          `(surge ${simulation.surge}): ${mode === 'ReadWriteOnce' ? 'on another node a new pod' : 'a new pod'} can't mount it, ` +
          'and the rollout waits.',
        help: 'Write maxSurge: 0 and maxUnavailable: 1, or type: Recreate, or use a claim that is ReadWriteMany.',
      }),
    ];
  });
}

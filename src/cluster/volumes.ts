import type { Finding, Severity } from '../core/finding';
import { listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { oncePerPlan } from './context';
import type { PlanContext } from './context';
import type { MountedClaim, SystemRollout, Workload } from './workload';
import { limitedRollout } from './room/rollout-room';
import type { LimitedRollout } from './room/rollout-room';
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

/** The claims of a workload's pods, those of its template first. */
function mountedClaims({ template, podPath, claims: further = [] }: Workload): MountedClaim[] {
  const ofTemplate = listAt(template, 'spec', 'volumes').flatMap((volume, index) => {
    const name = valueAt(volume, 'persistentVolumeClaim', 'claimName');
    return typeof name === 'string' ? [{ name, path: `${podPath}.volumes[${index}].persistentVolumeClaim.claimName` }] : [];
  });
  return [...ofTemplate, ...further];
}

/** What a claim that one node at a time can have does to a rollout; undefined where nothing. */
function troubleWith(mode: string, { simulation }: LimitedRollout): { readonly severity: Severity; readonly trouble: string } | undefined {
  const { replicas } = simulation;
  const isForOnePod = mode === 'ReadWriteOncePod';
  if (isForOnePod && replicas > 1) {
    const others = `there are ${replicas} replicas: the others stay Pending, whatever the strategy.`;
    return { severity: 'error', trouble: `which one pod at a time can mount, and ${others}` };
  }
  if (simulation.kind === 'statefulset' || simulation.surge === 0 || replicas === 0) return undefined;
  const early = `and new pods start before the old ones are gone (surge ${simulation.surge})`;
  if (isForOnePod && simulation.unavailable === 0) {
    return { severity: 'error', trouble: `${early}: the new pod stays Pending, and the old one does not go before it is ready.` };
  }
  const pod = isForOnePod ? 'a new pod' : 'on another node a new pod';
  return { severity: 'warning', trouble: `${early}: ${pod} can't mount it, and the rollout waits.` };
}

/** Without surge a single pod hands the claim on to the next; several pods, on several nodes, need a claim that is made for them. */
function volumeAdvice({ workload: { kind, hasFixedStrategy }, simulation: { replicas } }: LimitedRollout): string {
  const shared = 'a claim that is ReadWriteMany';
  if (hasFixedStrategy) return `Use ${shared}.`;
  if (kind === 'StatefulSet') return `Give each pod a claim of its own in volumeClaimTemplates, or use ${shared}.`;
  if (replicas > 1) return `Use ${shared}, or run 1 replica with type: Recreate.`;
  return `Write maxSurge: 0 and maxUnavailable: 1, or type: Recreate, or use ${shared}.`;
}

/** What is wrong with pods that have to mount a volume which others hold on their node. */
export function volumeFindings(rollout: SystemRollout, context: PlanContext): Finding[] {
  const limited = limitedRollout(rollout);
  if (!limited) return [];
  return mountedClaims(limited.workload).flatMap(({ name, path }) => {
    const claim = claims(context).get(claimKey(limited.workload.namespace, name));
    const mode = claim && singleNodeMode(claim);
    const found = mode && troubleWith(mode, limited);
    if (!found) return [];
    return [
      surroundingsFinding('kubernetes/rwo-volume-surge', {
        path,
        severity: found.severity,
        message: `PersistentVolumeClaim "${name}" is ${mode}, ${found.trouble}`,
        help: volumeAdvice(limited),
      }),
    ];
  });
}

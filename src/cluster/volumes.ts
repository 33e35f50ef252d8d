import { at } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { oncePerPlan } from './context';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import { templatePlace } from './workload';
import type { BudgetedPods, MountedClaim, SystemRollout, Workload } from './workload';
import { limitedRollout } from './room/rollout-room';
import { claimFindings } from './rules/rwo-volume-surge';
import type { ClaimedRollout, SingleNodeMode } from './rules/rwo-volume-surge';

function claimKey(namespace: string | undefined, name: unknown): string {
  return JSON.stringify([namespace ?? '', name]);
}

const claims = oncePerPlan(
  (context) =>
    new Map(
      context
        .all(CONTEXT_KINDS.persistentVolumeClaim)
        .map((claim): [string, Manifest] => [claimKey(namespaceOf(claim), nameOf(claim)), claim]),
    ),
);

/** Modes in which a volume may be on several nodes at once. */
const MANY_NODES: ReadonlySet<unknown> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/** The access mode that ties a claim to one node; undefined where it may be on several. */
function singleNodeMode(claim: Manifest): SingleNodeMode | undefined {
  const modes = listAt(claim, 'spec', 'accessModes');
  if (modes.some((mode) => MANY_NODES.has(mode))) return undefined;
  return modes.find((mode): mode is SingleNodeMode => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

/** Pods, and where their claims stand. */
type ClaimingPods = Pick<Workload, 'namespace' | 'template' | 'podPath'> & Partial<Pick<Workload, 'claims' | 'locateTemplate'>>;

/** The claims of a workload's pods, those of its template first. */
function mountedClaims(pods: ClaimingPods): MountedClaim[] {
  const { template, podPath, claims: further = [] } = pods;
  const ofTemplate = listAt(template, 'spec', 'volumes').flatMap((volume, index) => {
    const name = valueAt(volume, 'persistentVolumeClaim', 'claimName');
    if (typeof name !== 'string') return [];
    return [{ name, ...templatePlace(pods, at`${podPath}.volumes[${index}].persistentVolumeClaim.claimName`) }];
  });
  return [...ofTemplate, ...further];
}

/** Do pods mount a claim that ties them to one node? */
export function sharesVolumeOfOneNode(workload: Workload, context: PlanContext): boolean {
  return mountedClaims(workload).some(({ name }) => {
    const claim = claims(context).get(claimKey(workload.namespace, name));
    return claim !== undefined && singleNodeMode(claim) !== undefined;
  });
}

/** Pods of one template, with how many of them come and go. */
type ClaimedPods = ClaimedRollout & { readonly pods: ClaimingPods };

function together(a: ClaimedRollout['rollout'], b: ClaimedRollout['rollout']): ClaimedRollout['rollout'] {
  return { replicas: a.replicas + b.replicas, surge: a.surge + b.surge, unavailable: a.unavailable + b.unavailable };
}

/** The pods of groups by template: a leader without one of its own has that of the workers. */
function claimingGroups(podSets: readonly BudgetedPods[]): readonly ClaimedPods[] {
  const byPath = new Map<FieldPath, ClaimedPods>();
  for (const workload of podSets) {
    const { podPath, rollout, replicas } = workload;
    if (podPath === undefined || !rollout) continue;
    const { surge, leastAvailable } = rollout;
    const own = { replicas, surge, unavailable: Math.max(0, replicas - leastAvailable) };
    const known = byPath.get(podPath);
    byPath.set(podPath, { workload, pods: { ...workload, podPath }, rollout: known ? together(known.rollout, own) : own });
  }
  return [...byPath.values()];
}

function claimedPods(rollout: SystemRollout): readonly ClaimedPods[] {
  const limited = limitedRollout(rollout);
  if (limited) return [{ workload: limited.workload, rollout: limited.rollout, pods: limited.workload }];
  return rollout.pods?.of === 'groups' ? claimingGroups(rollout.pods.groups.podSets) : [];
}

/** What is wrong with pods that have to mount a volume which others hold on their node. */
export function volumeFindings(rollout: SystemRollout, context: PlanContext): Finding[] {
  return claimedPods(rollout).flatMap(({ pods, ...claimed }) =>
    mountedClaims(pods).flatMap(({ name, ...place }) => {
      const claim = claims(context).get(claimKey(pods.namespace, name));
      const mode = claim && singleNodeMode(claim);
      return mode ? claimFindings(claimed, name, mode, place) : [];
    }),
  );
}

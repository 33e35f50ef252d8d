import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { templateLocationOf } from '../rollout/workload';
import { getLimitedRollout } from '../rollout/system-rollout';
import type { BudgetedPods } from '../rollout/pod-groups';
import type { MountedClaim, Workload } from '../rollout/workload';
import type { SystemRollout } from '../rollout/system-rollout';
import { checkRwoVolumeSurge } from '../rules/rwo-volume-surge';
import type { ClaimedRollout, SingleNodeMode } from '../rules/rwo-volume-surge';

function formatClaimKey(namespace: string | undefined, name: unknown): string {
  return JSON.stringify([namespace ?? '', name]);
}

const getClaimsByKey = memoizePerPlan(
  (context) =>
    new Map(
      context
        .all(CONTEXT_KINDS.persistentVolumeClaim)
        .map((claim): [string, Manifest] => [formatClaimKey(namespaceOf(claim), nameOf(claim)), claim]),
    ),
);

/** Access modes of a volume that can be on several nodes at once. */
const MULTI_NODE_MODES: ReadonlySet<unknown> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/** Returns the access mode that restricts a claim to one node. Returns undefined if it can be on several. */
function findSingleNodeMode(claim: Manifest): SingleNodeMode | undefined {
  const modes = getListAt(claim, 'spec', 'accessModes');
  if (modes.some((mode) => MULTI_NODE_MODES.has(mode))) return undefined;
  return modes.find((mode): mode is SingleNodeMode => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

/** Pods, and the location of their claims. */
type ClaimingPods = Pick<Workload, 'namespace' | 'template' | 'podPath'> & Partial<Pick<Workload, 'claims' | 'locateTemplate'>>;

/** Returns the claims of a workload's pods, with those of its template first. */
function listMountedClaims(pods: ClaimingPods): MountedClaim[] {
  const { template, podPath, claims: extraClaims = [] } = pods;
  const templateClaims = getListAt(template, 'spec', 'volumes').flatMap((volume, index) => {
    const name = getValueAt(volume, 'persistentVolumeClaim', 'claimName');
    if (typeof name !== 'string') return [];
    return [{ name, ...templateLocationOf(pods, toFieldPath`${podPath}.volumes[${index}].persistentVolumeClaim.claimName`) }];
  });
  return [...templateClaims, ...extraClaims];
}

/** Reports whether pods mount a claim that restricts them to one node. */
export function hasSingleNodeVolume(workload: Workload, context: PlanContext): boolean {
  return listMountedClaims(workload).some(({ name }) => {
    const claim = getClaimsByKey(context).get(formatClaimKey(workload.namespace, name));
    return claim !== undefined && findSingleNodeMode(claim) !== undefined;
  });
}

/** Pods of one template, and how many of them are created and deleted at once. */
type ClaimedPods = ClaimedRollout & { readonly pods: ClaimingPods };

function sumRolloutPods(a: ClaimedRollout['rollout'], b: ClaimedRollout['rollout']): ClaimedRollout['rollout'] {
  return { replicas: a.replicas + b.replicas, surge: a.surge + b.surge, unavailable: a.unavailable + b.unavailable };
}

/** Groups pods by template. A leader without a template of its own has that of the workers. */
function groupClaimingPods(podSets: readonly BudgetedPods[]): readonly ClaimedPods[] {
  const byPath = new Map<FieldPath, ClaimedPods>();
  for (const workload of podSets) {
    const { podPath, rollout, replicas } = workload;
    if (podPath === undefined || !rollout) continue;
    const { surge, leastAvailable } = rollout;
    const own = { replicas, surge, unavailable: Math.max(0, replicas - leastAvailable) };
    const known = byPath.get(podPath);
    byPath.set(podPath, { workload, pods: { ...workload, podPath }, rollout: known ? sumRolloutPods(known.rollout, own) : own });
  }
  return [...byPath.values()];
}

function listClaimingPods(rollout: SystemRollout): readonly ClaimedPods[] {
  const limited = getLimitedRollout(rollout);
  if (limited) return [{ workload: limited.workload, rollout: limited.rollout, pods: limited.workload }];
  return rollout.pods?.kind === 'groups' ? groupClaimingPods(rollout.pods.groups.podSets) : [];
}

/** Reports pods that must mount a volume that other pods restrict to their node. */
export function checkVolumes(rollout: SystemRollout, context: PlanContext): Finding[] {
  return listClaimingPods(rollout).flatMap(({ pods, ...claimedRollout }) =>
    listMountedClaims(pods).flatMap(({ name, ...location }) => {
      const claim = getClaimsByKey(context).get(formatClaimKey(pods.namespace, name));
      const mode = claim && findSingleNodeMode(claim);
      return mode ? checkRwoVolumeSurge(claimedRollout, name, mode, location) : [];
    }),
  );
}

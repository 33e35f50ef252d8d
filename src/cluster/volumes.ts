import { at } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { oncePerPlan } from './context';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import type { MountedClaim, SystemRollout, Workload } from './workload';
import { limitedRollout } from './room/rollout-room';
import type { LimitedRollout } from './room/rollout-room';
import { rwoVolumeSurge } from './rules/rwo-volume-surge';

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

/** Modes in which a volume is on one node at a time. */
type SingleNodeMode = 'ReadWriteOnce' | 'ReadWriteOncePod';

/** Modes in which a volume may be on several nodes at once. */
const MANY_NODES: ReadonlySet<unknown> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/** The access mode that ties a claim to one node; undefined where it may be on several. */
function singleNodeMode(claim: Manifest): SingleNodeMode | undefined {
  const modes = listAt(claim, 'spec', 'accessModes');
  if (modes.some((mode) => MANY_NODES.has(mode))) return undefined;
  return modes.find((mode): mode is SingleNodeMode => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

/** The claims of a workload's pods, those of its template first. */
function mountedClaims({ template, podPath, claims: further = [] }: Workload): MountedClaim[] {
  const ofTemplate = listAt(template, 'spec', 'volumes').flatMap((volume, index) => {
    const name = valueAt(volume, 'persistentVolumeClaim', 'claimName');
    return typeof name === 'string' ? [{ name, path: at`${podPath}.volumes[${index}].persistentVolumeClaim.claimName` }] : [];
  });
  return [...ofTemplate, ...further];
}

/** What can be done about a claim that one node at a time can have. */
function wayOut({ strategyOwner, hasClaimTemplates, canRecreate }: Workload, replicas: number) {
  if (strategyOwner) return 'shared-claim';
  if (hasClaimTemplates) return 'claim-templates';
  if (!canRecreate) return 'shared-claim';
  return replicas > 1 ? 'several-pods' : 'one-pod';
}

/** What a claim that one node at a time can have does to a rollout. */
function claimFindings({ workload, rollout }: LimitedRollout, claim: string, mode: SingleNodeMode, path: FieldPath): Finding[] {
  const { replicas, surge, unavailable } = rollout;
  const data = { claim, mode, replicas, way: wayOut(workload, replicas), names: workload.names } as const;
  const isForOnePod = mode === 'ReadWriteOncePod';
  if (isForOnePod && replicas > 1) return [rwoVolumeSurge.finding('severalPods', { path, severity: 'error', data })];
  if (surge === 0 || replicas === 0) return [];
  const early = { ...data, surge };
  if (isForOnePod && unavailable === 0) return [rwoVolumeSurge.finding('neverMounted', { path, severity: 'error', data: early })];
  return [rwoVolumeSurge.finding('waits', { path, data: early })];
}

/** What is wrong with pods that have to mount a volume which others hold on their node. */
export function volumeFindings(rollout: SystemRollout, context: PlanContext): Finding[] {
  const limited = limitedRollout(rollout);
  if (!limited) return [];
  return mountedClaims(limited.workload).flatMap(({ name, path }) => {
    const claim = claims(context).get(claimKey(limited.workload.namespace, name));
    const mode = claim && singleNodeMode(claim);
    return mode ? claimFindings(limited, name, mode, path) : [];
  });
}

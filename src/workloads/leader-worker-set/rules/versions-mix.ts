import type { ReadyTimeline } from '../../../cluster/services/ready-pods';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';

interface MixData {
  /** Names of the two roles. */
  readonly roles: readonly [string, string];
  /** Wave at which most pairs mix versions. */
  readonly wave: number;
  /** Percentage of the pairs that mix versions then. */
  readonly mixed: number;
  /** Percentage of the pairs in which both are new then. */
  readonly allNew: number;
}

function renderRole(name: string, replicas: number): string {
  return `    - name: ${name}
      spec:
        replicas: ${replicas}
        leaderWorkerTemplate:
          workerTemplate:
            spec: { containers: [{ name: vllm, image: "vllm/vllm-openai:v0.11.0" }] }
`;
}

function renderSet(roles: string): string {
  return `apiVersion: disaggregatedset.x-k8s.io/v1
kind: DisaggregatedSet
metadata:
  name: chat
spec:
  roles:
${roles}`;
}

/** A service whose groups do both, so that no router pairs them. */
const ONE_ROLE = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: chat
spec:
  replicas: 4
  leaderWorkerTemplate:
    size: 1
    workerTemplate:
      spec: { containers: [{ name: vllm, image: "vllm/vllm-openai:v0.11.0" }] }
`;

/** Reports rollouts during which two roles of one service have pods of both versions. */
export const versionsMix = defineRule({
  code: 'disaggregated/versions-mix',
  since: '0.1.0',
  severity: 'info',
  fires: 'Two roles that answer a request together, such as prefill and decode, have pods of both versions at some wave.',
  why:
    'A router that pairs the roles freely gives a request to a new pod of one role and to an old one of the other. ' +
    'With a share p of new prefill pods and d of new decode pods, p(1-d) + d(1-p) of the pairs mix versions: with 2 of 4 and 1 of 2 it is half. ' +
    'No source promises that two versions understand the KV cache of each other. ' +
    'The scheduler of an LLMInferenceService pairs freely. Routers that use the Services of a revision of a DisaggregatedSet mix nothing. ' +
    'Source: KServe, config/llmisvcconfig; lws pkg/controllers/disaggregatedset/service_manager.go.',
  fix: 'Check that both versions work together, let the router use the Services of one revision, or serve with groups that do both.',
  example: renderSet(renderRole('prefill', 4) + renderRole('decode', 2)),
  fixedExample: ONE_ROLE,
  messages: {
    pairs: defineMessage<MixData>({
      text: ({ roles: [one, other], wave, mixed, allNew }) =>
        `At wave ${wave}, ${mixed}% of the pairs of ${one} and ${other} mix versions and ${allNew}% are new, if the router pairs them freely.`,
      help: () => 'Check that both versions work together, or let the router use the pods of one revision only.',
      sample: { roles: ['prefill', 'decode'], wave: 5, mixed: 50, allNew: 25 },
    }),
  },
});

/** A role, and its pods over time. */
export interface RoleTimeline {
  readonly name: string;
  readonly timeline: ReadyTimeline;
}

/** Returns the share of new pods in a wave, once all of its pods are ready. */
function getNewShare({ waves, after }: ReadyTimeline, wave: number): number {
  const last = waves.at(-1);
  const moment = last && wave <= last.wave ? waves.findLast((one) => one.wave <= wave) : after;
  const [fresh, old] = [moment?.new.total ?? 0, moment?.old.total ?? 0];
  return fresh + old === 0 ? 0 : fresh / (fresh + old);
}

/** Computes the share of pairs that mix versions. With half of both roles new, it is half. */
function computeMixedShare(one: number, other: number): number {
  return one * (1 - other) + other * (1 - one);
}

/** Reports the wave at which most pairs of two roles mix versions. */
export function checkVersionsMix(one: RoleTimeline, other: RoleTimeline, path: FieldPath): Finding[] {
  const waves = [...new Set([...one.timeline.waves, ...other.timeline.waves].map(({ wave }) => wave))].toSorted((a, b) => a - b);
  const shares = waves.map((wave) => ({ wave, p: getNewShare(one.timeline, wave), d: getNewShare(other.timeline, wave) }));
  const [first, ...rest] = shares.map((share) => ({ ...share, mixed: computeMixedShare(share.p, share.d) }));
  if (!first) return [];
  const worst = rest.reduce((most, share) => (share.mixed > most.mixed ? share : most), first);
  const mixed = Math.round(100 * worst.mixed);
  if (mixed === 0) return [];
  const data = { roles: [one.name, other.name] as const, wave: worst.wave, mixed, allNew: Math.round(100 * worst.p * worst.d) };
  return [versionsMix.createFinding('pairs', { path, data })];
}

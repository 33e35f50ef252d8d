import type { Effect, FieldChange, Refusal, Restart } from '../core/change';
import type { Finding } from '../core/finding';
import { nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { resourceOf } from '../core/rollout';
import type { ResourceRef } from '../core/rollout';
import type { RolloutStart } from '../core/rollout-start';
import type { Versions } from '../core/versions';
import type { PlanContext, RolloutSystem, SystemEffect } from '../cluster/context';
import { podsWithoutRollout } from '../cluster/room/other-pods';
import { isContextObject } from '../cluster/context-kinds';
import type { ChangedPods } from '../cluster/starting-point';
import { reasonNotPlanned } from '../cluster/unplanned-kinds';
import { SYSTEMS, systemOf } from '../plan/registry';
import { bundleNameOf, isFleetYaml } from '../systems/fleet/fleet-yaml';
import { workloadKind, workloadKindOf, workloadNameOf } from '../workloads/kinds';
import type { WorkloadName } from '../workloads/kinds';
import type { RolloutKind } from '../workloads/rollout-kind';
import { replicasOf, scalerOf, wantedReplicas } from '../workloads/replicas';
import { barePods, isPod, mayMovePodsOfJob, replacesNoPods, restartsContainers } from './bare-pods';
import { differsBesidesMetadata, names } from './compared';
import type { Compared } from './compared';
import { asksReloader, ConfigReaders, isConfig } from './config-use';
import { strongest } from './effect-order';
import type { Owned } from './live';
import { podsFreedByQuota } from './raised-quota';
import type { RaisedQuotas, WaitingPods } from './raised-quota';
import { podsThatGoOn, runningBefore } from './running-pods';
import { isSettingsOnly } from './settings-kinds';
import { withSpelledPods } from './stored/definition-defaults';
import { templateEquality } from './stored/filled-template';
import { templateEqual } from './stored/template-equal';
import { decidingFirst, heldUntil, storedReplicas, workloadEffect } from './workload-effect';
import { STARTS } from './workload-starts';

/** What an apply does to one object and to each rollout of it. */
export interface Judged {
  readonly compared: Compared;
  readonly effect: Effect;
  readonly because: readonly FieldChange[];
  readonly causedBy: readonly Manifest[];
  readonly restarts: readonly Restart[];
  /** The clusters that a bundle's change reaches, where those are not all. */
  readonly clusters?: readonly string[];
  /** By component; `''` for an object that is one rollout. */
  readonly pods: ReadonlyMap<string, ChangedPods>;
  /** What each component does; `''` for an object that is one rollout. */
  readonly effects: ReadonlyMap<string, Effect>;
  /** What a system says of the change, by component. */
  readonly findings?: ReadonlyMap<string, readonly Finding[]>;
  /** Pods before the apply, where the object is one rollout of known pods. */
  readonly podsBefore?: number;
  readonly start?: RolloutStart;
  /** Of what is held, what has to happen before pods change. */
  readonly heldUntil?: string;
  /** Of a StatefulSet that rolls, the ordinal of a pod that is perhaps not ready. */
  readonly waitsPerhapsFor?: number;
}

/** All that the judgement of one object looks at beside it. */
export interface Surrounding {
  readonly versions: Versions;
  readonly oldContext: PlanContext;
  readonly newContext: PlanContext;
  readonly owned: Owned;
  /** Whose pods read what, after the apply. */
  readonly readers: ConfigReaders;
  /** Does an autoscaler differ, or is one new? */
  readonly hasChangedAutoscalers: boolean;
  /** Those that differ or are new, of a workload. */
  readonly changedAutoscalersOf: (workload: Manifest) => readonly Manifest[];
  readonly raisedQuotas: RaisedQuotas;
  /** Objects that systems plan others by, and that differ. */
  readonly changedContext: readonly Manifest[];
  /** Does an object of NEW differ from that of OLD, or is it new, and the server takes it? */
  readonly isChanged: (object: Manifest) => boolean;
  /** ConfigMaps and Secrets that are new. */
  readonly newConfigs: ReadonlySet<Manifest>;
  /** Objects that differ and that Fleet takes from the folder of a fleet.yaml. */
  readonly contentOf: (fleetYaml: Manifest) => readonly Manifest[];
  /** How each object of NEW compares, to leave out of `restarts` what is made anew anyway. */
  readonly isNew: (object: Manifest) => boolean;
}

export function refOf(object: Manifest): ResourceRef {
  if (isFleetYaml(object)) return resourceOf({ apiVersion: object.apiVersion, kind: 'Bundle' }, bundleNameOf(object));
  return resourceOf(object, nameOf(object), namespaceOf(object));
}

const AT_REST = { rolls: false } as const;

type Parts = Pick<Judged, 'effect'> & Partial<Omit<Judged, 'compared'>>;

function judgement(compared: Compared, { effect, ...parts }: Parts): Judged {
  return {
    compared,
    effect,
    because: decidingFirst(effect, compared.differences),
    causedBy: [],
    restarts: [],
    pods: new Map([['', AT_REST]]),
    effects: new Map([['', effect]]),
    ...parts,
  };
}

interface Replicas {
  readonly old: number;
  readonly next: number;
  readonly causedBy: readonly Manifest[];
}

function clamped(replicas: number, { minimum, maximum }: { readonly minimum: number; readonly maximum: number }): number {
  return Math.min(maximum, Math.max(minimum, replicas));
}

/** Pods that are wanted before and after: by the object itself, by what runs, and by an autoscaler whose bounds exclude that. */
function replicasOfBoth({ old, next, result, stored }: Compared, kind: RolloutKind, around: Surrounding): Replicas {
  const { given, isLive } = old!;
  const before = isLive ? storedReplicas(old!.stored) : wantedReplicas(kind, given, around.oldContext);
  const autoscaler = scalerOf(kind, next, around.newContext);
  const isNamed = names(given, 'replicas') || names(next, 'replicas');
  const own = isNamed || isLive ? storedReplicas(stored ?? old!.stored) : replicasOf(result, autoscaler);
  const causes = around.changedAutoscalersOf(result);
  const isOwnChange = isNamed && own !== before;
  if (causes.length === 0 || !autoscaler || isOwnChange) return { old: before, next: own, causedBy: [] };
  const after = before === 0 && !autoscaler.startsFromZero ? 0 : clamped(before, autoscaler);
  return { old: before, next: after, causedBy: after === before ? [] : causes };
}

/** A manifest that says what it said, of which no autoscaler wants another number: nothing has to be settled to know that it stays. */
function judgedUntouched(name: WorkloadName, compared: Compared, { hasChangedAutoscalers }: Surrounding): Judged | undefined {
  const { next, old, differences, isReplaced } = compared;
  const isSame = differences.length === 0 && !isReplaced && !old!.isLive && next === compared.result && !hasChangedAutoscalers;
  const isPaused = valueAt(next, 'spec', 'paused') === true;
  const replicas = valueAt(next, 'spec', 'replicas');
  if (!isSame || isPaused || typeof replicas !== 'number' || workloadKind(name).traits.onePerNode) return undefined;
  const revisions = replicas === 0 ? [] : [{ replicas, available: replicas }];
  return judgement(compared, {
    effect: 'none',
    pods: new Map([['', { rolls: false, replicas }]]),
    podsBefore: replicas,
    start: { replicas, revisions, underWay: false },
  });
}

function judgedWorkload(name: WorkloadName, compared: Compared, around: Surrounding): Judged {
  const untouched = judgedUntouched(name, compared, around);
  if (untouched) return untouched;
  const { next, old, result } = compared;
  const { versions, owned, readers, newConfigs } = around;
  const stored = compared.stored ?? old!.stored;
  const kind = workloadKind(name);
  const replicas = replicasOfBoth(compared, kind, around);
  const [before, template] = [old!.stored, stored].map((object) => valueAt(object, 'spec', 'template'));
  const isSameTemplate =
    !compared.differences.some(({ path }) => path.startsWith('spec.template')) || templateEqual(name, before, template, versions);
  const isLive = old!.isLive;
  const query = { name, given: old!.given, stored: old!.stored, template, isSameTemplate, replicas: replicas.old, isLive, owned, versions };
  const start = STARTS[name](query);
  const { onePerNode = false } = kind.traits;
  const pods = { name: nameOf(next), kind: next.kind, replicas: 0, ...templatePods(result, kind) };
  const nodes = onePerNode ? kind.count(result, pods, around.newContext).start?.replicas : undefined;
  const effect = compared.isReplaced
    ? 'replace'
    : workloadEffect(
        { kind, old: old!.stored, next: stored, replicas, start, isLive, isSameTemplate, ...(nodes !== undefined && { nodes }) },
        compared.differences,
      );
  const waiting =
    isLive && !onePerNode && TOUCHES_NO_POD.has(effect) && start.start.revisions.length <= 1
      ? podsFreedByQuota(old!.given, replicas.next, around.raisedQuotas, around.oldContext)
      : undefined;
  if (waiting) return judgedWaiting(compared, waiting, replicas.next, start.start);
  const rolls = effect === 'roll' || effect === 'roll-and-scale';
  const byStatus = onePerNode && nodes === undefined && start.start.replicas > 0;
  const changed: ChangedPods = {
    rolls,
    ...(!onePerNode && { replicas: replicas.next }),
    ...(byStatus && { replicas: start.start.replicas }),
    ...(rolls && { start: start.point }),
    ...(replicas.old !== replicas.next && { running: [isLive ? podsThere(start.start) : replicas.old] }),
  };
  const readsNew = rolls ? [...newConfigs].filter((config) => readers.of(config).some(({ object }) => object === result)) : [];
  return judgement(compared, {
    effect,
    causedBy: [...(effect === 'scale' || effect === 'roll-and-scale' ? replicas.causedBy : []), ...readsNew],
    pods: new Map([['', changed]]),
    podsBefore: onePerNode ? (nodes ?? start.start.replicas) : replicas.old,
    ...(effect === 'held' && { heldUntil: heldUntil({ kind, next: stored, replicas, ...(nodes !== undefined && { nodes }) }) }),
    ...(rolls && start.waitsPerhapsFor !== undefined && { waitsPerhapsFor: start.waitsPerhapsFor }),
    start: onePerNode && start.start.replicas === 0 && nodes !== undefined ? atRestOn(nodes) : start.start,
  });
}

const TOUCHES_NO_POD: ReadonlySet<Effect> = new Set(['none', 'metadata', 'settings']);

/** A workload that gets the pods which a quota refused until now. */
function judgedWaiting(compared: Compared, { there, causedBy }: WaitingPods, wanted: number, start: RolloutStart): Judged {
  return judgement(compared, {
    effect: 'scale',
    causedBy,
    pods: new Map([['', { rolls: false, replicas: wanted, running: [there] }]]),
    podsBefore: there,
    start,
  });
}

/** Pods that exist, be they available or not: what a quota refused is not there. */
function podsThere({ revisions }: RolloutStart): number {
  return revisions.reduce((sum, { replicas }) => sum + replicas, 0);
}

function atRestOn(nodes: number): RolloutStart {
  return { replicas: nodes, revisions: nodes === 0 ? [] : [{ replicas: nodes, available: nodes }], underWay: false };
}

function templatePods(object: Manifest, kind: RolloutKind) {
  const template = (object.spec as { template?: Record<string, unknown> } | undefined)?.template ?? {};
  const namespace = namespaceOf(object);
  return { template: kind.podTemplate(template), ...(namespace !== undefined && { namespace }) };
}

/** A ConfigMap or Secret whose data changed in place: whose pods keep the old values, and how they read them. */
function judgedConfig(compared: Compared, around: Surrounding, rolled: ReadonlySet<Manifest>): Judged {
  if (!differsBesidesMetadata(compared)) return judgedPlain(compared, around);
  const readers = around.readers.of(compared.result).filter(({ object }) => !rolled.has(object) && !around.isNew(object));
  const restarts = readers.map(({ object, reads }): Restart => {
    return { ...refOf(object), reads: [...reads], ...(asksReloader(object, compared.result) && { asksReloader: true }) };
  });
  return judgement(compared, { effect: restarts.length > 0 ? 'restart-needed' : 'settings', restarts });
}

function judgedPlain(compared: Compared, around: Surrounding): Judged {
  const { differences, next } = compared;
  if (compared.isReplaced) return judgement(compared, { effect: 'replace' });
  if (differences.length === 0) return judgement(compared, { effect: 'none' });
  if (!differsBesidesMetadata(compared)) return judgement(compared, { effect: 'metadata' });
  if (isPod(next)) return judgedPod(compared);
  if (mayMovePodsOfJob(compared.old!.given, compared.differences)) return judgedJob(compared);
  if (replacesNoPods(next)) return judgedBare(compared, around);
  const led = contextEffect(compared, around);
  if (led) {
    const { effect, clusters, heldUntil: until } = led;
    return judgement(compared, { effect, ...(clusters && { clusters }), ...(until !== undefined && { heldUntil: until }) });
  }
  const isKnown = isContextObject(next) || isSettingsOnly(next);
  return judgement(compared, { effect: isKnown && reasonNotPlanned(next) === undefined ? 'settings' : 'unknown' });
}

/** A Pod on its own, of which all that makes a difference is refused but the image: the kubelet restarts the containers that have another one. */
function judgedPod(compared: Compared): Judged {
  const pods = new Map([['', { rolls: false, replicas: 1 }]]);
  return judgement(compared, { effect: restartsContainers(compared.differences) ? 'roll' : 'settings', pods, podsBefore: 1 });
}

/** A Job that may start or stop pods: how many is not known, but what the server holds of both sides says how many it may want at once, for their room. */
function judgedJob(compared: Compared): Judged {
  const { given, stored } = compared.old!;
  const [before = 0, after = 0] = [stored, compared.stored ?? stored].map(({ spec }) => podsWithoutRollout({ ...given, spec }));
  const changed = before === after ? {} : { running: [before] };
  return judgement(compared, { effect: 'unknown', pods: new Map([['', { rolls: false, ...changed }]]) });
}

/** A ReplicaSet on its own: its pods stay, whatever its template says. */
function judgedBare(compared: Compared, { versions }: Surrounding): Judged {
  const { old, stored } = compared;
  const { effect = 'settings', heldUntil: until, replicas } = barePods(old!.stored, stored ?? old!.stored, versions);
  const running = replicas.old === replicas.next ? {} : { running: [replicas.old] };
  return judgement(compared, {
    effect,
    ...(until !== undefined && { heldUntil: until }),
    pods: new Map([['', { rolls: false, replicas: replicas.next, ...running }]]),
    podsBefore: replicas.old,
  });
}

/** What an object leads to that a system plans others by. */
function contextEffect({ old, result }: Compared, { oldContext, newContext }: Surrounding): SystemEffect | undefined {
  const sides = [
    { object: old!.given, context: oldContext },
    { object: result, context: newContext },
  ] as const;
  for (const system of SYSTEMS) {
    const effect = system.contextEffect?.(...sides);
    if (effect) return effect;
  }
  return undefined;
}

function judgedRefused(compared: Compared, refusal: Refusal): Judged {
  return judgement({ ...compared, refusal, differences: [] }, { effect: 'refused', because: compared.differences, pods: new Map() });
}

/** What a webhook or the controller of a system says no to: it plans nothing of such an object, and says why. */
function refusalBySystem(system: RolloutSystem, object: Manifest, context: PlanContext): Refusal | undefined {
  for (const { simulation, findings, refusedFor } of system.plan(object, context)) {
    const unplannable = simulation === null ? findings.find(({ severity }) => severity === 'error') : undefined;
    const found = refusedFor === undefined ? unplannable : refusedFor;
    if (found) return { path: found.path, message: found.message };
  }
  return undefined;
}

/** Does the object differ, or is it new, from which this one takes its pod template? */
function isTemplateChanged({ templateHolder }: RolloutSystem, { result }: Compared, { newContext, isChanged }: Surrounding): boolean {
  const holder = templateHolder?.(result, newContext);
  return holder !== undefined && isChanged(holder);
}

function effectsBySystem({ old, result }: Compared, { effects }: RolloutSystem, around: Surrounding): readonly SystemEffect[] {
  if (typeof effects === 'string') return [];
  return effects(
    { object: withSpelledPods(old!.given), context: around.oldContext, ...(old!.isLive && { live: around.owned }) },
    { object: withSpelledPods(result), context: around.newContext },
    templateEquality(around.versions),
  );
}

function judgedSystem(compared: Compared, system: RolloutSystem, around: Surrounding): Judged {
  const { old, result, differences } = compared;
  const mayBeCaused =
    around.changedContext.length > 0 ||
    (isFleetYaml(result) && around.contentOf(compared.next).length > 0) ||
    isTemplateChanged(system, compared, around);
  const effects = differences.length > 0 || mayBeCaused ? effectsBySystem(compared, system, around) : [];
  const refusal = effects.find((one) => one.refusal)?.refusal;
  const refused = refusal ?? (differences.length > 0 ? refusalBySystem(system, result, around.newContext) : undefined);
  if (refused) return judgedRefused(compared, refused);
  if (compared.isReplaced) return judgement(compared, { effect: 'replace' });
  if (typeof system.effects === 'string') return judgedPlain(compared, around);
  if (differences.length === 0 && !mayBeCaused) return judgement(compared, { effect: 'none', pods: new Map() });
  const content = isFleetYaml(result) ? around.contentOf(compared.next) : [];
  if (content.length > 0 && effects.every((one) => one.effect !== 'held')) {
    return judgement(compared, { effect: 'roll', causedBy: content, pods: new Map([['', { rolls: true }]]) });
  }
  const clusters = effects.flatMap((one) => one.clusters ?? []);
  const isSame = differences.length === 0 || effects.some((one) => one.isTakenBack);
  const own: Effect = isSame ? 'none' : differsBesidesMetadata(compared) ? 'settings' : 'metadata';
  const isUnknown = effects.some((one) => one.effect === 'unknown');
  const effect = isUnknown ? 'unknown' : strongest([own, ...effects.map((one) => one.effect)]);
  const causes = new Set(effects.flatMap(({ causedBy = [] }) => causedBy.filter(around.isChanged)));
  const standing = effects.find((one) => one.standing)?.standing;
  const until = effect === 'held' ? effects.find((one) => one.heldUntil !== undefined)?.heldUntil : undefined;
  const podsBefore = effects.every(({ replicas }) => replicas) ? effects.reduce((sum, { replicas }) => sum + replicas!.old, 0) : undefined;
  return judgement(compared, {
    effect,
    ...(until !== undefined && { heldUntil: until }),
    causedBy: [...causes],
    ...(clusters.length > 0 && { clusters }),
    effects: new Map(effects.map((one) => [one.component ?? '', one.effect])),
    findings: new Map(effects.map((one) => [one.component ?? '', one.findings ?? []])),
    pods: new Map(
      effects.map((one) => {
        const { component = '', effect: each, replicas, start } = one;
        const before = { object: old!.given, context: around.oldContext };
        const running = runningBefore(one, system, before);
        const goOn = podsThatGoOn(one, system, before);
        return [
          component,
          {
            rolls: each === 'roll' || each === 'roll-and-scale',
            ...(replicas && { replicas: replicas.next }),
            ...(each === 'roll' && start && { start }),
            ...(replicas && each === 'roll-and-scale' && { start: start ?? { before: replicas.old, replicaSets: [oldSet(replicas.old)] } }),
            ...(running && { running }),
            ...(goOn && { goOn }),
          },
        ];
      }),
    ),
    ...(podsBefore !== undefined && effects.length > 0 && { podsBefore }),
    ...(standing && { start: standing }),
  });
}

function oldSet(size: number) {
  return { isNew: false, size, available: size, desired: size };
}

/** What an apply does to an object; ConfigMaps and Secrets last, for what rolls anyway is not to be restarted. */
export function judged(compared: Compared, around: Surrounding, rolled: ReadonlySet<Manifest>): Judged {
  const { next, old, refusal } = compared;
  if (!old) return judgement(compared, refusal ? { effect: 'refused', because: [], pods: new Map() } : { effect: 'create' });
  if (refusal) return judgement(compared, { effect: 'refused', because: compared.refused ?? [], ...keptPods(compared, around) });
  const name = workloadNameOf(next);
  if (name) return judgedWorkload(name, compared, around);
  if (isConfig(next)) return judgedConfig(compared, around, rolled);
  const system = systemOf(next);
  return system ? judgedSystem(compared, system, around) : judgedPlain(compared, around);
}

/** Of a refused workload what runs goes on. */
function keptPods({ old, next }: Compared, around: Surrounding): Partial<Judged> {
  const kind = workloadKindOf(next);
  if (!kind || kind.traits.onePerNode) return {};
  const { given, isLive, stored } = old!;
  const replicas = isLive ? storedReplicas(stored) : wantedReplicas(kind, given, around.oldContext);
  return { pods: new Map([['', { rolls: false, replicas }]]), podsBefore: replicas };
}

import { at, childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32, isPercentString, percentOf } from '../../../core/int-or-percent';
import { fieldsAt, isFields, listAt } from '../../../core/manifest';
import type { Fields, Manifest } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { ROLLOUT_DEFAULTS, pauseSeconds } from '../strategy';
import type { RolloutsBehaviour } from '../versions';
import { rolloutWith } from './examples';

/** Each reason for which the controller refuses a Rollout: why, and what to write. */
const REASONS = {
  'no-strategy': ['there is neither a canary nor a blueGreen', 'Write strategy.canary or strategy.blueGreen.'],
  'two-strategies': ['there are a canary and a blueGreen', 'Keep one of them.'],
  negative: ['it is below 0', 'Write 0 or more.'],
  deadline: ['it has to be greater than minReadySeconds', 'Write more seconds than minReadySeconds.'],
  'same-services': ['both Services are the same one', 'Name two Services.'],
  'revision-limit': ['it is above revisionHistoryLimit', 'Write revisionHistoryLimit or less.'],
  'both-zero': ['maxSurge and maxUnavailable are both 0', 'Write at least 1 for one of them.'],
  'needs-services': ['the router needs the names of both Services', 'Name stableService and canaryService.'],
  'needs-routing': ['it holds with trafficRouting alone', 'Delete it, or write trafficRouting.'],
  'delay-and-dynamic': ['dynamicStableScale leaves nothing for scaleDownDelaySeconds to delay', 'Keep one of them.'],
  'max-weight': ['only nginx and plugins take it', 'Delete it: 100 is the default.'],
  'several-in-step': ['a step does one thing', 'Write a step for each.'],
  'empty-step': ['the step does nothing', 'Write setWeight, pause or another kind of step, or delete it.'],
  weight: ['a weight is from 0 to maxTrafficWeight, 100 by default', 'Write a weight from 0 to 100.'],
  duration: ['a pause is 0 s or longer, as a number or a duration such as 1m30s', 'Write a number of seconds, or a duration.'],
  'header-route': ['only istio, alb, apisix and plugins have header routes', 'Delete the step, or use one of those routers.'],
  'mirror-route': ['this router has no mirror routes', 'Delete the step, or use istio.'],
  'managed-route': ['trafficRouting.managedRoutes does not list the route', 'List it in managedRoutes.'],
  'experiment-weight': ['the router does not take weights of experiments', 'Delete the weight.'],
  'ping-pong': [
    'ping-pong needs two Services and a router that has it, with alb a rootService as well',
    'Name pingService and pongService.',
  ],
  'anti-affinity': ['it is one of preferred (with a weight from 1 to 100) and required', 'Keep one of them.'],
} as const satisfies Readonly<Record<string, readonly [why: string, write: string]>>;

type Reason = keyof typeof REASONS;

interface InvalidData {
  readonly reason: Reason;
  /** The field as the Rollout has it. */
  readonly field: string;
  readonly value: Seen;
}

/** What the controller refuses in a Rollout: it then does nothing at all with it. */
export const invalidRollout = rule({
  code: 'argo-rollouts/invalid-rollout',
  since: '0.1.0',
  severity: 'error',
  fires: 'The controller refuses the Rollout: no strategy or two, both limits 0, a weight above 100, a step of two kinds, and so on.',
  why:
    'Nothing of this is in the schema that the API server checks, so it takes the object. The controller then writes the condition InvalidSpec ' +
    'and does nothing more: neither this change nor any later one rolls out.',
  fix: 'Write what the message asks for.',
  example: rolloutWith('canary:\n  maxSurge: 0\n  maxUnavailable: 0'),
  fixed: rolloutWith('canary:\n  maxSurge: 1\n  maxUnavailable: 0'),
  messages: {
    refused: message<InvalidData>({
      text: ({ reason, field, value }) =>
        `${field} is ${show(value)}, and the controller of Argo Rollouts refuses the Rollout (InvalidSpec): ${REASONS[reason][0]}.`,
      help: ({ reason }) => REASONS[reason][1],
      sample: { reason: 'both-zero', field: 'maxSurge', value: 0 },
      variants: (Object.keys(REASONS) as Reason[]).map((reason) => ({ reason, field: 'canary', value: 0 })),
    }),
  },
});

const STRATEGY = at`spec.strategy`;

function refused(reason: Reason, path: FieldPath, field: string, value: unknown): Finding {
  return invalidRollout.finding('refused', { path, data: { reason, field, value: seen(value) } });
}

/** A field that is refused; `undefined` where there is nothing to refuse. */
type Check = Finding | undefined;

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A limit as the check of both being 0 reads it: a percentage only with its sign, and any other text by its digits. */
function limitValue(value: unknown): number {
  if (isInt32(value)) return value;
  if (isPercentString(value)) return percentOf(value);
  return typeof value === 'string' && /^[+-]?[0-9]{1,18}$/.test(value) ? Number(value) : 0;
}

function specChecks(spec: Fields): Check[] {
  const { replicas, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds } = spec;
  const counts = { replicas, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds };
  const deadline = isInt32(progressDeadlineSeconds) ? progressDeadlineSeconds : ROLLOUT_DEFAULTS.progressDeadlineSeconds;
  const isTooShort = deadline <= (isInt32(minReadySeconds) ? minReadySeconds : 0);
  return [
    ...Object.entries(counts).map(([name, value]) =>
      isInt32(value) && value < 0 ? refused('negative', childPath('spec', name), name, value) : undefined,
    ),
    isTooShort ? refused('deadline', at`spec.progressDeadlineSeconds`, 'progressDeadlineSeconds', deadline) : undefined,
  ];
}

function antiAffinityCheck(strategy: Fields, path: FieldPath): Check {
  if (!isFields(strategy.antiAffinity)) return undefined;
  const preferred = strategy.antiAffinity.preferredDuringSchedulingIgnoredDuringExecution;
  const required = strategy.antiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  const weight = isFields(preferred) ? Number(preferred.weight ?? 0) : 1;
  if (given(preferred) !== given(required) && weight >= 1 && weight <= 100) return undefined;
  return refused('anti-affinity', at`${path}.antiAffinity`, 'antiAffinity', strategy.antiAffinity);
}

function blueGreenChecks(blueGreen: Fields, spec: Fields): Check[] {
  const path = at`${STRATEGY}.blueGreen`;
  const { activeService = '', previewService = '', scaleDownDelayRevisionLimit: limit } = blueGreen;
  const history = isInt32(spec.revisionHistoryLimit) ? spec.revisionHistoryLimit : ROLLOUT_DEFAULTS.revisionHistoryLimit;
  return [
    activeService === previewService ? refused('same-services', at`${path}.activeService`, 'activeService', activeService) : undefined,
    isInt32(limit) && history < limit
      ? refused('revision-limit', at`${path}.scaleDownDelayRevisionLimit`, 'scaleDownDelayRevisionLimit', limit)
      : undefined,
    antiAffinityCheck(blueGreen, path),
  ];
}

/** Kinds of steps of which a step may have one. The controller does not count those that came later. */
const COUNTED = ['setWeight', 'pause', 'experiment', 'analysis'] as const;
const STEP_KINDS = [...COUNTED, 'setCanaryScale', 'setHeaderRoute', 'setMirrorRoute', 'plugin'] as const;

function has(routing: Fields | undefined, ...routers: readonly string[]): boolean {
  return (
    routing !== undefined &&
    routers.some((router) => (router === 'plugins' ? Object.keys(fieldsAt(routing, router)).length > 0 : given(routing[router])))
  );
}

interface StepQuery {
  readonly step: Fields;
  readonly path: FieldPath;
  readonly routing: Fields | undefined;
  readonly behaviour: RolloutsBehaviour;
}

function routeChecks({ step, path, routing, behaviour }: StepQuery): Check[] {
  const mirrors = has(routing, 'istio', ...(behaviour.pluginsMirror ? ['plugins'] : []));
  const names = routing && listAt(routing, 'managedRoutes').map((route) => fieldsAt(route).name);
  return (['setHeaderRoute', 'setMirrorRoute'] as const).flatMap((kind): Check[] => {
    if (!given(step[kind])) return [];
    const place = childPath(path, kind);
    const isHeader = kind === 'setHeaderRoute';
    const takes = isHeader ? has(routing, 'istio', 'alb', 'apisix', 'plugins') : mirrors;
    if (!takes) return [refused(isHeader ? 'header-route' : 'mirror-route', place, kind, step[kind])];
    return names?.includes(fieldsAt(step, kind).name) ? [] : [refused('managed-route', place, kind, fieldsAt(step, kind).name)];
  });
}

function experimentChecks({ step, path, routing }: StepQuery): Check[] {
  if (has(routing, 'alb', 'smi', 'istio', 'plugins')) return [];
  return listAt(step, 'experiment', 'templates').map((template, index) => {
    const { weight } = fieldsAt(template);
    return given(weight) ? refused('experiment-weight', at`${path}.experiment.templates[${index}].weight`, 'weight', weight) : undefined;
  });
}

function stepChecks(query: StepQuery): Check[] {
  const { step, path, routing } = query;
  const most = isInt32(routing?.maxTrafficWeight) ? routing.maxTrafficWeight : 100;
  const { setWeight, pause } = step;
  const duration = isFields(pause) ? pause.duration : undefined;
  return [
    COUNTED.filter((kind) => given(step[kind])).length > 1 ? refused('several-in-step', path, 'the step', Object.keys(step)) : undefined,
    STEP_KINDS.some((kind) => given(step[kind])) ? undefined : refused('empty-step', path, 'the step', step),
    isInt32(setWeight) && (setWeight < 0 || setWeight > most)
      ? refused('weight', at`${path}.setWeight`, 'setWeight', setWeight)
      : undefined,
    given(duration) && pauseSeconds(duration) < 0 ? refused('duration', at`${path}.pause.duration`, 'duration', duration) : undefined,
    given(step.setCanaryScale) && !routing
      ? refused('needs-routing', at`${path}.setCanaryScale`, 'setCanaryScale', step.setCanaryScale)
      : undefined,
    ...routeChecks(query),
    ...experimentChecks(query),
  ];
}

/** Does its router go by the names of the Services? */
function needsServices(routing: Fields | undefined, pingPong: unknown): boolean {
  if (!routing) return false;
  const isPingPong = given(pingPong);
  const bySubset = isFields(routing.istio) && given(routing.istio.destinationRule);
  return (
    (given(routing.alb) && !isPingPong) ||
    (given(routing.istio) && !bySubset && !isPingPong) ||
    ['smi', 'apisix', 'ambassador', 'nginx', 'appMesh', 'traefik'].some((router) => given(routing[router]))
  );
}

function pingPongCheck({ pingPong }: Fields, routing: Fields | undefined, { pluginsMirror }: RolloutsBehaviour): Check {
  if (!isFields(pingPong)) return undefined;
  const { pingService = '', pongService = '' } = pingPong;
  const takes = !routing || has(routing, 'alb', 'istio', ...(pluginsMirror ? ['plugins'] : []));
  const hasRoot = !isFields(routing?.alb) || (given(routing.alb.rootService) && routing.alb.rootService !== '');
  if (takes && hasRoot && pingService !== '' && pongService !== '' && pingService !== pongService) return undefined;
  return refused('ping-pong', at`${STRATEGY}.canary.pingPong`, 'pingPong', pingPong);
}

function canaryChecks(canary: Fields, behaviour: RolloutsBehaviour): Check[] {
  const path = at`${STRATEGY}.canary`;
  const routing = isFields(canary.trafficRouting) ? canary.trafficRouting : undefined;
  const { maxSurge = ROLLOUT_DEFAULTS.maxSurge, maxUnavailable = ROLLOUT_DEFAULTS.maxUnavailable } = canary;
  const { canaryService = '', stableService = '', scaleDownDelaySeconds, dynamicStableScale } = canary;
  const lacksService = needsServices(routing, canary.pingPong) && (stableService === '' || canaryService === '');
  const missing = stableService === '' ? 'stableService' : 'canaryService';
  const most = routing?.maxTrafficWeight;
  const isDynamic = dynamicStableScale === true;
  return [
    limitValue(maxSurge) === 0 && limitValue(maxUnavailable) === 0
      ? refused('both-zero', at`${path}.maxSurge`, 'maxSurge', maxSurge)
      : undefined,
    canaryService !== '' && canaryService === stableService
      ? refused('same-services', at`${path}.stableService`, 'stableService', stableService)
      : undefined,
    pingPongCheck(canary, routing, behaviour),
    lacksService ? refused('needs-services', childPath(path, missing), missing, '') : undefined,
    given(scaleDownDelaySeconds) && !routing
      ? refused('needs-routing', at`${path}.scaleDownDelaySeconds`, 'scaleDownDelaySeconds', scaleDownDelaySeconds)
      : undefined,
    isDynamic && !routing ? refused('needs-routing', at`${path}.dynamicStableScale`, 'dynamicStableScale', true) : undefined,
    isDynamic && routing && given(scaleDownDelaySeconds)
      ? refused('delay-and-dynamic', at`${path}.dynamicStableScale`, 'dynamicStableScale', true)
      : undefined,
    given(most) && !has(routing, 'nginx', 'plugins')
      ? refused('max-weight', at`${path}.trafficRouting.maxTrafficWeight`, 'maxTrafficWeight', most)
      : undefined,
    ...listAt(canary, 'steps').flatMap((step, index) =>
      stepChecks({ step: fieldsAt(step), path: at`${path}.steps[${index}]`, routing, behaviour }),
    ),
    antiAffinityCheck(canary, path),
  ];
}

/**
 * What the controller refuses in a Rollout besides its pod template.
 *
 * Source: pkg/apis/rollouts/validation/validation.go at v1.8.3, v1.9.1 and v1.10.2. Services, Ingresses and templates of analyses
 * that it names are looked for by the controller alone.
 */
export function rolloutFindings(rollout: Manifest, behaviour: RolloutsBehaviour): Finding[] {
  const spec = fieldsAt(rollout, 'spec');
  const strategy = fieldsAt(spec, 'strategy');
  const { canary, blueGreen } = strategy;
  if (!isFields(canary) && !isFields(blueGreen)) return [refused('no-strategy', STRATEGY, 'strategy', strategy)];
  if (isFields(canary) && isFields(blueGreen)) return [refused('two-strategies', STRATEGY, 'strategy', Object.keys(strategy))];
  const ofStrategy = isFields(canary) ? canaryChecks(canary, behaviour) : blueGreenChecks(fieldsAt(blueGreen), spec);
  return [...specChecks(spec), ...ofStrategy].filter((check) => check !== undefined);
}

import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32, isPercentString, parsePercent } from '../../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { ROLLOUT_DEFAULTS, hasRouter, parsePauseSeconds } from '../strategy';
import type { RolloutsBehaviour } from '../versions';
import { renderArgoRollout } from './examples';
import { toSafeNumber } from '../../../core/text/value-text';

/** Each reason why the controller refuses a Rollout: the cause, and what to write. */
const REASONS = {
  'no-strategy': ['neither canary nor blueGreen is set', 'Write strategy.canary or strategy.blueGreen.'],
  'two-strategies': ['both canary and blueGreen are set', 'Keep one of them.'],
  negative: ['it is negative', 'Write 0 or more.'],
  deadline: ['it must be greater than minReadySeconds', 'Write a value greater than minReadySeconds.'],
  'same-services': ['both fields name the same Service', 'Name two different Services.'],
  'revision-limit': ['it is greater than revisionHistoryLimit', 'Write the value of revisionHistoryLimit or less.'],
  'both-zero': ['maxSurge and maxUnavailable are both 0', 'Set at least one of them to 1 or more.'],
  'needs-services': ['the router needs the names of both Services', 'Name stableService and canaryService.'],
  'needs-routing': ['it is only allowed with trafficRouting', 'Delete it, or write trafficRouting.'],
  'delay-and-dynamic': ['dynamicStableScale and scaleDownDelaySeconds cannot be combined', 'Keep one of them.'],
  'max-weight': ['only nginx and plugins support it', 'Delete it: the default is 100.'],
  'several-in-step': ['a step may have only one action', 'Write one step for each action.'],
  'empty-step': ['the step has no action', 'Write setWeight, pause or another action, or delete the step.'],
  weight: ['a weight must be between 0 and maxTrafficWeight (default 100)', 'Write a weight from 0 to maxTrafficWeight.'],
  duration: ['a pause must be 0 s or longer, as a number or a duration such as 1m30s', 'Write a number of seconds or a duration.'],
  'header-route': ['only istio, alb, apisix and plugins support header routes', 'Delete the step, or use one of these routers.'],
  'mirror-route': ['this router does not support mirror routes', 'Delete the step, or use istio.'],
  'managed-route': ['trafficRouting.managedRoutes does not list the route', 'Add it to managedRoutes.'],
  'experiment-weight': ['the router does not support experiment weights', 'Delete the weight.'],
  'ping-pong': [
    'ping-pong needs two Services and a router that supports it, and with alb also a rootService',
    'Name pingService and pongService.',
  ],
  'anti-affinity': ['it must be either preferred (with a weight from 1 to 100) or required', 'Keep one of them.'],
} as const satisfies Readonly<Record<string, readonly [why: string, write: string]>>;

type Reason = keyof typeof REASONS;

interface InvalidData {
  readonly reason: Reason;
  /** The name of the field in the Rollout. */
  readonly field: string;
  readonly value: DisplayValue;
}

/** Reports what the controller refuses in a Rollout, after which it ignores the Rollout completely. */
export const invalidRollout = defineRule({
  code: 'argo-rollouts/invalid-rollout',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The controller refuses the Rollout: it has no strategy or two, maxSurge and maxUnavailable are both 0, a weight is above 100, a step has two actions, and so on.',
  why:
    'The schema does not cover these errors, so the API server accepts the object. The controller then sets the condition InvalidSpec ' +
    'and does nothing else: no change rolls out until the error is fixed.',
  fix: 'Write the value that the message suggests.',
  example: renderArgoRollout('canary:\n  maxSurge: 0\n  maxUnavailable: 0'),
  fixedExample: renderArgoRollout('canary:\n  maxSurge: 1\n  maxUnavailable: 0'),
  messages: {
    refused: defineMessage<InvalidData>({
      text: ({ reason, field, value }) =>
        `${field} is ${formatDisplayValue(value)}, which the Argo Rollouts controller refuses (InvalidSpec): ${REASONS[reason][0]}.`,
      help: ({ reason }) => REASONS[reason][1],
      sample: { reason: 'both-zero', field: 'maxSurge', value: 0 },
      variants: (Object.keys(REASONS) as Reason[]).map((reason) => ({ reason, field: 'canary', value: 0 })),
    }),
  },
});

const STRATEGY_PATH = toFieldPath`spec.strategy`;

function reportRefusal(reason: Reason, path: FieldPath, field: string, value: unknown): Finding {
  return invalidRollout.createFinding('refused', { path, data: { reason, field, value: toDisplayValue(value) } });
}

/** A refused field, or `undefined` if nothing is refused. */
type Check = Finding | undefined;

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Parses a limit for the both-zero check: a percentage only with its sign, and any other string as digits. */
function parseLimit(value: unknown): number {
  if (isInt32(value)) return value;
  if (isPercentString(value)) return parsePercent(value);
  return typeof value === 'string' && /^[+-]?[0-9]{1,18}$/.test(value) ? Number(value) : 0;
}

function checkSpec(spec: Fields): Check[] {
  const { replicas, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds } = spec;
  const counts = { replicas, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds };
  const deadline = isInt32(progressDeadlineSeconds) ? progressDeadlineSeconds : ROLLOUT_DEFAULTS.progressDeadlineSeconds;
  const isTooShort = deadline <= (isInt32(minReadySeconds) ? minReadySeconds : 0);
  return [
    ...Object.entries(counts).map(([name, value]) =>
      isInt32(value) && value < 0 ? reportRefusal('negative', appendToPath('spec', name), name, value) : undefined,
    ),
    isTooShort ? reportRefusal('deadline', toFieldPath`spec.progressDeadlineSeconds`, 'progressDeadlineSeconds', deadline) : undefined,
  ];
}

function checkAntiAffinity(strategy: Fields, path: FieldPath): Check {
  if (!isFields(strategy.antiAffinity)) return undefined;
  const preferred = strategy.antiAffinity.preferredDuringSchedulingIgnoredDuringExecution;
  const required = strategy.antiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  const weight = isFields(preferred) ? toSafeNumber(preferred.weight ?? 0) : 1;
  if (isSet(preferred) !== isSet(required) && weight >= 1 && weight <= 100) return undefined;
  return reportRefusal('anti-affinity', toFieldPath`${path}.antiAffinity`, 'antiAffinity', strategy.antiAffinity);
}

function checkBlueGreen(blueGreen: Fields, spec: Fields): Check[] {
  const path = toFieldPath`${STRATEGY_PATH}.blueGreen`;
  const { activeService = '', previewService = '', scaleDownDelayRevisionLimit: limit } = blueGreen;
  const history = isInt32(spec.revisionHistoryLimit) ? spec.revisionHistoryLimit : ROLLOUT_DEFAULTS.revisionHistoryLimit;
  return [
    activeService === previewService
      ? reportRefusal('same-services', toFieldPath`${path}.activeService`, 'activeService', activeService)
      : undefined,
    isInt32(limit) && history < limit
      ? reportRefusal('revision-limit', toFieldPath`${path}.scaleDownDelayRevisionLimit`, 'scaleDownDelayRevisionLimit', limit)
      : undefined,
    checkAntiAffinity(blueGreen, path),
  ];
}

/** The mutually exclusive kinds of a step. The controller does not count kinds that were added later. */
const EXCLUSIVE_STEP_KINDS = ['setWeight', 'pause', 'experiment', 'analysis'] as const;
const STEP_KINDS = [...EXCLUSIVE_STEP_KINDS, 'setCanaryScale', 'setHeaderRoute', 'setMirrorRoute', 'plugin'] as const;

interface StepQuery {
  readonly step: Fields;
  readonly path: FieldPath;
  readonly routing: Fields | undefined;
  readonly behaviour: RolloutsBehaviour;
}

function checkRoutes({ step, path, routing, behaviour }: StepQuery): Check[] {
  const mirrors = hasRouter(routing, 'istio', ...(behaviour.pluginsMirror ? ['plugins'] : []));
  const names = routing && getListAt(routing, 'managedRoutes').map((route) => getFieldsAt(route).name);
  return (['setHeaderRoute', 'setMirrorRoute'] as const).flatMap((kind): Check[] => {
    if (!isSet(step[kind])) return [];
    const location = appendToPath(path, kind);
    const isHeader = kind === 'setHeaderRoute';
    const isSupported = isHeader ? hasRouter(routing, 'istio', 'alb', 'apisix', 'plugins') : mirrors;
    if (!isSupported) return [reportRefusal(isHeader ? 'header-route' : 'mirror-route', location, kind, step[kind])];
    return names?.includes(getFieldsAt(step, kind).name)
      ? []
      : [reportRefusal('managed-route', location, kind, getFieldsAt(step, kind).name)];
  });
}

function checkExperiment({ step, path, routing }: StepQuery): Check[] {
  if (hasRouter(routing, 'alb', 'smi', 'istio', 'plugins')) return [];
  return getListAt(step, 'experiment', 'templates').map((template, index) => {
    const { weight } = getFieldsAt(template);
    return isSet(weight)
      ? reportRefusal('experiment-weight', toFieldPath`${path}.experiment.templates[${index}].weight`, 'weight', weight)
      : undefined;
  });
}

function checkStep(query: StepQuery): Check[] {
  const { step, path, routing } = query;
  const maxTrafficWeight = isInt32(routing?.maxTrafficWeight) ? routing.maxTrafficWeight : 100;
  const { setWeight, pause } = step;
  const duration = isFields(pause) ? pause.duration : undefined;
  return [
    EXCLUSIVE_STEP_KINDS.filter((kind) => isSet(step[kind])).length > 1
      ? reportRefusal('several-in-step', path, 'the step', Object.keys(step))
      : undefined,
    STEP_KINDS.some((kind) => isSet(step[kind])) ? undefined : reportRefusal('empty-step', path, 'the step', step),
    isInt32(setWeight) && (setWeight < 0 || setWeight > maxTrafficWeight)
      ? reportRefusal('weight', toFieldPath`${path}.setWeight`, 'setWeight', setWeight)
      : undefined,
    isSet(duration) && parsePauseSeconds(duration) < 0
      ? reportRefusal('duration', toFieldPath`${path}.pause.duration`, 'duration', duration)
      : undefined,
    isSet(step.setCanaryScale) && !routing
      ? reportRefusal('needs-routing', toFieldPath`${path}.setCanaryScale`, 'setCanaryScale', step.setCanaryScale)
      : undefined,
    ...checkRoutes(query),
    ...checkExperiment(query),
  ];
}

/** Reports whether the router needs the names of the Services. */
function needsServices(routing: Fields | undefined, pingPong: unknown): boolean {
  if (!routing) return false;
  const isPingPong = isSet(pingPong);
  const bySubset = isFields(routing.istio) && isSet(routing.istio.destinationRule);
  return (
    (isSet(routing.alb) && !isPingPong) ||
    (isSet(routing.istio) && !bySubset && !isPingPong) ||
    ['smi', 'apisix', 'ambassador', 'nginx', 'appMesh', 'traefik'].some((router) => isSet(routing[router]))
  );
}

function checkPingPong({ pingPong }: Fields, routing: Fields | undefined, { pluginsMirror }: RolloutsBehaviour): Check {
  if (!isFields(pingPong)) return undefined;
  const { pingService = '', pongService = '' } = pingPong;
  const isSupported = !routing || hasRouter(routing, 'alb', 'istio', ...(pluginsMirror ? ['plugins'] : []));
  const hasRoot = !isFields(routing?.alb) || (isSet(routing.alb.rootService) && routing.alb.rootService !== '');
  if (isSupported && hasRoot && pingService !== '' && pongService !== '' && pingService !== pongService) return undefined;
  return reportRefusal('ping-pong', toFieldPath`${STRATEGY_PATH}.canary.pingPong`, 'pingPong', pingPong);
}

function checkCanary(canary: Fields, behaviour: RolloutsBehaviour): Check[] {
  const path = toFieldPath`${STRATEGY_PATH}.canary`;
  const routing = isFields(canary.trafficRouting) ? canary.trafficRouting : undefined;
  const { maxSurge = ROLLOUT_DEFAULTS.maxSurge, maxUnavailable = ROLLOUT_DEFAULTS.maxUnavailable } = canary;
  const { canaryService = '', stableService = '', scaleDownDelaySeconds, dynamicStableScale } = canary;
  const isServiceMissing = needsServices(routing, canary.pingPong) && (stableService === '' || canaryService === '');
  const missing = stableService === '' ? 'stableService' : 'canaryService';
  const maxTrafficWeight = routing?.maxTrafficWeight;
  const isDynamic = dynamicStableScale === true;
  return [
    parseLimit(maxSurge) === 0 && parseLimit(maxUnavailable) === 0
      ? reportRefusal('both-zero', toFieldPath`${path}.maxSurge`, 'maxSurge', maxSurge)
      : undefined,
    canaryService !== '' && canaryService === stableService
      ? reportRefusal('same-services', toFieldPath`${path}.stableService`, 'stableService', stableService)
      : undefined,
    checkPingPong(canary, routing, behaviour),
    isServiceMissing ? reportRefusal('needs-services', appendToPath(path, missing), missing, '') : undefined,
    isSet(scaleDownDelaySeconds) && !routing
      ? reportRefusal('needs-routing', toFieldPath`${path}.scaleDownDelaySeconds`, 'scaleDownDelaySeconds', scaleDownDelaySeconds)
      : undefined,
    isDynamic && !routing ? reportRefusal('needs-routing', toFieldPath`${path}.dynamicStableScale`, 'dynamicStableScale', true) : undefined,
    isDynamic && routing && isSet(scaleDownDelaySeconds)
      ? reportRefusal('delay-and-dynamic', toFieldPath`${path}.dynamicStableScale`, 'dynamicStableScale', true)
      : undefined,
    isSet(maxTrafficWeight) && !hasRouter(routing, 'nginx', 'plugins')
      ? reportRefusal('max-weight', toFieldPath`${path}.trafficRouting.maxTrafficWeight`, 'maxTrafficWeight', maxTrafficWeight)
      : undefined,
    ...getListAt(canary, 'steps').flatMap((step, index) =>
      checkStep({ step: getFieldsAt(step), path: toFieldPath`${path}.steps[${index}]`, routing, behaviour }),
    ),
    checkAntiAffinity(canary, path),
  ];
}

/**
 * Reports what the controller refuses in a Rollout, except its pod template.
 *
 * Source: pkg/apis/rollouts/validation/validation.go at v1.8.3, v1.9.1 and v1.10.2. Not checked here: whether the referenced Services,
 * Ingresses and analysis templates exist. Only the controller looks them up.
 */
export function checkInvalidRollout(rollout: Manifest, behaviour: RolloutsBehaviour): Finding[] {
  const spec = getFieldsAt(rollout, 'spec');
  const strategy = getFieldsAt(spec, 'strategy');
  const { canary, blueGreen } = strategy;
  if (!isFields(canary) && !isFields(blueGreen)) return [reportRefusal('no-strategy', STRATEGY_PATH, 'strategy', strategy)];
  if (isFields(canary) && isFields(blueGreen)) return [reportRefusal('two-strategies', STRATEGY_PATH, 'strategy', Object.keys(strategy))];
  const strategyChecks = isFields(canary) ? checkCanary(canary, behaviour) : checkBlueGreen(getFieldsAt(blueGreen), spec);
  return [...checkSpec(spec), ...strategyChecks].filter((check) => check !== undefined);
}

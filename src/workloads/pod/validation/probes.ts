import type { Finding } from '../../../core/findings/finding';
import { getOwnValue } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { appendLazily } from '../../../core/manifest/field-path';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import {
  validateEnum,
  validateFormat,
  validateAtMostOne,
  isNonEmpty,
  isNonNil,
  listItems,
  asMap,
  reportMissing,
  asNumber,
  validateExactlyOne,
  validateRange,
  reportInvalid,
  decodeString,
} from './field-errors';

/* Validation of probes and hooks. Source: k/k pkg/apis/core/validation/validation.go, `validateProbe`, `validateLifecycle` and `validateHandler`. */

const MAX_PORT = 65_535;
const SCHEMES = ['HTTP', 'HTTPS'];

/** Validates a port number or name. A missing port is number 0. */
function validatePort(port: unknown, location: LazyFieldPath): readonly Finding[] {
  if (typeof port === 'string') return validateFormat(port, 'port-name', location);
  return validateRange(port ?? 0, 1, MAX_PORT, location);
}

function validateHttpAction(http: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    validatePort(http.port, appendLazily(location, 'port')),
    validateEnum(http.scheme, SCHEMES, appendLazily(location, 'scheme')),
    collectFromEach(listItems(http.httpHeaders, appendLazily(location, 'httpHeaders')), (item) =>
      validateFormat(decodeString(item.value.name), 'header-name', appendLazily(item.location, 'name')),
    ),
  );
}

type ActionCheck = (action: Fields, location: LazyFieldPath, grace: number, allowsZeroSleep: boolean) => readonly Finding[];

const ACTION_CHECKS: Readonly<Record<string, ActionCheck>> = {
  exec: ({ command }, location) => (isNonEmpty(command) ? [] : [reportMissing(appendLazily(location, 'command'))]),
  httpGet: validateHttpAction,
  tcpSocket: ({ port }, location) => validatePort(port, appendLazily(location, 'port')),
  grpc: ({ port }, location) => validatePort(port, appendLazily(location, 'port')),
  sleep: ({ seconds }, location, grace, allowsZeroSleep) => {
    const number = asNumber(seconds ?? 0);
    const isTooShort = number !== undefined && number < (allowsZeroSleep ? 0 : 1);
    if (number === undefined || (!isTooShort && number <= grace)) return [];
    return [reportInvalid(isTooShort ? 'sleepTooShort' : 'sleepTooLong', number, appendLazily(location, 'seconds'))];
  },
};

const PROBE_ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const HOOK_ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

/** The fields of a pod that limit its probes and hooks. */
export interface HookLimits {
  /** The `terminationGracePeriodSeconds` of the pod. */
  readonly grace: number;
  /** Whether a hook may sleep for 0 seconds. */
  readonly allowsZeroSleep: boolean;
  /** The `os.name` of the pod. */
  readonly os?: string;
}

/** Validates the first action and refuses each further one, as the API server does. */
function validateActions(handler: Fields, names: readonly string[], limits: HookLimits, location: LazyFieldPath): readonly Finding[] {
  const present = names.filter((name) => isNonNil(handler[name]));
  const first = present[0];
  const action = first === undefined ? undefined : asMap(handler[first]);
  return joinLists(
    action ? ACTION_CHECKS[first!]!(action, appendLazily(location, first!), limits.grace, limits.allowsZeroSleep) : [],
    first === undefined ? validateExactlyOne(handler, names, location) : validateAtMostOne(present, location),
  );
}

const PROBE_NUMBER_FIELDS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function validateProbe(probe: Fields, name: string, limits: HookLimits, location: LazyFieldPath): readonly Finding[] {
  const { successThreshold, terminationGracePeriodSeconds } = probe;
  const graceLocation = appendLazily(location, 'terminationGracePeriodSeconds');
  const isReadiness = name === 'readinessProbe';
  const isOnce = isReadiness || !isNonNil(successThreshold) || successThreshold === 0 || successThreshold === 1;
  return joinLists(
    validateActions(probe, PROBE_ACTIONS, limits, location),
    collectFromEach(PROBE_NUMBER_FIELDS, (field) => validateRange(probe[field], 0, undefined, appendLazily(location, field))),
    isOnce || typeof successThreshold !== 'number' || successThreshold < 0
      ? []
      : [reportInvalid('successThreshold', successThreshold, appendLazily(location, 'successThreshold'))],
    validateRange(terminationGracePeriodSeconds, 1, undefined, graceLocation),
    isReadiness && isNonNil(terminationGracePeriodSeconds)
      ? [reportInvalid('notForReadiness', terminationGracePeriodSeconds, graceLocation)]
      : [],
  );
}

const PROBE_FIELDS = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HOOK_FIELDS = ['postStart', 'preStop'];

const REAL_TIME_SIGNALS = [
  'SIGRTMIN',
  'SIGRTMAX',
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
];
const SIGNALS: readonly string[] = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'
    .split(' ')
    .map((name) => `SIG${name}`),
  ...REAL_TIME_SIGNALS,
];
const SIGNALS_BY_OS: Readonly<Record<string, readonly string[]>> = { linux: SIGNALS, windows: ['SIGKILL', 'SIGTERM'] };

function validateStopSignal(signal: unknown, os: string | undefined, location: LazyFieldPath): readonly Finding[] {
  if (typeof signal !== 'string') return [];
  const known = os === undefined ? [] : getOwnValue(SIGNALS_BY_OS, os);
  return known === undefined || known.includes(signal) ? [] : [reportInvalid('stopSignal', signal, location)];
}

/** Validates the probes and hooks of a container that runs as long as its pod. */
export function validateHooks(container: Fields, limits: HookLimits, location: LazyFieldPath): readonly Finding[] {
  const lifecycle = asMap(container.lifecycle);
  const hooks = lifecycle
    ? collectFromEach(HOOK_FIELDS, (name) => {
        const hook = asMap(lifecycle[name]);
        return hook ? validateActions(hook, HOOK_ACTIONS, limits, appendLazily(appendLazily(location, 'lifecycle'), name)) : [];
      })
    : [];
  return joinLists(
    hooks,
    validateStopSignal(lifecycle?.stopSignal, limits.os, appendLazily(appendLazily(location, 'lifecycle'), 'stopSignal')),
    collectFromEach(PROBE_FIELDS, (name) => {
      const probe = asMap(container[name]);
      return probe ? validateProbe(probe, name, limits, appendLazily(location, name)) : [];
    }),
  );
}

/** Validates that a container that must end before the others start has no probes and no hooks. */
export function validateInitHooks(container: Fields, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(['lifecycle', ...PROBE_FIELDS], (name) =>
    isNonNil(container[name]) ? [reportInvalid('notForInit', container[name], appendLazily(location, name))] : [],
  );
}

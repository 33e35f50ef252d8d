import type { Finding } from '../../../core/finding';
import { ownValue } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import {
  choiceFindings,
  formatFindings,
  furtherFindings,
  isFilled,
  isGiven,
  itemsOf,
  mapOf,
  missing,
  numberOf,
  oneOfFindings,
  rangeFindings,
  refused,
  textOf,
} from './refusal';

/* What the server refuses in probes and hooks. Source: k/k pkg/apis/core/validation/validation.go, `validateProbe`, `validateLifecycle` and `validateHandler`. */

const MAX_PORT = 65_535;
const SCHEMES = ['HTTP', 'HTTPS'];

/** A port by number or by name. One that is left out is number 0. */
function portFindings(port: unknown, place: Place): readonly Finding[] {
  if (typeof port === 'string') return formatFindings(port, 'port-name', place);
  return rangeFindings(port ?? 0, 1, MAX_PORT, place);
}

function httpFindings(http: Fields, place: Place): readonly Finding[] {
  return together(
    portFindings(http.port, inside(place, 'port')),
    choiceFindings(http.scheme, SCHEMES, inside(place, 'scheme')),
    ofEach(itemsOf(http.httpHeaders, inside(place, 'httpHeaders')), (item) =>
      formatFindings(textOf(item.value.name), 'header-name', inside(item.place, 'name')),
    ),
  );
}

type ActionCheck = (action: Fields, place: Place, grace: number, mayNotSleep: boolean) => readonly Finding[];

const ACTIONS: Readonly<Record<string, ActionCheck>> = {
  exec: ({ command }, place) => (isFilled(command) ? [] : [missing(inside(place, 'command'))]),
  httpGet: httpFindings,
  tcpSocket: ({ port }, place) => portFindings(port, inside(place, 'port')),
  grpc: ({ port }, place) => portFindings(port, inside(place, 'port')),
  sleep: ({ seconds }, place, grace, mayNotSleep) => {
    const number = numberOf(seconds ?? 0);
    if (number === undefined || (number >= (mayNotSleep ? 0 : 1) && number <= grace)) return [];
    return [refused('sleepTooLong', number, inside(place, 'seconds'))];
  },
};

const PROBE_ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const HOOK_ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

/** What a pod says of probes and hooks. */
export interface HookLimits {
  /** `terminationGracePeriodSeconds` of the pod. */
  readonly grace: number;
  /** May a hook sleep for no second at all? */
  readonly mayNotSleep: boolean;
  /** `os.name` of the pod. */
  readonly os?: string;
}

/** The server looks into the first action, and refuses each further one. */
function actionFindings(handler: Fields, names: readonly string[], limits: HookLimits, place: Place): readonly Finding[] {
  const present = names.filter((name) => isGiven(handler[name]));
  const first = present[0];
  const action = first === undefined ? undefined : mapOf(handler[first]);
  return together(
    action ? ACTIONS[first!]!(action, inside(place, first!), limits.grace, limits.mayNotSleep) : [],
    first === undefined ? oneOfFindings(handler, names, place) : furtherFindings(present, place),
  );
}

const SECONDS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function probeFindings(probe: Fields, name: string, limits: HookLimits, place: Place): readonly Finding[] {
  const { successThreshold, terminationGracePeriodSeconds } = probe;
  const gracePlace = inside(place, 'terminationGracePeriodSeconds');
  const isReadiness = name === 'readinessProbe';
  const isOnce = isReadiness || !isGiven(successThreshold) || successThreshold === 0 || successThreshold === 1;
  return together(
    actionFindings(probe, PROBE_ACTIONS, limits, place),
    ofEach(SECONDS, (field) => rangeFindings(probe[field], 0, undefined, inside(place, field))),
    isOnce || typeof successThreshold !== 'number' || successThreshold < 0
      ? []
      : [refused('successThreshold', successThreshold, inside(place, 'successThreshold'))],
    rangeFindings(terminationGracePeriodSeconds, 1, undefined, gracePlace),
    isReadiness && isGiven(terminationGracePeriodSeconds) ? [refused('notForReadiness', terminationGracePeriodSeconds, gracePlace)] : [],
  );
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HOOKS = ['postStart', 'preStop'];

const REAL_TIME = [
  'SIGRTMIN',
  'SIGRTMAX',
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
];
const SIGNALS: readonly string[] = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'
    .split(' ')
    .map((name) => `SIG${name}`),
  ...REAL_TIME,
];
const SIGNALS_OF: Readonly<Record<string, readonly string[]>> = { linux: SIGNALS, windows: ['SIGKILL', 'SIGTERM'] };

function signalFindings(signal: unknown, os: string | undefined, place: Place): readonly Finding[] {
  if (typeof signal !== 'string') return [];
  const known = os === undefined ? [] : ownValue(SIGNALS_OF, os);
  return known === undefined || known.includes(signal) ? [] : [refused('stopSignal', signal, place)];
}

/** Probes and hooks of a container that runs as long as its pod. */
export function hookFindings(container: Fields, limits: HookLimits, place: Place): readonly Finding[] {
  const lifecycle = mapOf(container.lifecycle);
  const hooks = lifecycle
    ? ofEach(HOOKS, (name) => {
        const hook = mapOf(lifecycle[name]);
        return hook ? actionFindings(hook, HOOK_ACTIONS, limits, inside(inside(place, 'lifecycle'), name)) : [];
      })
    : [];
  return together(
    hooks,
    signalFindings(lifecycle?.stopSignal, limits.os, inside(inside(place, 'lifecycle'), 'stopSignal')),
    ofEach(PROBES, (name) => {
      const probe = mapOf(container[name]);
      return probe ? probeFindings(probe, name, limits, inside(place, name)) : [];
    }),
  );
}

/** A container that has to end before the others start has neither. */
export function initHookFindings(container: Fields, place: Place): readonly Finding[] {
  return ofEach(['lifecycle', ...PROBES], (name) =>
    isGiven(container[name]) ? [refused('notForInit', container[name], inside(place, name))] : [],
  );
}

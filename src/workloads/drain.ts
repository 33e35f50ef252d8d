import type * as Yaml from 'yaml';
import { getProgramName, parseContainerCommand } from '../cluster/services/command-words';
import { hasSidecarBypass, findMeshSidecar, MESH_SIDECAR } from '../cluster/services/mesh-sidecar';
import { getPreStopSeconds } from '../cluster/services/pre-stop';
import { getServerDrain, isServerKnownLater } from '../cluster/services/servers';
import type { ServerDrain } from '../cluster/services/servers';
import { describeValue } from '../core/text/display-value';
import { appendToPath, toFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { parseGoDuration } from '../core/values/go-duration';
import { IntentError } from '../core/errors/intent-error';
import { isKnownLater } from '../core/manifest/known-later';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import type { Provenance } from '../core/document/provenance';
import { STRING, closeSchema, defineMap } from '../core/values/schema';
import type { FieldSchema, SchemasFor } from '../core/values/schema';
import { toSafeText } from '../core/text/value-text';
import { parseYamlText } from '../core/values/yaml-text';

/** How long requests may run while their pod is replaced. */
export interface DrainIntent {
  /**
   * The time that the longest request needs, such as `10m`, `90s` or `1h30m`. The pods get a preStop hook of 15 s, a grace period that is
   * 20 s longer than the request, and the flag with which their server waits for it.
   */
  readonly longestRequest: string;
}

/** Schema of a drain. */
export const DRAIN: FieldSchema = closeSchema(defineMap({ longestRequest: STRING } satisfies SchemasFor<DrainIntent>));

/** Seconds for which a pod keeps listening after its endpoint is withdrawn. The presets of KServe use the same. */
const DRAIN_HOOK_SECONDS = 15;

/** Seconds between the end of the drain and the end of the grace period, for the server to exit. */
const RESERVE_SECONDS = 5;

/** The grace period that the API server fills in, and that cdk8s-plus writes. */
const DEFAULT_GRACE_SECONDS = 30;

const NANOS_PER_SECOND = 1_000_000_000n;

/**
 * Returns the seconds of a drain, rounded up.
 *
 * @throws IntentError for a value that is no positive duration
 */
export function resolveDrainSeconds(drain: unknown, prop: string): number {
  if (!isFields(drain)) throw new IntentError(`${prop} is ${describeValue(drain)}: write { longestRequest: '10m' }`);
  const { longestRequest } = drain;
  const nanos = typeof longestRequest === 'string' ? parseGoDuration(longestRequest) : undefined;
  if (nanos === undefined || nanos <= 0n) {
    throw new IntentError(`${prop}.longestRequest is ${describeValue(longestRequest)}, which is no duration: write 10m, 90s or 1h30m`);
  }
  return Number((nanos + NANOS_PER_SECOND - 1n) / NANOS_PER_SECOND);
}

/** Where a pod template is in the props, so that a refusal names what the user wrote. */
export interface DrainPlace {
  /** Prop of the drain: `predictor.drain`. */
  readonly prop: string;
  /** Path of the pod spec in the props: `template`. */
  readonly podPath: FieldPath;
  /** Path of the other fields of the pod spec in the props: `predictor.podSpec`. @default - podPath */
  readonly fieldsPath?: FieldPath;
  /** Index of the container that serves requests. @default - the containers with a known server, else those with ports, else the only one */
  readonly serving?: number;
  /** Returns the path of a container in the props. @default - its index among the containers of the pod spec */
  readonly pathOf?: (index: number) => FieldPath;
  /** Whether the pods serve no requests themselves, but must outlive those that do. @default false */
  readonly outlives?: boolean;
}

/** A pod template that drains, and the level that decided each field. */
export interface DrainedTemplate {
  readonly metadata?: Fields;
  readonly spec: Fields;
  readonly provenance: readonly Provenance[];
}

/** A drain while it is written. */
interface DrainContext extends DrainPlace {
  readonly seconds: number;
}

function refuse({ prop, seconds }: DrainContext, reason: string): never {
  throw new IntentError(`${prop}.longestRequest needs ${seconds} s, but ${reason}`);
}

function buildUserProvenance(field: string, value: unknown, reason: string, overridden: Provenance['overridden'] = []): Provenance {
  return { field, value, layer: 'user', reason, overridden };
}

const byDrain = (value: unknown, layer: string) => [{ layer, value, reason: 'The drain sets it.' }];

/** Refuses a server that cannot finish a request of this length. */
function refuseServer(drain: ServerDrain, args: readonly unknown[], path: FieldPath, context: DrainContext): void {
  const { server, seconds, option, optionSince, isTooOld, isSet } = drain;
  if (isTooOld) refuse(context, `${path}.image has a version of ${server} that aborts requests at SIGTERM: use ${optionSince} or later`);
  if (server === 'hypercorn' && seconds === undefined && args.some((word) => /^-w|^--workers/.test(toSafeText(word)))) {
    refuse(context, `${path} runs hypercorn with several workers, which ends requests once another worker is idle: run one worker`);
  }
  if (option === undefined && seconds !== undefined && seconds < context.seconds) {
    if (seconds === 0) refuse(context, `${path}.env makes ${server} abort requests at SIGTERM: delete SGL_FORCE_SHUTDOWN`);
    refuse(context, `${server} ends requests ${seconds} s after SIGTERM and has no option for it: lower longestRequest to ${seconds}s`);
  }
  if (isSet && seconds !== undefined && seconds < context.seconds) {
    refuse(context, `${path} sets ${option} to ${seconds}: delete it, and the drain sets it`);
  }
}

/** Returns the list and the index of the script of `sh -c`. */
function locateScript(container: Fields): { readonly field: 'command' | 'args'; readonly index: number } | undefined {
  const command = getListAt(container, 'command');
  const words = [...command, ...getListAt(container, 'args')].map((word) => (typeof word === 'string' ? word : ''));
  if (!['sh', 'bash', 'dash', 'ash'].includes(getProgramName(words[0] ?? ''))) return undefined;
  const option = words.findIndex((word) => /^-[a-zA-Z]*c$/.test(word));
  if (option < 0 || words[option + 1]?.trim() === 'exec "$@"') return undefined;
  const script = option + 1;
  return script < command.length ? { field: 'command', index: script } : { field: 'args', index: script - command.length };
}

/** Appends a flag to the words of a container, or to the script that its shell executes. */
function appendFlag(container: Fields, flag: string, value: number): Fields {
  const script = locateScript(container);
  if (!script) return { ...container, args: [...getListAt(container, 'args'), flag, String(value)] };
  const words = getListAt(container, script.field);
  const text = `${toSafeText(words[script.index]).trimEnd()} ${flag} ${value}`;
  return { ...container, [script.field]: words.with(script.index, text) };
}

function drainServer(
  container: Fields,
  path: FieldPath,
  context: DrainContext,
): { readonly container: Fields; readonly provenance: Provenance[] } {
  for (const field of ['command', 'args'] as const) {
    const written = container[field] ?? [];
    requireKnown(written, appendToPath(path, field), context);
    if (!Array.isArray(written)) refuse(context, `${path}.${field} is ${describeValue(written)}: write a list of words`);
  }
  if (isServerKnownLater(container)) {
    refuse(context, `${path} starts a program that is known only later, and so is the flag of its server: write its name as plain text`);
  }
  const drain = getServerDrain(container);
  if (!drain) {
    const { shell } = parseContainerCommand(container) ?? {};
    if (shell !== undefined) {
      refuse(
        context,
        `${path} runs a script of ${shell} that does not show its server: write exec in front of the server, as the last command`,
      );
    }
    return { container, provenance: [] };
  }
  refuseServer(drain, [...getListAt(container, 'command'), ...getListAt(container, 'args')], path, context);
  const { option, seconds, isSet, server } = drain;
  if (option === undefined) return { container, provenance: [] };
  if (isSet) return { container, provenance: [buildUserProvenance(option, seconds, `${path} sets it.`)] };
  const overridden = seconds === undefined || !Number.isFinite(seconds) ? [] : byDrain(seconds, `${server} default`);
  return {
    container: appendFlag(container, option, context.seconds),
    provenance: [buildUserProvenance(option, context.seconds, `drain: the longest request takes ${context.seconds} s`, overridden)],
  };
}

/** Refuses a value that the drain reads and that is known only later. */
function requireKnown(value: unknown, path: FieldPath, context: DrainContext): void {
  if (isKnownLater(value)) refuse(context, `${path} is known only later, and the drain reads it: write it plainly`);
}

/** Returns the seconds of the preStop hook of a container: those that the user wrote, or undefined without a hook. */
function readHook(container: Fields, path: FieldPath, context: DrainContext): number | undefined {
  requireKnown(container, path, context);
  requireKnown(container.lifecycle, appendToPath(path, 'lifecycle'), context);
  if (getValueAt(container, 'lifecycle', 'preStop') === undefined) return undefined;
  const seconds = getPreStopSeconds(container);
  if (seconds === undefined)
    refuse(context, `${path}.lifecycle.preStop does not show how long it takes: delete it, and the drain writes one`);
  return seconds;
}

/** Returns the indexes of the containers that serve requests: those with a known server, else with ports, else the only one. */
function findServing(containers: readonly unknown[], context: DrainContext): readonly number[] {
  if (context.serving !== undefined) return [context.serving];
  const select = (isServing: (container: unknown) => boolean) =>
    containers.flatMap((container, index) => (getValueAt(container, 'name') !== MESH_SIDECAR && isServing(container) ? [index] : []));
  // A server that is not known yet is refused below.
  const known = select((container) => getServerDrain(container) !== undefined || isServerKnownLater(container));
  const withPorts = known.length > 0 ? known : select((container) => getListAt(container, 'ports').length > 0);
  const serving = withPorts.length > 0 ? withPorts : select(() => true);
  if (withPorts.length === 0 && serving.length !== 1) {
    refuse(context, `${context.podPath}.containers does not show which container serves requests: declare its ports`);
  }
  return serving;
}

function resolveGrace(spec: Fields, needed: number, context: DrainContext): { readonly value: number; readonly provenance: Provenance } {
  const field = 'terminationGracePeriodSeconds';
  const written = spec[field];
  const path = appendToPath(context.fieldsPath ?? context.podPath, field);
  requireKnown(written, path, context);
  if (written !== undefined && written !== null && !Number.isInteger(written)) {
    refuse(
      context,
      `${path} is ${describeValue(written)}, which is no whole number of seconds: delete it, or set it to at least ${needed}`,
    );
  }
  if (typeof written === 'number' && written !== DEFAULT_GRACE_SECONDS) {
    if (written < needed) refuse(context, `${path} is ${written}: delete it, or set it to at least ${needed}`);
    return { value: written, provenance: buildUserProvenance(field, written, `${path} is set.`) };
  }
  const value = needed + RESERVE_SECONDS;
  const reason = `drain: ${needed - context.seconds} s preStop, ${context.seconds} s for the longest request and ${RESERVE_SECONDS} s to exit`;
  return { value, provenance: buildUserProvenance(field, value, reason, byDrain(DEFAULT_GRACE_SECONDS, 'kubernetes-default')) };
}

const SIDECAR_CONFIG = 'proxy.istio.io/config';

/** Lets the sidecar of Istio run for as long as the server, unless it is a native one, which ends after the server anyway. */
function drainSidecar(
  template: Fields,
  needed: number,
  context: DrainContext,
): { readonly metadata?: Fields; readonly provenance: Provenance[] } {
  const sidecar = hasSidecarBypass(template) ? undefined : findMeshSidecar(template);
  const { isNative, preStopSeconds = 0, drainSeconds } = sidecar ?? { isNative: true };
  if (isNative === true || (drainSeconds !== undefined && preStopSeconds + drainSeconds >= needed)) return { provenance: [] };
  if (sidecar?.index !== undefined || drainSeconds === undefined) {
    refuse(context, `container "${MESH_SIDECAR}" ends requests before: set its terminationDrainDuration to at least ${needed}s`);
  }
  const metadata = getFieldsAt(template, 'metadata');
  const annotations = getFieldsAt(metadata, 'annotations');
  const { stringify } = require('yaml') as typeof Yaml;
  const written: unknown = typeof annotations[SIDECAR_CONFIG] === 'string' ? parseYamlText(annotations[SIDECAR_CONFIG]) : {};
  const config = stringify({ ...(isFields(written) ? written : {}), terminationDrainDuration: `${needed}s` });
  return {
    metadata: { ...metadata, annotations: { ...annotations, [SIDECAR_CONFIG]: config } },
    provenance: [
      buildUserProvenance('terminationDrainDuration', `${needed}s`, 'drain: the sidecar of Istio runs for as long as the server'),
    ],
  };
}

/** Drains pods that must outlive others: they get SIGTERM only once the others have drained. */
function drainFollowers(spec: Fields, context: DrainContext): DrainedTemplate {
  const needed = DRAIN_HOOK_SECONDS + context.seconds;
  const grace = resolveGrace(spec, needed, context);
  const lifecycle = { preStop: { sleep: { seconds: needed } } };
  const containers = getListAt(spec, 'containers').map((container) =>
    isFields(container) && getValueAt(container, 'lifecycle', 'preStop') === undefined
      ? { ...container, lifecycle: { ...getFieldsAt(container, 'lifecycle'), ...lifecycle } }
      : container,
  );
  const provenance = buildUserProvenance('preStop', needed, 'drain: the workers of a group run for as long as its leader');
  return { spec: { ...spec, terminationGracePeriodSeconds: grace.value, containers }, provenance: [provenance, grace.provenance] };
}

/**
 * Writes a drain into a pod template: a preStop hook, the grace period, and the flag of the server, if the template shows which one it is. A hook
 * or a flag that the user wrote stays if it is long enough.
 *
 * With a longest request of 10 minutes: a hook of 15 s, `--shutdown-timeout 600` for vLLM, and a grace period of 15 + 600 + 5 = 620 s.
 *
 * @throws IntentError if the server cannot finish such a request, or something that the user wrote contradicts it
 */
export function drainTemplate(
  template: { readonly metadata?: unknown; readonly spec: unknown },
  drain: DrainIntent,
  place: DrainPlace,
): DrainedTemplate {
  const context: DrainContext = { ...place, seconds: resolveDrainSeconds(drain, place.prop) };
  const spec = getFieldsAt(template, 'spec');
  requireKnown(spec, place.podPath, context);
  requireKnown(spec.containers, appendToPath(place.podPath, 'containers'), context);
  if (place.outlives) return drainFollowers(spec, context);
  const containers = [...getListAt(spec, 'containers')];
  const provenance: (readonly Provenance[])[] = [];
  let longestHook = 0;
  for (const index of findServing(containers, context)) {
    const path = place.pathOf?.(index) ?? appendToPath(toFieldPath`${place.podPath}.containers`, index);
    const container = containers[index];
    if (!isFields(container)) refuse(context, `${path} is ${describeValue(container)}: write a container`);
    const written = readHook(container, path, context);
    const server = drainServer(container, path, context);
    longestHook = Math.max(longestHook, written ?? DRAIN_HOOK_SECONDS);
    const lifecycle = { ...getFieldsAt(container, 'lifecycle'), preStop: { sleep: { seconds: DRAIN_HOOK_SECONDS } } };
    containers[index] = written === undefined ? { ...server.container, lifecycle } : server.container;
    provenance.push([
      written === undefined
        ? buildUserProvenance('preStop', DRAIN_HOOK_SECONDS, 'drain: proxies learn within this time that the pod ends')
        : buildUserProvenance('preStop', written, `${path}.lifecycle.preStop is set.`),
      ...server.provenance,
    ]);
  }
  const needed = longestHook + context.seconds;
  const grace = resolveGrace(spec, needed, context);
  const sidecar = drainSidecar(template, needed, context);
  return {
    ...(sidecar.metadata && { metadata: sidecar.metadata }),
    spec: { ...spec, terminationGracePeriodSeconds: grace.value, containers },
    provenance: [...provenance.flat(), grace.provenance, ...sidecar.provenance],
  };
}

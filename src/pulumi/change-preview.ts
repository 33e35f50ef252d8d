import { AsyncResource } from 'node:async_hooks';
import * as pulumi from '@pulumi/pulumi';
import { version } from '@pulumi/pulumi/version';
import { planChange } from '../change/plan-change';
import type { ChangeOptions } from '../change/change-options';
import type { ObjectChange } from '../core/document/change';
import { getFieldsAt, getValueAt, isFields, isManifest } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { createPalette } from '../render/layout/palette';
import { joinTruncatedNames, truncateNames } from '../core/text/text-format';
import { isAtLeast } from '../core/values/versions';
import { locateErrors } from '../props/call-site';
import { withRememberedOptions } from '../props/plan-memory';
import { renderChangeLines } from '../render/text/change';
import { describeWait } from './await-rules';
import { assignManagers } from './field-managers';
import type { ResourceScope } from './field-managers';
import { containsUnknown, fillUnknownValues, readHookValue, SecretRedactor } from './hook-values';
import type { AssumedValue, HookValue, UnknownFill } from './hook-values';
import { formatOutputPlaceholders } from './opaque-outputs';
import { withProgramContext } from './program-context';
import { isPatchType, pickResolvedValues, withResourceName } from './resolved-values';
import { describeStageJump } from './stage-jumps';
import { stackMemory } from './stack-memory';
import { toSafeNumber } from '../core/text/value-text';

/** The args of a Pulumi hook that this one reads, before a resource is created or updated. A created resource has no old outputs. */
type HookArgs = Pick<pulumi.ResourceHookArgs, 'newInputs' | 'oldOutputs'> & Partial<Pick<pulumi.ResourceHookArgs, 'type' | 'name'>>;

/**
 * Gives the object of the program the identity of the old one, which no update changes: a name that Pulumi generated or that is not known yet,
 * and the namespace of its provider.
 */
function withOldIdentity(object: Fields, old: Manifest): Manifest {
  const { name, namespace } = getFieldsAt(old, 'metadata');
  const metadata = { ...getFieldsAt(object, 'metadata'), name, ...(namespace !== undefined && { namespace }) };
  return { ...object, apiVersion: old.apiVersion, kind: old.kind, metadata: metadata as Manifest['metadata'] };
}

/** Reports whether a change is worth printing. A created object is only printed if it has pods. */
function isReportable({ effect, pods }: ObjectChange): boolean {
  return effect !== 'create' || (pods !== undefined && pods.after > 0);
}

/**
 * Drops the status of a state that Pulumi stored before the controller saw the object: it is that of the rollout before.
 * So is every status of an object that Pulumi does not wait for, until `pulumi refresh`.
 */
function withoutOutdatedStatus(old: unknown): unknown {
  if (!isFields(old)) return old;
  const [generation, observed] = [getValueAt(old, 'metadata', 'generation'), getValueAt(old, 'status', 'observedGeneration')];
  // The controllers of apps/v1 always report a generation, those of custom resources may not.
  const isOutdated = observed === undefined ? old.apiVersion === 'apps/v1' : Number(observed) < toSafeNumber(generation);
  if (!isOutdated) return old;
  const { status: _, ...others } = old;
  return others;
}

/** One object before and after. */
interface Update {
  readonly old?: Manifest;
  readonly next: Manifest;
  /** Values that are not known at preview, and taken for the old ones. */
  readonly assumed: readonly AssumedValue[];
}

/** Builds the update of one object from what a hook passes. Undefined if it is not a Kubernetes object. */
function buildUpdate(inputs: HookValue, state: HookValue, { type = '', name }: HookArgs, fill: UnknownFill): Update | undefined {
  const old = withoutOutdatedStatus(pickResolvedValues(state.value));
  const { value, assumed } = fillUnknownValues(inputs.value, old, fill);
  const next = pickResolvedValues(value);
  if (old === undefined) {
    const created = withResourceName(next, name);
    // What a new patch does depends on an object that the hook does not pass.
    return isManifest(created) && !isPatchType(type, created) ? { next: created, assumed } : undefined;
  }
  if (!isManifest(old) || !isFields(next)) return undefined;
  const object = withOldIdentity(next, old);
  const scope: ResourceScope = isPatchType(type, object) ? 'patch' : 'object';
  return { old: assignManagers(old, state.value as Fields, object, scope), next: object, assumed };
}

type ChangePlan = ReturnType<typeof planChange>;

/** Plans an update as the provider makes it: a server-side apply. */
function planUpdate({ old, next }: Update, options: ChangeOptions): ChangePlan {
  return planChange(old ? [old] : [], [next], { apply: 'server', ...options });
}

function isRefused({ change }: ChangePlan): boolean {
  return change.objects.some(({ effect }) => effect === 'refused');
}

/** Names what the lines of an update leave out, so that a line that is missing does not read as no effect. */
function describeAssumed({ assumed }: Update): string[] {
  if (assumed.length === 0) return [];
  return [`Without the effect of what is not known at preview: ${joinTruncatedNames(truncateNames(assumed.map(({ path }) => path)))}`];
}

/** Renders the lines of an update, with the values of secrets redacted. */
function renderUpdate(update: Update, plan: ChangePlan, redactor: SecretRedactor): string {
  const { old, next } = update;
  const { change } = plan;
  const assumed = describeAssumed(update);
  if (!change.objects.some(isReportable)) return old ? assumed.join('') : '';
  const redacted = { ...change, objects: change.objects.map((object) => redactor.redact(object)) };
  const [, ...lines] = renderChangeLines({ ...plan, change: redacted }, createPalette(false));
  const waits = change.objects.flatMap(({ effect }) => describeWait(next, effect, old) ?? []);
  const jump = describeStageJump(old, next);
  const details = [...waits, ...(jump === undefined ? [] : [jump]), ...assumed];
  return formatOutputPlaceholders([...lines, ...details.map((detail) => (lines.length === 0 ? detail : `  ${detail}`))].join('\n'));
}

/**
 * Renders the effect of creating or updating one object on its pods, in the lines of `rolloutkit plan --from`, and what Pulumi waits for.
 *
 * Empty if it is not a Kubernetes object, does not change, or is created without pods.
 */
export async function renderChangePreview(args: HookArgs, options: ChangeOptions = {}): Promise<string> {
  const [inputs, state] = await Promise.all([readHookValue(args.newInputs), readHookValue(args.oldOutputs)]);
  const redactor = new SecretRedactor([inputs, state]);
  const update = buildUpdate(inputs, state, args, 'placeholder');
  if (!update) return '';
  const plan = planUpdate(update, options);
  if (!isRefused(plan) || !containsUnknown(inputs.value)) return renderUpdate(update, plan, redactor);
  // The API server might refuse the placeholder and not the value, so only what it refuses without it is certain.
  const known = buildUpdate(inputs, state, args, 'old')!;
  const knownPlan = planUpdate(known, options);
  // The API server might also refuse only the object without what is left out.
  const isUncertain = isRefused(knownPlan) && known.assumed.some(({ isLeftOut }) => isLeftOut);
  if (!isUncertain) return renderUpdate(known, knownPlan, redactor);
  return known.old ? describeAssumed(known).join('') : '';
}

/**
 * Reports whether a type is that of a Kubernetes object, such as `kubernetes:apps/v1:Deployment`.
 *
 * Charts and YAML files of the provider are components; their objects are resources themselves.
 */
function isObjectType(type: string): boolean {
  return type.startsWith('kubernetes:') && !/^kubernetes:(?:helm\.sh|kustomize|yaml)[/:]/.test(type);
}

/** The first SDK that sends hooks set by a transform to the engine. 3.182 has hooks but drops those. Source: pulumi/pulumi#20057. */
const MIN_SDK_VERSION = '3.184.0';

/**
 * Requires an SDK that runs the hooks. With an older one, nothing would be reported.
 *
 * @throws Error for an SDK that would never run a hook
 */
export function requireSdkVersion(sdk: string): void {
  if (isAtLeast(sdk, MIN_SDK_VERSION)) return;
  throw new Error(
    `changePreview needs @pulumi/pulumi ${MIN_SDK_VERSION} or later, but this is ${sdk}, whose transforms can't set resource hooks: upgrade it`,
  );
}

/** Represents the resource of a hook for the log, which only reads its URN. */
function asResource(urn: string): pulumi.Resource {
  return { urn: pulumi.output(urn) } as pulumi.Resource;
}

/**
 * Logs at `pulumi preview`, for each Kubernetes object that would be updated, the effect on its pods: rolled, scaled, on hold or refused, why, and the lowest availability.
 * For each object that would be created, it logs the number of pods, or why the object is refused. OLD is the object's last state in Pulumi (`pulumi refresh` updates it).
 * If Pulumi then waits for the pods, it logs what for and how long.
 *
 * Each object is planned separately. A hook does not know whether a created resource replaces another; Pulumi's own preview shows that.
 * Deletes are not reported: Pulumi stores a delete hook in the state of the stack, and can no longer delete the resource once the program lacks the hook.
 * The hooks are only bound at preview, so that they do not get into the state.
 *
 * @param options - versions of the cluster, and how updates are applied. @default - what the components were given, and a server-side apply, as the
 * provider does by default
 * @throws OptionError for an option that can't be used
 * @throws Error for an SDK of Pulumi before 3.184.0, whose transforms can't set resource hooks
 *
 * @example
 * pulumi.runtime.registerResourceTransform(changePreview({ versions: { kubernetes: '1.36' } }));
 */
export function changePreview(options: Omit<ChangeOptions, 'prune'> = {}): pulumi.ResourceTransform {
  requireSdkVersion(version);
  // Validates the options now, because Pulumi only logs errors thrown in a hook.
  locateErrors(() => planChange([], [], options));
  if (!pulumi.runtime.isDryRun()) return () => undefined;
  const logChange = async (args: pulumi.ResourceHookArgs): Promise<void> => {
    const text = await renderChangePreview(args, withRememberedOptions(options, stackMemory().toOptions()));
    // Not awaited: messages are sent in order, and an earlier one may wait for the URN of this resource, which waits for its hooks.
    if (text !== '') void pulumi.log.info(text, asResource(args.urn));
  };
  // The engine calls a hook outside the program. An inline program of the Automation API only reaches its engine in its own context.
  const hook = new pulumi.ResourceHook('rolloutkit-change-preview', AsyncResource.bind(logChange), { onDryRun: true, ignoreErrors: true });
  return withProgramContext(({ type, props, opts }) => {
    if (!isObjectType(type)) return undefined;
    const { beforeCreate = [], beforeUpdate = [] } = opts.hooks ?? {};
    const hooks = { ...opts.hooks, beforeCreate: [...beforeCreate, hook], beforeUpdate: [...beforeUpdate, hook] };
    return { props, opts: { ...opts, hooks } };
  });
}

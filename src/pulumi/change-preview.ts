import { createHmac, randomBytes } from 'node:crypto';
import * as pulumi from '@pulumi/pulumi';
import { version } from '@pulumi/pulumi/version';
import { planChange } from '../change/plan-change';
import type { ChangeOptions } from '../change/change-options';
import { REDACTED_VALUE } from '../core/change';
import type { ObjectChange } from '../core/change';
import { getFieldsAt, isFields, isManifest } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { createPalette } from '../render/palette';
import { isAtLeast } from '../core/versions';
import { renderChangeLines } from '../render/text-change';
import { pickResolvedValues } from './resolved-values';

/** What Pulumi hands to a hook before it makes or updates a resource, as far as this one reads it. Of what it makes there is nothing old. */
type HookArgs = Pick<pulumi.ResourceHookArgs, 'newInputs' | 'oldOutputs'>;

/** Stand-ins for secrets by which two of them can be told apart, and which tell nothing: made with a key of this process alone. */
class SecretPlaceholders {
  private readonly key = randomBytes(32);
  private readonly used = new Set<string>();

  /** Valid wherever a text is, in the data of a Secret too. */
  of(secret: string): string {
    const placeholder = createHmac('sha256', this.key).update(secret).digest('hex').slice(0, 32);
    this.used.add(placeholder);
    return placeholder;
  }

  redact(text: string): string {
    return [...this.used].reduce((so, placeholder) => so.replaceAll(placeholder, REDACTED_VALUE), text);
  }
}

/** In the place of what the update alone will know. */
const UNKNOWN_VALUE = Symbol('unknown');

/** A text that is not known yet differs from the one that is there; of numbers and the like nothing is guessed, and what is there stays. */
function fillUnknownValues(value: unknown, old: unknown): unknown {
  if (value === UNKNOWN_VALUE) return typeof old === 'string' ? 'output<string>' : old;
  if (Array.isArray(value)) return value.map((item, index) => fillUnknownValues(item, Array.isArray(old) ? old[index] : undefined));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fillUnknownValues(inner, isFields(old) ? old[name] : undefined)]),
  );
}

function containsUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsUnknown);
  return value === UNKNOWN_VALUE || (isFields(value) && Object.values(value).some(containsUnknown));
}

/** The value as plain data: secrets, which Pulumi hands out as Outputs, by their stand-ins. */
async function toPlainData(value: unknown, secrets: SecretPlaceholders, isSecret = false): Promise<unknown> {
  if (pulumi.Output.isInstance(value)) {
    const inner = await new Promise<unknown>((resolve) => void value.apply(resolve));
    return toPlainData(inner, secrets, true);
  }
  if (pulumi.isUnknown(value)) return UNKNOWN_VALUE;
  if (typeof value === 'string') return isSecret ? secrets.of(value) : value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => toPlainData(item, secrets, isSecret)));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(async ([name, inner]) => [name, await toPlainData(inner, secrets, isSecret)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The object as the program wants it. A name that Pulumi has drawn, and the namespace of its provider, are those of what is there. */
function withOldIdentity(object: Fields, old: Manifest): Manifest {
  const { name, namespace } = getFieldsAt(old, 'metadata');
  const metadata = { ...(namespace !== undefined && { namespace }), name, ...getFieldsAt(object, 'metadata') };
  return { ...object, apiVersion: old.apiVersion, kind: old.kind, metadata: metadata as Manifest['metadata'] };
}

/** Is there anything to say of an object that is made: pods, or that it is refused? */
function isReportable({ effect, pods }: ObjectChange): boolean {
  return effect !== 'create' || (pods !== undefined && pods.after > 0);
}

function renderPreviewLines(old: readonly Manifest[], next: Manifest, options: ChangeOptions): string {
  const { change, rollouts } = planChange(old, [next], options);
  if (!change.objects.some(isReportable)) return '';
  const [, ...lines] = renderChangeLines(change, rollouts, createPalette(false));
  return lines.join('\n');
}

/**
 * What making or updating one object does to its pods, in the lines of `rolloutkit plan --from`;
 * empty for what is no object of Kubernetes, does not change, is made without pods, or is made and not wholly known yet.
 */
export async function renderChangePreview({ oldOutputs, newInputs }: HookArgs, options: ChangeOptions = {}): Promise<string> {
  const secrets = new SecretPlaceholders();
  const old = pickResolvedValues(await toPlainData(oldOutputs, secrets));
  const inputs = await toPlainData(newInputs, secrets);
  if (old === undefined) {
    const created = containsUnknown(inputs) ? undefined : pickResolvedValues(inputs);
    return isManifest(created) ? secrets.redact(renderPreviewLines([], created, options)) : '';
  }
  const next = pickResolvedValues(fillUnknownValues(inputs, old));
  return isManifest(old) && isFields(next) ? secrets.redact(renderPreviewLines([old], withOldIdentity(next, old), options)) : '';
}

/** `kubernetes:apps/v1:Deployment`; lists, charts and files of the provider's own are components, whose objects are resources themselves. */
function isObjectType(type: string): boolean {
  return type.startsWith('kubernetes:') && !/^kubernetes:(?:helm\.sh|kustomize|yaml)[/:]/.test(type);
}

/** The first SDK that sends the engine the hooks which a transform sets; 3.182 has them and drops those. Source: pulumi/pulumi#20057. */
const MIN_SDK_VERSION = '3.184.0';

/** @throws Error for an SDK with which no hook would ever run, and nothing be said */
export function requireSdkVersion(sdk: string): void {
  if (isAtLeast(sdk, MIN_SDK_VERSION)) return;
  throw new Error(
    `changePreview needs @pulumi/pulumi ${MIN_SDK_VERSION} or later, and this is ${sdk}: its transforms can't set resource hooks`,
  );
}

/**
 * Says at `pulumi preview`, for each Kubernetes object that would be updated, what that does to its pods: rolled, scaled, held or refused, why, and how few stay available;
 * and of each that would be made how many pods that are, or why it is refused. OLD is what Pulumi saw of the object last (`pulumi refresh` reads it anew).
 *
 * Each object is looked at by itself. Pulumi does not tell a hook whether what is made replaces something; its own preview does.
 * Deletes are not told of: Pulumi keeps the hook of a delete in the state of the stack, and deletes nothing any more once a program lacks it.
 * The hooks are bound at preview alone, so that nothing of them gets into the state.
 *
 * @param options - versions of the cluster, and how updates reach it. @default - as the object was applied last
 * @throws OptionError for an option that can't be used
 * @throws Error for an SDK of Pulumi before 3.184.0, whose transforms can't set resource hooks
 *
 * @example
 * pulumi.runtime.registerResourceTransform(changePreview({ versions: { kubernetes: '1.34' } }));
 */
export function changePreview(options: Omit<ChangeOptions, 'prune'> = {}): pulumi.ResourceTransform {
  requireSdkVersion(version);
  // What is thrown in a hook is only logged.
  planChange([], [], options);
  if (!pulumi.runtime.isDryRun()) return () => undefined;
  const logChange = async (args: pulumi.ResourceHookArgs): Promise<void> => {
    const text = await renderChangePreview(args, options);
    if (text !== '') await pulumi.log.info(text);
  };
  const hook = new pulumi.ResourceHook('rolloutkit-change-preview', logChange, { onDryRun: true, ignoreErrors: true });
  return ({ type, props, opts }) => {
    if (!isObjectType(type)) return undefined;
    const { beforeCreate = [], beforeUpdate = [] } = opts.hooks ?? {};
    const hooks = { ...opts.hooks, beforeCreate: [...beforeCreate, hook], beforeUpdate: [...beforeUpdate, hook] };
    return { props, opts: { ...opts, hooks } };
  };
}

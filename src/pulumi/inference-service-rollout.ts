import * as pulumi from '@pulumi/pulumi';
import { findPodWarnings } from '../props/pod-errors';
import type { Finding } from '../core/findings/finding';
import { toFieldPath } from '../core/manifest/field-path';
import { isFields, getValueAt } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { STRING, defineMap } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { planManifests } from '../plan/plan';
import { buildServiceWithGoals } from '../props/goals';
import {
  findUnservedModels,
  mergeIntentIntoPlan,
  findServiceComponent,
  SERVICE_SHAPE,
  buildServicePropPaths,
} from '../props/inference-service';
import { isConfigMap } from '../systems/kserve/platform-config';
import { PLATFORM_PROPS } from '../systems/kserve/props-schema';
import type { InferenceServiceProps, ResolvedComponent } from '../systems/kserve/types';
import { registerObject } from './child-resources';
import type { KServePlatformConfig } from './kserve-platform-config';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { resolvePlatformSource, formatPlatformErrors, findUnknownSourceProps } from './platform-source';
import type { PlatformSource } from './platform-source';
import { stackMemory } from './stack-memory';
import { withSurroundings } from './surroundings';
import type { SurroundingsArgs } from './surroundings';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of an `InferenceServiceRollout`. */
export interface InferenceServiceRolloutArgs extends WithInputs<Omit<InferenceServiceProps, 'platform'> & SurroundingsArgs> {
  /**
   * The platform level: as props, as the cluster's ConfigMap `inferenceservice-config`, or as the component that writes it.
   *
   * @default - default mode Standard without rollout defaults
   */
  readonly platform?: PlatformSource | KServePlatformConfig;
}

/**
 * A KServe InferenceService whose rollout is declared as an intent. This is the Pulumi version of the cdk8s construct.
 *
 * Props that the API server, KServe's webhook or its controller would refuse fail the preview. Warnings are logged to the component.
 *
 * @example
 * const iris = new InferenceServiceRollout('iris', {
 *   metadata: { namespace: 'models' },
 *   predictor: {
 *     minReplicas: 4,
 *     model: { modelFormat: { name: 'sklearn' }, storageUri: pulumi.interpolate`s3://${bucket.id}/model` },
 *     rollout: Rollout.availability('25%'),
 *   },
 * });
 * export const rollout = iris.plan.summary;
 */
export class InferenceServiceRollout extends RolloutComponent {
  /** Plan of each component, with the levels that decided its strategy. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The InferenceService, for use in `dependsOn`. */
  public readonly inferenceService: pulumi.Resource;
  /** Strategy of the predictor and the levels that decided it. For a multinode predictor, that of its head. */
  public readonly predictor: ResolvedComponent;
  /** Strategy of the workers, if the predictor has a `workerSpec`. */
  public readonly worker?: ResolvedComponent;
  /** Strategy of the transformer, if there is one. */
  public readonly transformer?: ResolvedComponent;
  /** Strategy of the explainer, if there is one. */
  public readonly explainer?: ResolvedComponent;
  /** Findings about the intent, by prop. */
  public readonly findings: readonly Finding[];

  /**
   * Resolves the strategy of every component and registers the InferenceService.
   *
   * @param name of the component, and of the InferenceService unless `metadata.name` is given
   * @throws RunError if the intent would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: InferenceServiceRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, components, findings, plan, loggedFindings } = prepareComponent('InferenceServiceRollout', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('InferenceServiceRollout', name, opts, loggedFindings);
    this.findings = findings;
    this.predictor = findServiceComponent(components, 'predictor')!;
    this.worker = findServiceComponent(components, 'worker');
    this.transformer = findServiceComponent(components, 'transformer');
    this.explainer = findServiceComponent(components, 'explainer');
    this.plan = pulumi.output(plan);
    this.inferenceService = registerObject(name, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** Returns the fields of a platform level that are read: only one key of a ConfigMap. */
function pickReadFields(platform: unknown): unknown {
  return isFields(platform) && isConfigMap(platform) ? { data: { deploy: getValueAt(platform, 'data', 'deploy') } } : platform;
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: InferenceServiceRolloutArgs) {
  const { platform, ...intent } = component.read(args);
  component.requirePlainValue(pickReadFields(platform), toFieldPath`platform`, {
    platform: defineMap({ ...PLATFORM_PROPS, data: defineMap({ deploy: STRING }) }),
  });
  const shape = withSurroundings(SERVICE_SHAPE);
  const { props: read, restore } = component.readProps<Omit<InferenceServiceProps, 'platform'> & SurroundingsArgs>(intent, shape);
  const { surroundings = [], ...props } = read;
  if (platform !== undefined && !isFields(platform)) throw component.createError([`platform is ${describeValue(platform)}; write a map`]);
  const unknownPropErrors = platform ? findUnknownSourceProps(platform) : [];
  if (unknownPropErrors.length > 0) throw component.createError(unknownPropErrors);
  const level = platform && resolvePlatformSource(platform);
  if (level?.config === null) throw component.createError(formatPlatformErrors(level));

  const unserved = findUnservedModels(props);
  if (unserved.length > 0) throw component.createError(unserved);
  const { manifest, components, findings, notes } = component.runWithTitle(() =>
    buildServiceWithGoals(
      name,
      { ...props, ...(level && { platform: level.config }) },
      { ...(level && { kserveConfig: level.configMap }), surroundings: () => surroundings },
    ),
  );
  const context = { versions: { kserve: props.kserve }, ...(level && { kserveConfig: level.configMap }) };
  const predicted = planManifests([manifest, ...surroundings], context);
  stackMemory().remember(context);
  const plan = formatOutputPlaceholders(mergeIntentIntoPlan(predicted, { components, notes }));
  return {
    manifest: restore(manifest),
    components,
    findings,
    plan,
    loggedFindings: [
      ...component.collectFindings(findings, plan, buildServicePropPaths(props), [manifest]),
      ...findPodWarnings([manifest]),
    ],
  };
}

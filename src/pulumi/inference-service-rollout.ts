import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import { at } from '../core/field-path';
import { isFields, valueAt } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { STRING, map } from '../core/schema';
import { describeValue } from '../core/seen';
import { planManifests } from '../plan/plan';
import { asSettled, componentOf, SERVICE_SHAPE, servicePlaces } from '../props/inference-service';
import { inferenceServiceOf } from '../systems/kserve/manifests';
import { isConfigMap } from '../systems/kserve/platform-config';
import { PLATFORM_PROPS } from '../systems/kserve/props-schema';
import type { InferenceServiceProps, SettledComponent } from '../systems/kserve/types';
import { registerObject } from './children';
import type { KServePlatformConfig } from './kserve-platform-config';
import { shown } from './leaf-strings';
import type { WithInputs } from './leaf-strings';
import { platformLevelOf, platformRefusals, unknownLevelProps } from './platform-source';
import type { PlatformSource } from './platform-source';
import { RolloutComponent } from './rollout-component';
import { prepared } from './unregistered';
import type { Unregistered } from './unregistered';

/** Arguments of an `InferenceServiceRollout`. */
export interface InferenceServiceRolloutArgs extends WithInputs<Omit<InferenceServiceProps, 'platform'>> {
  /**
   * The platform level: as props, as the cluster's own ConfigMap `inferenceservice-config`, or the component that writes it.
   *
   * @default - default mode Standard without rollout defaults
   */
  readonly platform?: PlatformSource | KServePlatformConfig;
}

/**
 * A KServe InferenceService whose rollout is stated as intent: the cdk8s construct of that name, as a Pulumi component.
 *
 * What the API server, KServe's webhook or its controller would refuse fails the preview. Warnings go to Pulumi's log with the component.
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
  /** How the pods of each component are replaced, and which level decided that. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The InferenceService, for dependencies. */
  public readonly inferenceService: pulumi.Resource;
  /** The predictor's strategy, and who decided it; of a multinode predictor, its head's. */
  public readonly predictor: SettledComponent;
  /** The workers' strategy, where the predictor has a `workerSpec`. */
  public readonly worker?: SettledComponent;
  /** The transformer's strategy, if there is a transformer. */
  public readonly transformer?: SettledComponent;
  /** The explainer's strategy, if there is an explainer. */
  public readonly explainer?: SettledComponent;
  /** What the intent means, by prop. */
  public readonly findings: readonly Finding[];

  /**
   * Settles the strategy of every component, and registers the InferenceService.
   *
   * @param name of the component, and of the InferenceService unless `metadata.name` is given
   * @throws RunError for an intent that would be refused, with every reason; for an Output in a structural prop, by its name
   */
  public constructor(name: string, args: InferenceServiceRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, components, findings, plan, said } = prepared('InferenceServiceRollout', name, (component) =>
      settled(component, name, args),
    );
    super('InferenceServiceRollout', name, opts, said);
    this.findings = findings;
    this.predictor = componentOf(components, 'predictor')!;
    this.worker = componentOf(components, 'worker');
    this.transformer = componentOf(components, 'transformer');
    this.explainer = componentOf(components, 'explainer');
    this.plan = pulumi.output(plan);
    this.inferenceService = registerObject(name, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** What is read of a platform level: of a ConfigMap nothing but the one key. */
function readOf(platform: unknown): unknown {
  return isFields(platform) && isConfigMap(platform) ? { data: { deploy: valueAt(platform, 'data', 'deploy') } } : platform;
}

/** All that a service registers, as long as nothing speaks against it. */
function settled(component: Unregistered, name: string, args: InferenceServiceRolloutArgs) {
  const { platform, ...intent } = component.read(args);
  component.readWhole(readOf(platform), at`platform`, { platform: map({ ...PLATFORM_PROPS, data: map({ deploy: STRING }) }) });
  const { props, restore } = component.plainProps<Omit<InferenceServiceProps, 'platform'>>(intent, SERVICE_SHAPE);
  if (platform !== undefined && !isFields(platform)) throw component.refusal([`platform is ${describeValue(platform)}; write a map`]);
  const unknown = platform ? unknownLevelProps(platform) : [];
  if (unknown.length > 0) throw component.refusal(unknown);
  const level = platform && platformLevelOf(platform);
  if (level?.config === null) throw component.refusal(platformRefusals(level));

  const { manifest, components, findings, notes } = inferenceServiceOf(name, { ...props, ...(level && { platform: level.config }) });
  const predicted = planManifests([manifest], { versions: { kserve: props.kserve }, ...(level && { kserveConfig: level.configMap }) });
  const plan = shown(asSettled(predicted, { components, notes }));
  return { manifest: restore(manifest), components, findings, plan, said: component.said(findings, plan, servicePlaces(props)) };
}

import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { planManifests } from '../plan/plan';
import { asSettled, componentOf, SERVICE_SHAPE } from '../props/inference-service';
import { inferenceServiceOf } from '../systems/kserve/manifests';
import type { InferenceServiceProps, SettledComponent } from '../systems/kserve/types';
import { registerObject } from './children';
import type { KServePlatformConfig } from './kserve-platform-config';
import { shown } from './leaf-strings';
import type { WithInputs } from './leaf-strings';
import { platformLevelOf, platformRefusals, unknownLevelProps } from './platform-source';
import type { PlatformSource } from './platform-source';
import { RolloutComponent } from './rollout-component';

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
   * @throws ResourceError for an intent that would be refused, with every reason; for an Output in a structural prop, by its name
   */
  public constructor(name: string, args: InferenceServiceRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super('InferenceServiceRollout', name, opts);
    const { platform, ...intent } = args;
    const { props, restore } = this.plainProps<Omit<InferenceServiceProps, 'platform'>>(intent, SERVICE_SHAPE);
    const unknown = platform ? unknownLevelProps(platform) : [];
    if (unknown.length > 0) throw this.failure(unknown);
    const level = platform && platformLevelOf(platform);
    if (level?.config === null) throw this.failure(platformRefusals(level));

    const { manifest, components, findings } = inferenceServiceOf(name, { ...props, ...(level && { platform: level.config }) });
    this.findings = findings;
    this.predictor = componentOf(components, 'predictor')!;
    this.worker = componentOf(components, 'worker');
    this.transformer = componentOf(components, 'transformer');
    this.explainer = componentOf(components, 'explainer');

    const predicted = planManifests([manifest], { versions: { kserve: props.kserve }, ...(level && { kserveConfig: level.configMap }) });
    const plan = shown(asSettled(predicted, { components, findings }));
    this.report(findings, plan);
    this.plan = pulumi.output(plan);
    this.inferenceService = registerObject(name, restore(manifest), { parent: this });
    this.registerOutputs({ plan });
  }
}

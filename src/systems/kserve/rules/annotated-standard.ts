import { suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from '../mode';
import type { DeploymentMode } from '../types';
import { configNotStandard } from './config-not-standard';

interface ReplacedModeData {
  /** The default mode of the platform; empty if its ConfigMap has none, which KServe treats as Knative. */
  readonly mode: DeploymentMode | '';
  /** Whether the intent requests a strategy, which only mode Standard supports. */
  readonly asksForStrategy: boolean;
}

function describeConsequences(mode: DeploymentMode | ''): string {
  if (mode === 'ModelMesh')
    return 'KServe creates a separate Deployment for each component, instead of loading the model into the pods of ModelMesh.';
  return (
    'KServe creates a Deployment with a HorizontalPodAutoscaler instead of a Knative Revision, so minReplicas 0 keeps one pod, ' +
    'canaryTrafficPercent is not read, and requests move pod by pod.'
  );
}

/** Reports what annotating a service as Standard changes on a platform with another default mode. */
export const annotatedStandard = extendRule(configNotStandard, {
  leavesMode: defineMessage<ReplacedModeData>({
    text: ({ mode, asksForStrategy }) =>
      `The default mode of the platform is ${mode || 'not set, so Knative'}, and this service is annotated Standard` +
      `${asksForStrategy ? ', the only mode that supports a strategy' : ', although it requests no strategy'}: ${describeConsequences(mode)} ` +
      `A service that already runs in mode ${mode || 'Knative'} cannot become Standard: KServe refuses the annotation.`,
    help: ({ mode }) =>
      `Write the annotation ${DEPLOYMENT_MODE_ANNOTATION}: Standard to confirm that this is intended. ` +
      `Delete a service that runs in mode ${mode || 'Knative'} first; no requests are served until the new one is ready.`,
    suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 'Standard')),
    sample: { mode: 'Knative', asksForStrategy: true },
    variants: [
      { mode: '', asksForStrategy: false },
      { mode: 'ModelMesh', asksForStrategy: true },
    ],
  }),
});

/**
 * Reports the changes for a service that is annotated Standard on a platform with another default mode. Reports nothing once the user
 * writes the annotation.
 *
 * Source: KServe 0.15.1 to 0.20, inference_service_validation.go, `validateDeploymentMode`.
 */
export function reportAnnotatedStandard(mode: Exclude<DeploymentMode, 'Standard'> | '', asksForStrategy: boolean): Finding {
  const severity = asksForStrategy ? 'info' : 'warning';
  return annotatedStandard.createFinding('leavesMode', { path: DEPLOYMENT_MODE_PATH, data: { mode, asksForStrategy }, severity });
}

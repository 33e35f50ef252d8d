import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { getValueAt } from '../../../core/manifest/manifest';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from '../mode';
import { isNonNull } from '../precedence';
import { KSERVE_STOP_ANNOTATION } from '../service';
import type { KserveService } from '../service';
import type { DeploymentMode } from '../types';
import { STANDARD_MODE_ANNOTATION, renderKserveConfigMap, renderInferenceService, joinExampleDocuments } from './examples';

interface ModeData {
  readonly mode: 'ModelMesh';
}

function describeMode({ mode }: ModeData): string {
  return `The service runs in mode ${mode}, in which KServe creates no Deployment: ModelMesh moves models between its own pods.`;
}

/** Reports a service for which KServe creates no Deployment. */
export const noDeployment = defineRule({
  code: 'kserve/no-deployment',
  since: '0.1.0',
  severity: 'info',
  fires: 'The service runs in mode ModelMesh, or it is stopped.',
  why:
    'KServe then creates no pods for it. In mode ModelMesh, models move between the pods of ModelMesh, which is not planned. ' +
    'If a service is annotated `serving.kserve.io/stop: "true"`, in any case, KServe deletes all of its pods, ' +
    'and nothing rolls out until the annotation is removed.',
  fix:
    'Annotate the service with `serving.kserve.io/deploymentMode: Standard` if you want Deployments. ' +
    'Delete `serving.kserve.io/stop` to start a stopped service.',
  example: joinExampleDocuments(renderKserveConfigMap('{', '  "defaultDeploymentMode": "ModelMesh"', '}'), renderInferenceService({})),
  fixedExample: joinExampleDocuments(
    renderKserveConfigMap('{', '  "defaultDeploymentMode": "ModelMesh"', '}'),
    renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION] }),
  ),
  messages: {
    mode: defineMessage<ModeData>({
      text: describeMode,
      help: () => `Annotate it with ${DEPLOYMENT_MODE_ANNOTATION}: Standard if you want Deployments.`,
      sample: { mode: 'ModelMesh' },
    }),
    modeOfStatus: defineMessage<ModeData>({
      text: describeMode,
      help: () =>
        'The mode of a service never changes. If you want Deployments, delete the service and create it again with the annotation Standard.',
      sample: { mode: 'ModelMesh' },
    }),
    stopped: defineMessage<object>({
      text: () => 'The service is stopped: KServe deletes its pods, and nothing rolls out.',
      help: () => `Delete the annotation ${KSERVE_STOP_ANNOTATION} to start it.`,
      sample: {},
    }),
  },
});

/** Reports why KServe creates no Deployment for a service: its mode, or that it is stopped. */
export function reportNoDeployment({ object }: KserveService, mode: DeploymentMode): Finding {
  if (mode !== 'ModelMesh')
    return noDeployment.createFinding('stopped', { path: toFieldPath`metadata.annotations[${KSERVE_STOP_ANNOTATION}]`, data: {} });
  const data = { mode };
  return isNonNull(getValueAt(object, 'status', 'deploymentMode'))
    ? noDeployment.createFinding('modeOfStatus', { path: toFieldPath`status.deploymentMode`, data })
    : noDeployment.createFinding('mode', { path: DEPLOYMENT_MODE_PATH, data });
}

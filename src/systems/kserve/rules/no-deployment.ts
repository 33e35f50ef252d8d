import { at } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { valueAt } from '../../../core/manifest';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from '../mode';
import { isGiven } from '../precedence';
import { STOP_ANNOTATION } from '../service';
import type { Service } from '../service';
import type { DeploymentMode } from '../types';
import { STANDARD, configMap, service, together } from './examples';

interface ModeData {
  readonly mode: 'ModelMesh';
}

function modeText({ mode }: ModeData): string {
  return `The service runs in mode ${mode}, in which KServe makes no Deployment: ModelMesh moves models between its own pods.`;
}

/** A service of which KServe makes no Deployment. */
export const noDeployment = rule({
  code: 'kserve/no-deployment',
  since: '0.1.0',
  severity: 'info',
  fires: 'The service runs in mode ModelMesh, or it is stopped.',
  why:
    'KServe makes no pods for it then. In mode ModelMesh models move between the pods of ModelMesh, which is not planned. ' +
    'Of a service that is annotated `serving.kserve.io/stop: "true"`, in whatever case, KServe deletes all pods, ' +
    'and nothing rolls out until the annotation is gone.',
  fix:
    'Annotate the service with `serving.kserve.io/deploymentMode: Standard` if Deployments are meant; ' +
    'delete `serving.kserve.io/stop` to start a stopped one.',
  example: together(configMap('{', '  "defaultDeploymentMode": "ModelMesh"', '}'), service({})),
  fixed: together(configMap('{', '  "defaultDeploymentMode": "ModelMesh"', '}'), service({ annotations: [STANDARD] })),
  messages: {
    mode: message<ModeData>({
      text: modeText,
      help: () => `Annotate it with ${DEPLOYMENT_MODE_ANNOTATION}: Standard if Deployments are meant.`,
      sample: { mode: 'ModelMesh' },
    }),
    modeOfStatus: message<ModeData>({
      text: modeText,
      help: () => 'The mode of a service never changes: delete it and create it anew, annotated Standard, if Deployments are meant.',
      sample: { mode: 'ModelMesh' },
    }),
    stopped: message<object>({
      text: () => 'The service is stopped: KServe deletes its pods, and nothing rolls out.',
      help: () => `Delete the annotation ${STOP_ANNOTATION} to start it.`,
      sample: {},
    }),
  },
});

/** Says why KServe makes no Deployment of a service: its mode, else that it is stopped. */
export function noDeploymentFinding({ object }: Service, mode: DeploymentMode): Finding {
  if (mode !== 'ModelMesh') return noDeployment.finding('stopped', { path: at`metadata.annotations[${STOP_ANNOTATION}]`, data: {} });
  const data = { mode };
  return isGiven(valueAt(object, 'status', 'deploymentMode'))
    ? noDeployment.finding('modeOfStatus', { path: at`status.deploymentMode`, data })
    : noDeployment.finding('mode', { path: DEPLOYMENT_MODE_PATH, data });
}

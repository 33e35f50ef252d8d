import type { FieldChange } from '../../../core/document/change';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { getContainerVariable } from '../../../systems/kserve/service';
import type { UpgradeRow } from '../../upgrade-row';
import { listWrittenContainers, isPredictor, matchService, toContainerPath } from './service-sides';

/** Returns the changes of variables that a component's containers get. A variable with the same value stays. */
function addVariable(containers: readonly Fields[], name: string, value: string): FieldChange[] {
  return containers.flatMap((container) => {
    const old = getContainerVariable(container, name);
    if (old === value) return [];
    const path = toContainerPath(typeof container.name === 'string' ? container.name : '', `env[${name}]`);
    return [{ path, ...(old !== undefined && { old }), new: value }];
  });
}

/** Adds INFERENCE_SERVICE_NAME to every container of the predictor and to the first one of the transformer. */
export const inferenceServiceName: UpgradeRow = {
  id: 'inference-service-name',
  since: '0.17',
  effect: 'roll',
  message:
    'KServe 0.17 adds the variable INFERENCE_SERVICE_NAME to every container of a predictor, and to the first container of a transformer.',
  match: matchService(({ service: { name }, deployments, after }) =>
    deployments.flatMap((deployment) => {
      const isTransformer = deployment.component === 'transformer';
      if (!isTransformer && !isPredictor(deployment)) return [];
      const containers = listWrittenContainers(deployment, isTransformer ? {} : getFieldsAt(after?.runtime, 'spec'));
      const fields = addVariable(isTransformer ? containers.slice(0, 1) : containers, 'INFERENCE_SERVICE_NAME', name);
      return fields.length === 0 ? [] : [{ component: deployment.component, fields }];
    }),
  ),
};

import { listContainersAt } from '../../cluster/rollout/located-template';
import type { LocatedTemplate } from '../../cluster/rollout/located-template';
import { toFieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, getListAt } from '../../core/manifest/manifest';
import type { ParsedRayService } from './ray-service';

/** Returns the templates of the head and of the worker groups for the rules about pods. The operator adds probes to the Ray container, which is the first. */
export function locateRayTemplates({ cluster, paths }: ParsedRayService): LocatedTemplate[] {
  const head = { group: cluster.headGroupSpec, path: toFieldPath`${paths.cluster}.headGroupSpec` };
  const workers = getListAt(cluster, 'workerGroupSpecs').map((group, index) => {
    return { group, path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}]` };
  });
  return [head, ...workers].map(({ group, path }) => {
    const template = getFieldsAt(group, 'template');
    const podPath = toFieldPath`${path}.template.spec`;
    return {
      template,
      podPath,
      containers: listContainersAt(template.spec, podPath).map((container, index) => ({ ...container, getsProbe: index === 0 })),
      metadata: [{ value: template.metadata, path: toFieldPath`${path}.template.metadata` }],
      controlsTermination: true,
      awaitsReadiness: true,
    };
  });
}

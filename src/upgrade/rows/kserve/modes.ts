import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import type { Manifest } from '../../../core/manifest/manifest';
import { DEPLOYMENT_MODE_ANNOTATION, normalizeMode } from '../../../systems/kserve/mode';
import { readPlatformConfig } from '../../../systems/kserve/platform-config';
import { isModeLost, isServiceStopped, readKserveService } from '../../../systems/kserve/service';
import { resolveServiceMode } from '../../../systems/kserve/system';
import type { UpgradeRow, UpgradeSides } from '../../upgrade-row';
import { matchService, readSides } from './service-sides';

/** Source: KServe v0.16.0, reconcilers/deployment/deployment_reconciler.go, `applyRolloutStrategyFromConfigmap`. */
export const rolloutOfConfig: UpgradeRow = {
  id: 'rollout-of-config',
  since: '0.16',
  effect: 'settings',
  message: 'KServe 0.16 writes the defaultRollout of its ConfigMap into Deployments whose component has no deploymentStrategy.',
  match: matchService(({ service, deployments, sides: { next, to } }) => {
    const [configMap] = next.all(CONTEXT_KINDS.kserveConfig);
    const { defaultDeploymentMode, defaultRollout = {} } = (configMap && readPlatformConfig(configMap, to).config) ?? {};
    if (defaultDeploymentMode !== 'Standard' || resolveServiceMode(service, next) !== 'Standard') return [];
    const fields = (['maxSurge', 'maxUnavailable'] as const).flatMap((limit) => {
      const value = defaultRollout[limit];
      const isDefault = value === undefined || value === '' || value === '25%';
      return isDefault ? [] : [{ path: `spec.strategy.rollingUpdate.${limit}`, old: '25%', new: value }];
    });
    if (fields.length === 0) return [];
    return deployments
      .filter(({ component, userStrategy }) => component !== 'worker' && (userStrategy === undefined || userStrategy === null))
      .map(({ component }) => ({ component, fields }));
  }),
};

/** Source: KServe v0.15.2 and v0.16.0, components/predictor.go, `Reconcile`; reconcilers/deployment/deployment_reconciler.go, `checkDeploymentExist`. */
export const stoppedWorkloads: UpgradeRow = {
  id: 'stopped-workloads',
  since: '0.16',
  effect: 'settings',
  message:
    'KServe 0.16 deletes the Deployments of a service with the annotation serving.kserve.io/stop. KServe 0.15 stops only services in mode Knative.',
  match: (object, sides) => {
    const read = readSides(object, sides);
    const mode = read && resolveServiceMode(read.service, sides.next);
    if (mode !== 'Standard' || !isServiceStopped(read!.service, mode)) return [];
    return read!.deployments.map(({ component }) => ({
      component,
      fields: [{ path: 'metadata.deletionTimestamp', new: '(set by KServe)' }],
    }));
  },
};

export const renamedModes: UpgradeRow = {
  id: 'renamed-modes',
  since: '0.17',
  effect: 'next-write',
  message:
    'KServe 0.17 rewrites the annotation serving.kserve.io/deploymentMode from RawDeployment to Standard and from Serverless to Knative when the service is next written. The annotation is in the pod template, so that write rolls the pods.',
  match: matchService(({ service }) => {
    const text = service.annotations[DEPLOYMENT_MODE_ANNOTATION];
    const mode = normalizeMode(text);
    return mode === undefined || mode === text ? [] : [{ component: 'predictor' }];
  }),
};

/** Reports whether the new version takes a service in mode Standard for one in mode Knative, because of its status. */
function hasOldStatusMode(object: Manifest, { old, from, to }: UpgradeSides): boolean {
  const service = readKserveService(object, from);
  return isModeLost(service, resolveServiceMode(service, old), to);
}

export const oldStatusMode: UpgradeRow = {
  id: 'old-status-mode',
  since: '0.16',
  until: '0.19',
  effect: 'rename',
  message:
    'KServe 0.15 writes RawDeployment into status.deploymentMode, and KServe 0.16 to 0.18 take any mode there except Standard and ModelMesh for Knative. They create Services of Knative next to the Deployments, and no longer write these.',
  match: matchService(({ service: { object }, sides }) =>
    hasOldStatusMode(object, sides)
      ? [{ component: 'predictor', fields: [{ path: 'status.deploymentMode', old: 'RawDeployment', new: 'Standard' }] }]
      : [],
  ),
};

/** Leaves out what a row writes in the workloads of services that the new version takes for those of Knative. */
export function skipOldStatusMode(row: UpgradeRow): UpgradeRow {
  if (row.effect !== 'roll' && row.effect !== 'settings') return row;
  return {
    ...row,
    match: (object, sides) => (readSides(object, sides) && hasOldStatusMode(object, sides) ? [] : row.match(object, sides)),
  };
}

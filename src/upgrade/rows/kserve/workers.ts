import type { UpgradeRow } from '../../upgrade-row';
import { matchService, toContainerPath } from './service-sides';

const WORKER_VARIABLES = ['PIPELINE_PARALLEL_SIZE', 'TENSOR_PARALLEL_SIZE', 'WORKER_SVC'] as const;

/** Adds the sizes and the Service of the workers to the worker's container. */
export const workerVariables: UpgradeRow = {
  id: 'worker-variables',
  since: '0.18',
  effect: 'roll',
  message:
    'KServe 0.18 adds the variables PIPELINE_PARALLEL_SIZE, TENSOR_PARALLEL_SIZE and WORKER_SVC to the workers of a multi-node predictor.',
  match: matchService(({ deployments }) =>
    deployments
      .filter(({ component }) => component === 'worker')
      .map(({ component }) => ({
        component,
        fields: WORKER_VARIABLES.map((name) => ({ path: toContainerPath('worker-container', `env[${name}]`), new: '(set by KServe)' })),
      })),
  ),
};

/**
 * Deletes the Deployment of the workers. The cleanup of canaries knows the names of the predictor and its canaries alone, and the workers have
 * the same labels. The next reconcile creates them again before it deletes them.
 *
 * Source: KServe v0.20.0, components/predictor.go, `reconcileCanaryDeployments`.
 */
export const deletedWorkers: UpgradeRow = {
  id: 'deleted-workers',
  since: '0.20',
  effect: 'roll',
  message:
    'KServe 0.20 deletes the Deployment of the workers of a multi-node predictor at the end of every reconcile, because its cleanup of canaries takes it for a leftover. Keep clusters with multi-node services on an earlier version.',
  match: matchService(({ deployments }) =>
    deployments
      .filter(({ component }) => component === 'worker')
      .map(({ component }) => ({ component, fields: [{ path: 'metadata.deletionTimestamp', new: '(set by KServe)' }] })),
  ),
};

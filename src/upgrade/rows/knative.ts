import { getFieldsAt, groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { DEPLOYMENT_MODE_ANNOTATION, normalizeMode } from '../../systems/kserve/mode';
import { readKserveService } from '../../systems/kserve/service';
import type { RowMatch, UpgradeRow } from '../upgrade-row';

/*
 * Differences between versions of Knative Serving. Source: knative/serving knative-v1.21 to knative-v1.23.0 and v0.51.0 (1.24),
 * pkg/reconciler/revision/resources/deploy.go and queue.go, pkg/reconciler/revision/cruds.go.
 */

/** Returns the rollouts of an object that are Revisions of Knative. */
function matchRevisions(object: Manifest): readonly RowMatch[] {
  const fields = [{ path: 'spec.template.spec.containers[queue-proxy].image' }];
  if (object.kind === 'Service' && groupOf(object) === 'serving.knative.dev') return [{ fields }];
  if (object.kind !== 'InferenceService' || groupOf(object) !== 'serving.kserve.io') return [];
  const { annotations, components } = readKserveService(object, '0.17');
  const recorded = normalizeMode(getFieldsAt(object, 'status').deploymentMode) ?? normalizeMode(annotations[DEPLOYMENT_MODE_ANNOTATION]);
  return recorded === 'Knative' ? components.map(({ name }) => ({ component: name, fields })) : [];
}

const queueProxy: UpgradeRow = {
  id: 'queue-proxy',
  effect: 'roll',
  isInPlace: true,
  message: ({ to }) =>
    `Every Revision runs the queue-proxy of Knative ${to}, so the Deployments of all running Revisions roll, each with a surge of 25 % and none unavailable. A Revision that is scaled to zero gets it at its next start.`,
  match: matchRevisions,
};

const hashedDeployments: UpgradeRow = {
  id: 'hashed-deployments',
  since: '1.22',
  effect: 'settings',
  message:
    'Knative 1.22 compares hashes of the Deployments that it wants, and writes each of them once to add the hash. From then on, edits of a Deployment by hand stay until Knative wants another one.',
  match: (object) =>
    matchRevisions(object).map((match) => ({ ...match, fields: [{ path: 'metadata.labels[serving.knative.dev/deployment-hash]' }] })),
};

/** Differences between versions of Knative Serving. */
export const KNATIVE_ROWS: readonly UpgradeRow[] = [queueProxy, hashedDeployments];

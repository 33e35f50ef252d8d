import type { Manifest } from '../../core/manifest/manifest';
import { systemOf } from '../../plan/registry';
import type { RowMatch, UpgradeRow, UpgradeSides } from '../upgrade-row';

/*
 * Differences between versions of Knative Serving. Source: knative/serving knative-v1.21 to knative-v1.23.0 and v0.51.0 (1.24),
 * pkg/reconciler/revision/resources/deploy.go and queue.go, pkg/reconciler/revision/cruds.go.
 */

const PROXY = [{ path: 'spec.template.spec.containers[queue-proxy].image' }];
const HASH = [{ path: 'metadata.labels[serving.knative.dev/deployment-hash]' }];

/** Returns the rollouts of an object that are Revisions, with their fewest pods: those of a Service of Knative, or of KServe in mode Knative. */
function listRevisions(object: Manifest, { next }: UpgradeSides): readonly { readonly component?: string; readonly pods: number }[] {
  const rollouts = systemOf(object, next)?.plan(object, next) ?? [];
  return rollouts.flatMap(({ resource: { component }, simulation }) =>
    simulation?.kind === 'revision' ? [{ ...(component !== undefined && { component }), pods: simulation.replicas }] : [],
  );
}

function matchRevisions(
  object: Manifest,
  sides: UpgradeSides,
  fields: NonNullable<RowMatch['fields']>,
  isMatched: (pods: number) => boolean = () => true,
): readonly RowMatch[] {
  return listRevisions(object, sides)
    .filter(({ pods }) => isMatched(pods))
    .map(({ component }) => ({ ...(component !== undefined && { component }), fields }));
}

const queueProxy: UpgradeRow = {
  id: 'queue-proxy',
  effect: 'roll',
  isInPlace: true,
  message: ({ to }) =>
    `Every Revision runs the queue-proxy of Knative ${to}, so the Deployments of all running Revisions roll, each with a surge of 25% and no pod unavailable.`,
  match: (object, sides) => matchRevisions(object, sides, PROXY, (pods) => pods > 0),
};

const queueProxyAtStart: UpgradeRow = {
  id: 'queue-proxy-at-start',
  effect: 'new-pods',
  message: ({ to }) =>
    `A Revision that may be scaled to zero gets the queue-proxy of Knative ${to} at its next start, or at once if it runs.`,
  match: (object, sides) => matchRevisions(object, sides, PROXY, (pods) => pods === 0),
};

const hashedDeployments: UpgradeRow = {
  id: 'hashed-deployments',
  since: '1.22',
  effect: 'settings',
  message:
    'Knative 1.22 compares hashes of the Deployments that it wants, and writes each of them once to add the hash. From then on, edits of a Deployment by hand stay until Knative wants another one.',
  match: (object, sides) => matchRevisions(object, sides, HASH),
};

/** Differences between versions of Knative Serving. */
export const KNATIVE_ROWS: readonly UpgradeRow[] = [queueProxy, queueProxyAtStart, hashedDeployments];

import { defineMessage, defineRule } from '../../core/findings/finding';
import { joinTruncatedNames, pluralize } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';

export interface NewDeploymentIdData {
  /** What the new version does. */
  readonly difference: string;
  readonly count: number;
  readonly bundles: TruncatedNames;
}

/** An upgrade of Fleet deploys bundles again. */
export const newDeploymentId = defineRule({
  code: 'upgrade/new-deployment-id',
  since: '0.1.0',
  severity: 'info',
  fires: 'The new version of Fleet computes another deployment ID for a bundle that does not change.',
  why:
    'Another ID deploys the bundle again on each of its clusters, partition by partition. The rendered templates are the same, so no pod restarts, ' +
    'but Helm runs pre-upgrade and post-upgrade hooks again.',
  fix: 'Pause bundles with hooks before the upgrade, and unpause one at a time.',
  example: `# rolloutkit upgrade fleet=0.14..0.15 bundle.yaml
apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: web, namespace: fleet-default }
spec:
  diff:
    comparePatches: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop, jsonPointers: [/spec/replicas] }]
  targets: [{ clusterSelector: {} }]
`,
  fixedExample: `# rolloutkit upgrade fleet=0.14..0.15 bundle.yaml
apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: web, namespace: fleet-default }
spec:
  targets: [{ clusterSelector: {} }]
`,
  messages: {
    redeployed: defineMessage<NewDeploymentIdData>({
      text: ({ difference, count, bundles }) =>
        `${difference} Pods stay, but pre-upgrade and post-upgrade hooks run again. This concerns ${pluralize(count, 'bundle')}: ${joinTruncatedNames(bundles)}.`,
      help: () => 'Pause the bundles with hooks before the upgrade, and unpause one at a time.',
      sample: {
        difference: 'Fleet 0.15 leaves diff out of the deployment ID.',
        count: 1,
        bundles: { names: ['Bundle fleet-default/web'] },
      },
    }),
  },
});

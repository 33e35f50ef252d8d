import { hpaWithoutTarget } from '../../../src/cluster/rules/hpa-without-target';
import { testRule } from '../../rule-tester';

function autoscaler(target: string): string {
  return `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { ${target}, name: web }, maxReplicas: 9 }
`;
}

testRule(hpaWithoutTarget, {
  valid: [
    { name: 'a group that has the kind', yaml: autoscaler('apiVersion: apps/v1, kind: StatefulSet') },
    { name: 'a bare ReplicaSet', yaml: autoscaler('apiVersion: apps/v1, kind: ReplicaSet') },
    { name: 'a kind of another group', yaml: autoscaler('apiVersion: example.com/v1, kind: Queue') },
  ],
  invalid: [
    {
      name: 'no group',
      yaml: autoscaler('kind: Deployment'),
      findings: [{ messageId: 'noSuchKind', severity: 'warning', data: { autoscaler: 'web', kind: 'Deployment' } }],
    },
    {
      name: 'a kind in lower-case letters',
      yaml: autoscaler('apiVersion: apps/v1, kind: deployment'),
      findings: [
        {
          messageId: 'notScalable',
          severity: 'warning',
          path: 'spec.scaleTargetRef.kind',
          data: { autoscaler: 'web', kind: 'deployment' },
        },
      ],
    },
    {
      name: 'a kind that cannot be scaled',
      yaml: autoscaler('apiVersion: apps/v1, kind: DaemonSet'),
      findings: [{ messageId: 'notScalable', data: { autoscaler: 'web', kind: 'DaemonSet' } }],
    },
    {
      name: 'a group that no longer has the kind',
      yaml: autoscaler('apiVersion: extensions/v1beta1, kind: Deployment'),
      findings: [{ messageId: 'noSuchKind', data: { autoscaler: 'web', apiVersion: 'extensions/v1beta1', kind: 'Deployment' } }],
    },
  ],
});

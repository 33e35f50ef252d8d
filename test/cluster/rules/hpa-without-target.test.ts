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
    { name: 'a kind of another group', yaml: autoscaler('apiVersion: example.com/v1, kind: Queue') },
  ],
  invalid: [
    {
      name: 'no group',
      yaml: autoscaler('kind: Deployment'),
      findings: [{ messageId: 'noSuchKind', severity: 'warning', data: { autoscaler: 'web', kind: 'Deployment' } }],
    },
    {
      name: 'a group that no longer has the kind',
      yaml: autoscaler('apiVersion: extensions/v1beta1, kind: Deployment'),
      findings: [{ messageId: 'noSuchKind', data: { autoscaler: 'web', apiVersion: 'extensions/v1beta1', kind: 'Deployment' } }],
    },
  ],
});

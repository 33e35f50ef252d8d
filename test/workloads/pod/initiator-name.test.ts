import { planManifests } from '../../../src/plan/plan';
import { countCpuSeconds } from '../../setup/cpu-seconds';

/** Reports whether the API server accepts an iSCSI name, by the plan of a Deployment with a volume of this name. */
function isAccepted(iqn: string): boolean {
  const volumes = [{ name: 'data', iscsi: { targetPortal: '10.0.0.1:3260', lun: 0, iqn } }];
  const { rollouts } = planManifests([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { volumes, containers: [{ name: 'web', image: 'web:1' }] } },
      },
    },
  ]);
  return rollouts[0]!.findings.every(({ severity }) => severity !== 'error');
}

/* As validateISCSIVolumeSource of Kubernetes 1.34: the text begins with iqn, and the pattern without ^ matches somewhere in it. */
test.each([
  ['iqn.2001-04.com.example:storage', true],
  ['iqn.2001-04.com.example:a:b', true],
  ['iqn, iqn.2001-04.com.example:a', true],
  ['iqn.2001-04.com.example:a\u00A0b', true],
  ['iqn.2001-04.a!iqn.2001-04.b:c', true],
  ['iqn.2001-04.com.example', false],
  ['iqn.2001-04.com.example:', false],
  ['iqn.2001-04.:a', false],
  ['iqn.2001-04.com.example:a b', false],
  ['iqn.2001-04.com/example:a', false],
  ['xiqn.2001-04.com.example:a', false],
  ['eui.0123456789abcdef', true],
])('the iSCSI name %s', (iqn, expected) => {
  expect(isAccepted(iqn)).toBe(expected);
});

test('a name with many beginnings takes linear time', () => {
  const readSeconds = countCpuSeconds();
  expect(isAccepted('iqn.0000-00.q'.repeat(50_000))).toBe(false);
  expect(readSeconds()).toBeLessThan(2);
});

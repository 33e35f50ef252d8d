import { Deadline, DeadlineError } from '../../src/core/budget/deadline';
import { findExcludingSetting } from '../../src/input/argo-cd-settings';
import { readFiles } from '../../src/input/read';
import { countCpuSeconds } from '../setup/cpu-seconds';

const settingsOf = (entries: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm' },
  data: { 'resource.exclusions': JSON.stringify(entries) },
});

const deploymentOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } });

test('thousands of settings of Argo CD are compared once with the objects of a kind', () => {
  const entries = Array.from({ length: 20_000 }, (_, index) => ({ apiGroups: [`a*${index}`] }));
  const deployments = Array.from({ length: 1_500 }, (_, index) => deploymentOf(`web-${index}`));
  const content = [settingsOf(entries), ...deployments].map((object) => JSON.stringify(object)).join('\n---\n');
  const readSeconds = countCpuSeconds();
  const { findings, objects } = readFiles([{ file: 'a.yaml', content }]);
  const seconds = readSeconds();

  expect([objects.length, findings]).toEqual([1_501, []]);
  // Each object was compared with each entry, which took 11 seconds.
  expect(seconds).toBeLessThan(4);
});

test('no entry of the settings is compared after the deadline', () => {
  let now = 0;
  const deadline = new Deadline(1, () => now);
  const compare = () => deadline.limit(() => findExcludingSetting(settingsOf([{ apiGroups: ['a*'] }]), [deploymentOf('web')]));

  expect(compare()).toBe('data["resource.exclusions"]');
  now = 2_000;
  expect(compare).toThrow(DeadlineError);
});

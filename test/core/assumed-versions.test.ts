import { findAssumedVersions } from '../../src/core/document/assumed-versions';
import { planManifests } from '../../src/plan/plan';

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };

test('a plan lists the versions that matter to its rollouts and are not given', () => {
  expect(planManifests([WEB]).assumedVersions).toEqual({ kubernetes: '1.36' });
  expect(planManifests([WEB], { versions: { kserve: '0.20' } }).assumedVersions).toEqual({ kubernetes: '1.36' });
});

test('no version is assumed if all are given, or if there is no object', () => {
  expect(planManifests([WEB], { versions: { kubernetes: '1.35' } })).not.toHaveProperty('assumedVersions');
  expect(planManifests([])).not.toHaveProperty('assumedVersions');
});

test('a rollout of a product also depends on the controllers that it creates objects of', () => {
  const rollouts = [
    { system: 'kserve', simulation: { kind: 'revision' } },
    { system: 'kserve', simulation: { kind: 'leaderworkerset' } },
  ] as unknown as Parameters<typeof findAssumedVersions>[0];
  const versions = { kubernetes: '1.36', kserve: '0.17', knative: '1.21', lws: '0.9' } as Parameters<typeof findAssumedVersions>[1];
  expect(findAssumedVersions(rollouts, versions, { kserve: '0.17' })).toEqual({ kubernetes: '1.36', knative: '1.21', lws: '0.9' });
});

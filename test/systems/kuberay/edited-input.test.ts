import { planManifests } from '../../../src/headless';
import { CLUSTER, OPTIONS } from './plan';

const SCALED_TWICE = 'applications: [{ name: a, deployments: [{ name: D, num_replicas: 2, autoscaling_config: {} }] }]';
const SCALED_ONCE = 'applications: [{ name: a, deployments: [{ name: D, num_replicas: 2 }] }]';
const AUTOSCALED = 'applications: [{ name: a, deployments: [{ name: D, autoscaling_config: {} }] }]';

/** Returns a RayService that a program edits. */
function editable(serveConfigV2: string) {
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm' },
    spec: {
      upgradeStrategy: { type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: { ...OPTIONS } },
      serveConfigV2,
      rayClusterConfig: { ...CLUSTER },
    },
  };
}

test('a plan of an object that was edited in place uses the new values, not those of the previous plan', () => {
  const object = editable(SCALED_TWICE);
  const codes = () => planManifests([object]).rollouts[0]!.findings.map(({ code }) => code);
  expect(codes()).toEqual(['kuberay/serve-config-conflict']);
  object.spec.serveConfigV2 = SCALED_ONCE;
  expect(codes()).toEqual([]);
  object.spec.serveConfigV2 = SCALED_TWICE;
  expect(codes()).toEqual(['kuberay/serve-config-conflict']);
});

test('the rows of the upgrade also follow an edited Serve config: the upgrade waits only once for replicas that Serve scales', () => {
  const object = editable(SCALED_ONCE);
  const seconds = () => planManifests([object], { startupSeconds: 60 }).rollouts[0]!.duration!.lowerBoundSeconds;
  expect(seconds()).toBe(510);
  object.spec.serveConfigV2 = AUTOSCALED;
  expect(seconds()).toBe(310);
});

/** Props of a RayService that TypeScript refuses. `npm run types` fails if one of these lines compiles without its error. */
import type { IncrementalRayServiceProps, ServeDeployment, UpgradeProps, UpgradeStrategy } from 'rolloutkit';

const name = 'LLM';

test('a deployment has a fixed number of replicas or a range, and GPUs have their own keyword', () => {
  const deployments: ServeDeployment[] = [
    { name, num_replicas: 2, ray_actor_options: { num_gpus: 1, resources: { fpga: 1 } } },
    { name, num_replicas: 'auto', autoscaling_config: { max_replicas: 8 } },
    // @ts-expect-error
    { name, num_replicas: 2, autoscaling_config: { max_replicas: 8 } },
    // @ts-expect-error
    { name, ray_actor_options: { resources: { GPU: 1 } } },
    // @ts-expect-error
    { name, autoscaling_config: { max_replica: 8 } },
    { name, autoscaling_config: { max_replicas: 8, others: { aggregation_function: 'max' } } },
  ];
  expect(deployments).toHaveLength(6);
});

test('the options are under clusterUpgradeOptions, next to their type', () => {
  const options = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };
  const strategies: UpgradeStrategy[] = [
    { type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: options },
    { type: 'None' },
    // @ts-expect-error
    { type: 'NewClusterWithIncrementalUpgrade' },
    // @ts-expect-error
    { type: 'NewCluster', clusterUpgradeOptions: options },
    // @ts-expect-error
    { maxSurgePercent: 20, stepSizePercent: 10, intervalSeconds: 60 },
    // @ts-expect-error
    { type: 'Canary' },
  ];
  expect(strategies).toHaveLength(6);
});

test('an upgrade needs its class, its surge and its step, as numbers', () => {
  const upgrades: UpgradeProps[] = [
    { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5 },
    // @ts-expect-error
    { maxSurgePercent: 20, stepSizePercent: 5 },
    // @ts-expect-error
    { gatewayClassName: 'istio', stepSizePercent: 5 },
    // @ts-expect-error
    { gatewayClassName: 'istio', maxSurgePercent: '20', stepSizePercent: 5 },
  ];
  expect(upgrades).toHaveLength(4);
});

test('an upgrade by the operator has one service, one by Git has two', () => {
  const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5 };
  const service = { serveConfig: { applications: [] }, rayCluster: { headGroupSpec: { template: { spec: { containers: [] } } } } };
  const props: IncrementalRayServiceProps[] = [
    { upgrade, ...service },
    { ownership: 'gitops', upgrade, current: service, next: service, stage: 3 },
    // @ts-expect-error
    { ownership: 'gitops', upgrade, ...service },
    // @ts-expect-error
    { ownership: 'operator', upgrade, current: service, next: service },
  ];
  expect(props).toHaveLength(4);
});

/** Unknown props, which JavaScript callers and casts can pass: the synth refuses all at once, each with the closest name. */
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  DeploymentPolicy,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  KServePlatformConfig,
} from 'rolloutkit';
import { canary, OperatorRollingUpdate, Rollout } from 'rolloutkit';
import { errorOf, synthError, withoutPlaces } from './synth-error';
import { model } from '../builders/served-model';

/** Returns the error lines of a synth of one construct, or of its constructor. */
function refused(Build: new (...args: never[]) => unknown, props: unknown): string[] {
  const message = errorOf(() => {
    const app = new App();
    Reflect.construct(Build, [new Chart(app, 'shop'), 'it', props]);
    app.synthYaml();
  });
  return withoutPlaces(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== 'Validation failed with the following errors:');
}

test.each([
  [
    'a predictor',
    InferenceServiceRollout,
    { predictor: { model, minReplica: 4, rolout: Rollout.availability('25%') } },
    [
      '[shop/it] predictor.minReplica is not a prop; write minReplicas, or leave it out',
      '[shop/it] predictor.rolout is not a prop; write rollout, or leave it out',
    ],
  ],
  [
    'a service',
    InferenceServiceRollout,
    { predictor: { model }, metadata: { namspace: 'models' }, transfomer: {} },
    [
      '[shop/it] metadata.namspace is not a prop; write namespace, or leave it out',
      '[shop/it] transfomer is not a prop; write transformer, or leave it out',
    ],
  ],
  [
    'a container, a model, a strategy and a canary',
    InferenceServiceRollout,
    {
      predictor: { model: { ...model, storageURI: 's3://bucket' }, deploymentStrategy: { rollingUpdate: { maxSurg: 1 } } },
      transformer: { containers: [{ imag: 'web:1' }] },
      canary: [{ trafficPercent: 1, predictor: { rollout: Rollout.recreate() } }],
    },
    [
      '[shop/it] predictor.model.storageURI is not a prop; write storageUri, or leave it out',
      '[shop/it] predictor.deploymentStrategy.rollingUpdate.maxSurg is not a prop; write maxSurge, or leave it out',
      '[shop/it] transformer.containers[0].imag is not a prop; write image, or leave it out',
      '[shop/it] canary[0].predictor.rollout is not a prop; leave it out, or put it into canary[0].predictor.others, which is written to the object unchanged',
    ],
  ],
  [
    'others that are props',
    InferenceServiceRollout,
    { predictor: { model, others: { minReplicas: 4, fieldOfNextYear: 1 } } },
    ['[shop/it] predictor.others.minReplicas is a prop; write predictor.minReplicas'],
  ],
  [
    'an upgrade',
    IncrementalRayService,
    {
      upgrade: { gatewayClassName: 'istio', maxSurgePercnt: 20, stepSizePercent: 5 },
      serveConfig: { applications: [] },
      rayCluster: { headGroupSpec: { template: { spec: { containers: [] } } }, workerGroupSpec: [] },
    },
    [
      '[shop/it] upgrade.maxSurgePercnt is not a prop; write maxSurgePercent, or leave it out',
      '[shop/it] rayCluster.workerGroupSpec is not a prop; write workerGroupSpecs, or leave it out',
      '[shop/it] [kuberay/ray-cluster-spec] rayCluster.headGroupSpec.template.spec.containers: The head group has no container, so KubeRay refuses the spec. Add the Ray container as the first container.',
    ],
  ],
  [
    'a Serve deployment',
    IncrementalRayService,
    {
      upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5 },
      serveConfig: {
        applications: [
          {
            name: 'llm',
            import_path: 'llm:app',
            deployments: [
              { name: 'LLM', num_replica: 3, ray_actor_options: { num_gpu: 1 } },
              { name: 'Router', autoscaling_config: { max_replica: 8 }, fieldOfNextYear: 1, others: { max_ongoing_requests: 2 } },
            ],
          },
        ],
      },
      rayCluster: { headGroupSpec: { template: { spec: { containers: [{ name: 'head', image: 'rayproject/ray:2.50.0' }] } } } },
    },
    [
      '[shop/it] serveConfig.applications[0].deployments[0].num_replica is not a prop; write num_replicas, or leave it out',
      '[shop/it] serveConfig.applications[0].deployments[0].ray_actor_options.num_gpu is not a prop; write num_gpus, or leave it out',
      '[shop/it] serveConfig.applications[0].deployments[1].autoscaling_config.max_replica is not a prop; write max_replicas, or leave it out',
      '[shop/it] serveConfig.applications[0].deployments[1].fieldOfNextYear is not a prop; leave it out, or put it into ' +
        'serveConfig.applications[0].deployments[1].others, which is written to the object unchanged',
      '[shop/it] serveConfig.applications[0].deployments[1].others.max_ongoing_requests is a prop; write serveConfig.applications[0].deployments[1].max_ongoing_requests',
    ],
  ],
  [
    'a bundle',
    FleetBundle,
    {
      targets: [{ clusterSelectr: {} }],
      rollout: { maxUnavailble: 1, partitions: [{ clusterSelector: {}, maxUnavailabl: 1 }] },
      dependOn: [],
    },
    [
      '[shop/it] targets[0].clusterSelectr is not a prop; write clusterSelector, or leave it out',
      '[shop/it] rollout.maxUnavailble is not a prop; write maxUnavailable, or leave it out',
      '[shop/it] rollout.partitions[0].maxUnavailabl is not a prop; write maxUnavailable, or leave it out',
      '[shop/it] dependOn is not a prop; write dependsOn, or leave it out',
    ],
  ],
  [
    'partitions by intent',
    FleetBundle,
    { targets: [{ clusterSelector: {} }], rollout: { partitions: { kind: 'automatic', sise: '10%' } } },
    ['[shop/it] rollout.partitions.sise is not a prop; write size, or leave it out'],
  ],
  [
    'an operator’s resource',
    OperatorRollingUpdate,
    { strategy: Rollout.recreate(), replica: 5 },
    ['[shop/it] replica is not a prop; write replicas, or leave it out'],
  ],
])('of %s', (_what, Build, props, lines) => {
  expect(refused(Build, props)).toEqual(lines);
});

test('of several constructs at once, each with the line that created it', () => {
  const message = synthError((chart) => {
    for (const id of ['iris', 'rose']) Reflect.construct(InferenceServiceRollout, [chart, id, { predictor: { model, minReplica: 4 } }]);
  });

  expect(message.split('\n').slice(1)).toEqual(
    ['iris', 'rose'].map((id) =>
      expect.stringMatching(
        new RegExp(
          `^ {2}\\[shop/${id}\\] predictor\\.minReplica is not a prop; write minReplicas, or leave it out \\(created at test/constructs/unknown-props\\.test\\.ts:\\d+:\\d+\\)$`,
        ),
      ),
    ),
  );
});

test('if the other props are invalid too, only the unknown prop is reported', () => {
  const template = { metadata: { name: 'shop' }, spec: { project: 'default', destination: { name: 'berlin' } } };
  const props = { generators: [{ clusters: {} }], template, stepps: [{ match: { env: 'dev' } }] };

  expect(refused(ApplicationSetRollout, props)).toEqual(['[shop/it] stepps is not a prop; write steps, or leave it out']);
});

test('a missing mount path and a resource of another type are refused with the path of the construct', () => {
  const strategy = Rollout.recreate();

  expect(refused(OperatorRollingUpdate, { strategy, mountPath: 'status.strategy' })).toEqual([
    '[shop/it] mountPath is "status.strategy", which is not a field below spec: write a path such as spec.strategy or spec.baw_configuration[0].strategy',
  ]);
  expect(refused(OperatorRollingUpdate, { strategy, resource: { kind: 3 } })).toEqual([
    '[shop/it] resource.kind is 3: write a string, or leave it out',
  ]);
});

test('errors of a policy and a platform level name the function that created them', () => {
  const stateless = DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurg: 1 } as never);
  const stateful = DeploymentPolicy.stateful({ update: 'OnDelete', revisionHistoryLimit: 3 } as never);
  const daemon = DaemonSetPolicy.of({ maxUnavailble: 1 } as never);
  const message = synthError((chart) => {
    const workload = (kind: string) => new ApiObject(chart, kind, { apiVersion: 'apps/v1', kind });
    stateless.applyTo(workload('Deployment'));
    stateful.applyTo(workload('StatefulSet'));
    workload('DaemonSet');
    daemon.applyToAll(chart);
  });

  expect(message.replaceAll(/:\d+:\d+\)/g, ')')).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop] DaemonSetPolicy: maxUnavailble is not a prop; write maxUnavailable, or leave it out (created at test/constructs/unknown-props.test.ts)
  [shop/Deployment] DeploymentPolicy.stateless: maxSurg is not a prop; write maxSurge, or leave it out (created at test/constructs/unknown-props.test.ts)
  [shop/StatefulSet] DeploymentPolicy.stateful: revisionHistoryLimit is not a prop; write revisionHistory, or leave it out (created at test/constructs/unknown-props.test.ts)"
`);
  expect(() => KServePlatformConfig.of({ defaultRolout: { maxSurge: 1 } } as never)).toThrow(
    'platform config: defaultRolout is not a prop; write defaultRollout, or leave it out',
  );
});

test('fields in podSpec and others are written unchanged into the component', () => {
  const service = new InferenceServiceRollout(Testing.chart(), 'iris', {
    predictor: { model, podSpec: { nodeSelector: { pool: 'gpu' } }, others: { fieldOfNextYear: true } },
    canary: [{ trafficPercent: 5, predictor: { model, others: { fieldOfNextYear: false } } }],
    kserve: '0.20',
  });

  expect(service.apiObject.toJson().spec).toEqual({
    predictor: {
      model,
      nodeSelector: { pool: 'gpu' },
      fieldOfNextYear: true,
      deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    },
    canary: [{ trafficPercent: 5, predictor: { model: { name: 'kserve-container', ...model }, fieldOfNextYear: false } }],
  });
});

test.each<[what: string, props: object, line: string]>([
  [
    'a canary',
    { rollout: { partitions: canary({ clusters: { clusterSelector: { matchLabels: { env: 'dev' } } } as never }) } },
    'rollout.partitions.clusters.clusterSelector is not a prop; leave it out, or write one of matchLabels and matchExpressions',
  ],
  [
    'a target',
    { targets: [{ clusterSelector: { matchLabel: { env: 'dev' } } }] },
    'targets[0].clusterSelector.matchLabel is not a prop; write matchLabels, or leave it out',
  ],
  [
    'the group of a partition',
    { rollout: { partitions: [{ name: 'dev', group: { name: 'dev', selector: { env: 'dev' } } }] } },
    'rollout.partitions[0].group.selector.env is not a prop; leave it out, or write one of matchLabels and matchExpressions',
  ],
])('a misspelt selector of %s is refused, because without its fields it would select every cluster', (_what, props, line) => {
  expect(refused(FleetBundle, { targets: [{ clusterSelector: {} }], ...props })).toEqual([`[shop/it] ${line}`]);
});

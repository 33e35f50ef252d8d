/** Two objects with the same group, kind, namespace and name would be one object in the cluster. */
import { ApiObject, App, Chart } from 'cdk8s';
import { DeploymentPolicy, FleetBundle, InferenceServiceRollout } from 'rolloutkit';
import { sound } from '../sound-workload';

const predictor = { model: { modelFormat: { name: 'sklearn' } } };

function synthesized(build: (app: App) => void): string {
  const app = new App();
  build(app);
  try {
    return `${app.synthYaml().split('---').length} objects`;
  } catch (error) {
    return (error as Error).message;
  }
}

function deployment(chart: Chart, id: string): ApiObject {
  return new ApiObject(chart, id, sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: {} }));
}

test('in one chart or two, from a construct or a plain ApiObject, they fail the synth', () => {
  const message = synthesized((app) => {
    const models = new Chart(app, 'models', { namespace: 'models' });
    new InferenceServiceRollout(models, 'iris', { predictor });
    new InferenceServiceRollout(models, 'second', { metadata: { name: 'iris' }, predictor });
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(deployment(models, 'web'));
    deployment(new Chart(app, 'more', { namespace: 'models' }), 'web');
  });

  expect(message).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [] [input/duplicate-resource] models/second/Resource: InferenceService models/iris is also created at models/iris/Resource (test/constructs/duplicates.test.ts:25:5), but a cluster has only one object with that name. Give one of the two a different name or namespace, or put charts for different clusters into separate apps. (created at test/constructs/duplicates.test.ts:26:5)
  [] [input/duplicate-resource] more/web: Deployment models/web is also created at models/web, but a cluster has only one object with that name. Give one of the two a different name or namespace, or put charts for different clusters into separate apps."
`);
});

test('objects in another namespace, kind or group are different', () => {
  const message = synthesized((app) => {
    const models = new Chart(app, 'models', { namespace: 'models' });
    new InferenceServiceRollout(models, 'iris', { predictor });
    new InferenceServiceRollout(new Chart(app, 'test', { namespace: 'test' }), 'iris', { predictor });
    new ApiObject(models, 'other', { apiVersion: 'serving.example.com/v1', kind: 'InferenceService', metadata: { name: 'iris' } });
  });

  expect(message).toBe('3 objects');
});

test('the resources of two bundles may have the same names: they are deployed to other clusters', () => {
  const message = synthesized((app) => {
    const fleet = new Chart(app, 'fleet', { namespace: 'fleet-default' });
    for (const stage of ['dev', 'prod']) {
      const resources = new Chart(app, stage);
      deployment(resources, 'web');
      new FleetBundle(fleet, `shop-${stage}`, { resources, targets: [{ clusterSelector: { matchLabels: { stage } } }] });
    }
  });

  expect(message).toBe('4 objects');
});

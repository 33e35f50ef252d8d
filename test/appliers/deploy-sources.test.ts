import { planChange } from '../../src/headless';
import type { PlanDocument } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';
import { rolloutkit } from '../cli/command-line';

function deployment(spec: object = {}, metadata: object = {}): object {
  return workload(
    'Deployment',
    { replicas: 2, template: podTemplate({ name: 'web', image: 'web:1' }), ...spec },
    { name: 'web', namespace: 'shop', ...metadata },
  );
}

function helmRelease(upgrade: object = {}): object {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { chart: { spec: { chart: 'web', sourceRef: { kind: 'HelmRepository', name: 'charts' } } }, upgrade },
  };
}

const OF_CHART = { labels: { 'helm.sh/chart': 'web-1.0.0' } };
const OF_RELEASE = { labels: { 'helm.toolkit.fluxcd.io/name': 'web', 'helm.toolkit.fluxcd.io/namespace': 'shop' } };

/** Returns a Deployment that the helm-controller wrote, and that an autoscaler has scaled to 7. */
function live(operation: string): object {
  const entry = { apiVersion: 'apps/v1', fieldsType: 'FieldsV1' };
  return deployment(
    { replicas: 7 },
    {
      uid: '1',
      ...OF_RELEASE,
      managedFields: [
        { ...entry, manager: 'helm-controller', operation, fieldsV1: { 'f:spec': { 'f:template': {}, 'f:replicas': {} } } },
        { ...entry, manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': { 'f:minReadySeconds': {} } } },
      ],
    },
  );
}

describe('a HelmRelease in view', () => {
  test('applies what is rendered from a chart', () => {
    const { change } = planChange([deployment({}, OF_CHART)], [helmRelease(), deployment({ replicas: 3 }, OF_CHART)]);
    expect(change.objects[1]).toMatchObject({
      effect: 'scale',
      apply: 'flux',
      applier: { tool: 'flux-helm', because: 'HelmRelease shop/web is in view' },
    });
  });

  test('does not apply an object without a label of a chart', () => {
    const { change } = planChange([deployment()], [helmRelease(), deployment({ replicas: 3 })]);
    expect(change.objects[1]).toMatchObject({ effect: 'scale', apply: 'client' });
  });

  test('applies its folder if its chart is one of a repository', () => {
    const release = { ...helmRelease(), spec: { chart: { spec: { chart: './charts/web', sourceRef: { kind: 'GitRepository' } } } } };
    const { change } = planChange([deployment()], [release, deployment({ replicas: 3 })]);
    expect(change.objects[1]).toMatchObject({ applier: { tool: 'flux-helm' } });
  });

  test.each([
    ['Apply', {}, 'server-side, so a manifest without replicas deletes them', 'scale'],
    ['Update', {}, 'client-side, as the last release', 'none'],
    ['Update', { serverSideApply: 'disabled', force: true }, 'with a PUT', 'scale'],
  ])('whose last release did an %s, and that has %j, writes %s', (operation, upgrade, _how, effect) => {
    const { replicas: _, ...spec } = (deployment() as { spec: Record<string, unknown> }).spec;
    const next = { ...deployment(), spec };
    const { change } = planChange([live(operation)], [helmRelease(upgrade), next]);
    expect(change.objects[1]).toMatchObject({ effect, applier: { tool: 'flux-helm', because: 'HelmRelease shop/web applied it' } });
  });

  test('wins over the force of a Kustomization, which does not apply the objects of its chart', () => {
    const kustomization = {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'apps', namespace: 'flux-system' },
      spec: { path: './', force: true },
    };
    const other = { template: podTemplate(), selector: { matchLabels: { app: 'web', tier: 'front' } } };
    const { change } = planChange([live('Apply')], [helmRelease(), kustomization, deployment(other)]);
    expect(change.objects[2]).toMatchObject({ effect: 'refused', applier: { tool: 'flux-helm' } });
  });
});

test('an ApplicationSet makes Argo CD keep what its template ignores', () => {
  const template = {
    metadata: { name: '{{cluster}}-web' },
    spec: {
      source: { repoURL: 'https://git.example.com/x', path: '{{path}}' },
      destination: { namespace: '{{namespace}}' },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
      syncPolicy: { syncOptions: ['RespectIgnoreDifferences=true'] },
    },
  };
  const set = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: { template },
  };
  const { change } = planChange([deployment({ replicas: 5 })], [set, deployment()]);
  expect(change.objects.find(({ resource }) => resource.kind === 'Deployment')).toMatchObject({ effect: 'none', apply: 'argocd' });
});

test.each([
  ['Chart.yaml', 'apiVersion: v2\nname: web\nversion: 0.1.0\n', 'helm-3'],
  ['fleet.yaml', 'helm: { releaseName: web }\n', 'fleet'],
])('%s in the given folder shows the tool of the objects below it', async (name, text, tool) => {
  const web = (replicas: number) => JSON.stringify(deployment({ replicas }));
  const files = { [`old/${name}`]: text, 'old/web.json': web(2), [`new/${name}`]: text, 'new/web.json': web(3) };
  const { change } = JSON.parse((await rolloutkit('plan --from old new --format json', { files })).stdout) as PlanDocument;
  expect(change!.objects.find(({ resource }) => resource.kind === 'Deployment')!.applier).toEqual({
    tool,
    because: `${name} in its folder`,
  });
});

import { planChange } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';

const RELEASE = { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'shop' };
const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'Helm' };
const HELM_RELEASE = { ...MANAGED_BY, 'helm.toolkit.fluxcd.io/name': 'web', 'helm.toolkit.fluxcd.io/namespace': 'shop' };
const KUSTOMIZATION = { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
const TRACKED = { 'argocd.argoproj.io/tracking-id': 'web:apps/Deployment:shop/web' };
const FLEET = { ...RELEASE, 'objectset.rio.cattle.io/id': 'default-web' };

function deployment(image: string, metadata: object = {}): object {
  return workload(
    'Deployment',
    { replicas: 2, template: podTemplate({ name: 'web', image }) },
    { name: 'web', namespace: 'shop', ...metadata },
  );
}

function ownedNames(map: object): object {
  return Object.fromEntries(Object.keys(map).map((name) => [`f:${name}`, {}]));
}

/** Returns what one manager wrote: labels, annotations and the image. */
function live(manager: string, operation: string, labels: object, annotations: object): object {
  const fieldsV1 = {
    'f:metadata': { 'f:labels': ownedNames(labels), 'f:annotations': ownedNames(annotations) },
    'f:spec': {
      'f:replicas': {},
      'f:selector': {},
      'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } } } },
    },
  };
  const managedFields = [{ manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1 }];
  return deployment('web:1', { uid: '1', labels, annotations, managedFields });
}

/** Live objects as each tool leaves them, and the tool that they show. */
const LIVE: readonly (readonly [name: string, tool: string, old: object])[] = [
  ['Helm 3', 'helm-3', live('helm', 'Update', MANAGED_BY, RELEASE)],
  ['Helm 4', 'helm-4', live('helm', 'Apply', MANAGED_BY, RELEASE)],
  ['a Kustomization', 'flux', live('kustomize-controller', 'Apply', KUSTOMIZATION, {})],
  ['a Kustomization that took over an older one', 'flux', live('kustomize-controller', 'Update', KUSTOMIZATION, {})],
  ['a HelmRelease', 'flux-helm', live('helm-controller', 'Apply', HELM_RELEASE, RELEASE)],
  ['a HelmRelease that Helm 3 applied', 'flux-helm', live('helm-controller', 'Update', HELM_RELEASE, RELEASE)],
  ['Argo CD', 'argo-cd', live('argocd-controller', 'Update', {}, TRACKED)],
  ['Argo CD that tracks by label', 'argo-cd', live('argocd-controller', 'Update', { 'app.kubernetes.io/instance': 'web' }, {})],
  ['Argo CD with ServerSideApply=true', 'argo-cd-server-side', live('argocd-controller', 'Apply', {}, TRACKED)],
  ['Fleet', 'fleet', live('fleetagent', 'Apply', { ...MANAGED_BY, 'objectset.rio.cattle.io/hash': 'a' }, FLEET)],
  ['Fleet that Helm 3 applied', 'fleet', live('fleetagent', 'Update', { ...MANAGED_BY, 'objectset.rio.cattle.io/hash': 'a' }, FLEET)],
  [
    'Pulumi',
    'pulumi',
    live('pulumi-kubernetes-1a2b', 'Apply', { 'app.kubernetes.io/managed-by': 'pulumi' }, { 'pulumi.com/autonamed': 'true' }),
  ],
  ['Pulumi that created it', 'pulumi', live('pulumi-kubernetes', 'Update', {}, {})],
];

test.each(LIVE)('a live object of %s is found to be of %s, and its labels and annotations of the tool stay', (_name, tool, old) => {
  const { change } = planChange([old], [deployment('web:1')]);
  expect(change.objects[0]).toMatchObject({ effect: 'none', applier: { tool } });
});

test.each(LIVE)('a new image in a live object of %s is no conflict: %s owns it', (_name, _tool, old) => {
  const { change } = planChange([old], [deployment('web:2')]);
  expect(change.objects[0]).toMatchObject({ effect: 'roll', because: [{ path: 'spec.template.spec.containers[web].image' }] });
});

test('a label that the tool does not write is removed with the manifest that named it', () => {
  const old = live('kustomize-controller', 'Apply', { ...KUSTOMIZATION, team: 'a' }, {});
  const { change } = planChange([old], [deployment('web:1')]);
  expect(change.objects[0]).toMatchObject({ effect: 'metadata', because: [{ path: 'metadata.labels[team]' }] });
});

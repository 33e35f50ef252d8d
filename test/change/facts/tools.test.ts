import { planChange } from '../../../src/headless';
import type { ChangeOptions } from '../../../src/headless';
import { container, describeEffect, describeEffects, workload } from './effects';

/* Section d.4: the results of a change under Argo CD, Flux, Helm 3 and 4 and Pulumi. */

const IMAGE = container({ image: 'web:2' });
const SELECTOR = { selector: { matchLabels: { app: 'other' } }, template: { metadata: { labels: { app: 'other' } }, spec: container({}) } };
const annotated = (annotations: object, podSpec: object = {}, spec: object = {}) => workload('Deployment', podSpec, spec, { annotations });
const REFUSED = 'refused | spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable';

describe('Argo CD', () => {
  const synced = (options: string) => ({ 'argocd.argoproj.io/sync-options': options });

  test.each<[string, string, string]>([
    ['a sync with Replace and Force deletes and recreates an object whenever it differs', 'Replace=true,Force=true', 'replace'],
    ['a sync with a blank between the options does too', 'Prune=false, Replace=true, Force=true', 'replace'],
    ['a sync with only Force does so if the server refuses the change', 'Force=true', 'roll'],
    ['a server-side apply rolls', 'ServerSideApply=true', 'roll'],
  ])('%s', (_what, options, effect) => {
    const [first] = describeEffect(annotated(synced(options)), annotated(synced(options), IMAGE)).split(' ');
    expect(first).toBe(effect);
  });

  test('a change that the server refuses fails, unless it is forced', () => {
    expect(describeEffect(annotated({}), annotated({}, {}, SELECTOR))).toBe(REFUSED);
    const forced = describeEffect(annotated(synced('Force=true')), annotated(synced('Force=true'), {}, SELECTOR));
    expect(forced.split(' ')[0]).toBe('replace');
  });

  test('only the object has the annotation by which it is tracked', () => {
    expect(describeEffect(annotated({}), annotated({ 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/web' }))).toBe(
      'metadata | metadata.annotations',
    );
  });

  test('an object that is removed stays without prune', () => {
    const effects = (options: ChangeOptions) =>
      planChange([workload('Deployment')], [], options).change.objects.map(({ effect }) => effect);
    expect([effects({}), effects({ prune: true })]).toEqual([['none'], ['delete']]);
  });
});

describe('Flux', () => {
  test('recreates what the server refuses if it is forced, and nothing else', () => {
    const force = { 'kustomize.toolkit.fluxcd.io/force': 'Enabled' };
    expect(describeEffect(annotated(force), annotated(force, {}, SELECTOR)).split(' ')[0]).toBe('replace');
    expect(describeEffect(annotated(force), annotated(force, IMAGE)).split(' ')[0]).toBe('roll');
    const off = { 'kustomize.toolkit.fluxcd.io/force': 'disabled' };
    expect(describeEffect(annotated(off), annotated(off, {}, SELECTOR))).toBe(REFUSED);
  });

  test('drops an unknown field, also of a new object', () => {
    const next = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, dat: { a: '1' } };
    expect(describeEffects([], [next], { apply: 'flux' })).toEqual(['create']);
    expect(describeEffects([], [next], { apply: 'server' })).toEqual([
      'refused | : failed to create typed patch object (default/a; /v1, Kind=ConfigMap): .dat: field not declared in schema',
    ]);
  });
});

/** Returns a Deployment as `kubectl get` shows it, with these owners of its fields. */
function live(spec: object, managers: readonly object[]): object {
  const object = workload('Deployment', {}, spec, { uid: 'u', resourceVersion: '1', generation: 1, managedFields: managers });
  return { ...object, status: { observedGeneration: 1, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 } };
}

const owner = (manager: string, fields: object, more: object = {}) => ({
  manager,
  operation: 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': fields },
  ...more,
});

describe('Helm 3 merges three ways, with the manifest of the last release', () => {
  const release = workload('Deployment', {}, { minReadySeconds: 5 });

  test('a field that the new release lacks is deleted', () => {
    expect(describeEffect(release, workload('Deployment'), { apply: 'helm' })).toBe('settings | spec.minReadySeconds');
  });

  test('an unknown field is dropped, although kubectl refuses it', () => {
    const odd = workload('Deployment', {}, { minReadySeconds: 5, surge: 1 });
    expect(describeEffect(release, odd, { apply: 'helm' })).toBe('none');
    expect(describeEffect(release, odd, { apply: 'client' })).toMatch(/^refused .*unknown field "spec.surge"$/);
  });

  test('an object that is removed from the release is deleted, unless its policy is to keep it', () => {
    const kept = annotated({ 'helm.sh/resource-policy': 'keep' });
    const effects = (object: object) => planChange([object], [], { apply: 'helm', prune: true }).change.objects.map(({ effect }) => effect);
    expect([effects(release), effects(kept)]).toEqual([['delete'], ['none']]);
  });

  test('a change that the server refuses fails the release', () => {
    expect(describeEffect(release, workload('Deployment', {}, SELECTOR), { apply: 'helm' })).toBe(REFUSED);
  });
});

describe('Helm 4 applies on the server, with its own field manager', () => {
  const helm = { manager: 'helm', operation: 'Apply' };
  const applied = [owner('helm', { 'f:minReadySeconds': {} }, helm)];
  const options = { apply: 'server' } as const;

  test('a field that only Helm owned and that the new release lacks is removed', () => {
    expect(describeEffect(live({ minReadySeconds: 5 }, applied), workload('Deployment'), options)).toMatch(
      /^(settings \| spec.minReadySeconds|none)$/,
    );
  });

  test('the replicas of an autoscaler are a conflict', () => {
    const scaler = owner('kube-controller-manager', { 'f:replicas': {} }, { subresource: 'scale' });
    expect(describeEffect(live({ replicas: 5 }, [...applied, scaler]), workload('Deployment'), options)).toBe(
      'refused | .spec.replicas: Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });
});

describe('Pulumi generates a new name for a ConfigMap if its data differ', () => {
  const config = (name: string, mode: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { mode },
  });
  const reader = (name: string) => workload('Deployment', container({ envFrom: [{ configMapRef: { name } }] }));

  test('a workload that names it rolls', () => {
    expect(
      describeEffects(
        [reader('settings-1a2b'), config('settings-1a2b', 'a')],
        [reader('settings-9f8e'), config('settings-9f8e', 'b')],
      ).slice(0, 2),
    ).toEqual(['roll by ConfigMap settings-9f8e | spec.template.spec.containers[web].envFrom[0].configMapRef.name', 'create']);
  });
});

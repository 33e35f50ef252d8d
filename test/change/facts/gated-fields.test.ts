import { container, describeEffect, workload } from './effects';

/* Fields of a feature gate that a version has off. The API server drops them, unless the object that it updates has a field of the gate. */

const NONE = 'none';
const ROLL = 'roll | spec.template.spec';

const REFUSED =
  'refused | spec.jobTemplate.spec.template.spec.containers[0].restartPolicy: restartPolicy is "Never", which the API server refuses: ' +
  'only an init container may have it in this version.';

function toLive(object: object): object {
  return { ...object, metadata: { ...(object as { readonly metadata: object }).metadata, uid: 'abc', resourceVersion: '1' } };
}

function cronJob(fields: object): object {
  const template = { spec: { restartPolicy: 'OnFailure', ...container(fields) } };
  const spec = { schedule: '* * * * *', jobTemplate: { spec: { template } } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'web', namespace: 'shop' }, spec };
}

test.each([
  ['1.28', REFUSED],
  ['1.33', REFUSED],
  ['1.34', 'none'],
  ['1.35', 'settings | spec.jobTemplate.spec.template.spec.containers[web].restartPolicy'],
])('a restartPolicy of a container in Kubernetes %s', (kubernetes, effect) => {
  expect(describeEffect(cronJob({}), cronJob({ restartPolicy: 'Never' }), { versions: { kubernetes } })).toBe(effect);
});

describe('a field that a version drops is kept if the live object has one of its gate', () => {
  const stopSignal = (name: string) => container({ lifecycle: { stopSignal: name } });
  const volumes = (reference: string) => ({ volumes: [{ name: 'm', image: { reference } }] });
  test.each<[field: string, version: string, old: object, next: object, path: string]>([
    ['stopSignal', '1.36', stopSignal('SIGTERM'), stopSignal('SIGKILL'), '.containers[web].lifecycle.stopSignal'],
    ['an image volume', '1.34', volumes('a'), volumes('b'), '.volumes[m].image.reference'],
    ['hostUsers', '1.32', { hostUsers: true }, { hostUsers: false }, '.hostUsers'],
    ['hostnameOverride', '1.34', { hostnameOverride: 'a' }, { hostnameOverride: 'b' }, '.hostnameOverride'],
    [
      'restartPolicy',
      '1.34',
      container({ restartPolicy: 'Always' }),
      container({ restartPolicy: 'Never' }),
      '.containers[web].restartPolicy',
    ],
  ])('%s', (_, kubernetes, old, next, path) => {
    const [before, after] = [workload('Deployment', old), workload('Deployment', next)];
    const bare = workload('Deployment');
    const effectOf = (from: object) => describeEffect(from, after, { versions: { kubernetes } });
    expect([effectOf(toLive(before)), effectOf(before), effectOf(bare), effectOf(toLive(bare))]).toEqual([
      `${ROLL}${path}`,
      NONE,
      NONE,
      NONE,
    ]);
  });

  test.each([
    [3, 'settings | spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [
      'x',
      'refused | spec.updateStrategy.rollingUpdate.maxUnavailable: maxUnavailable is "x", which the API server refuses: ' +
        "a valid percent string must be a numeric string followed by an ending '%'.",
    ],
  ])('the maxUnavailable of a StatefulSet: %s', (maxUnavailable, effect) => {
    const set = (limit: unknown) =>
      workload('StatefulSet', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: limit } } });
    const effectOf = (old: object) => describeEffect(old, set(maxUnavailable), { versions: { kubernetes: '1.36' } });
    expect([effectOf(toLive(set(2))), effectOf(set(2)), effectOf(toLive(workload('StatefulSet')))]).toEqual([effect, NONE, NONE]);
  });

  test('one gate does not keep the fields of others', () => {
    const old = workload('Deployment', { hostUsers: true, ...container({ securityContext: {} }) });
    const next = workload('Deployment', { hostUsers: true, ...container({ securityContext: { procMount: 'Unmasked' } }) });
    expect(describeEffect(toLive(old), next, { versions: { kubernetes: '1.32' } })).toBe(NONE);
  });
});

import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/change/change-options';
import { podTemplate, workload } from '../builders/workload';

const TEMPLATE = podTemplate({ name: 'web', image: 'web:1', readinessProbe: { httpGet: { path: '/', port: 80 } } });

function object(kind: string, spec: object = {}): object {
  return workload(kind, { replicas: 2, template: TEMPLATE, ...spec }, { name: 'web', namespace: 'shop' });
}

/** The errors of a change, each with its remedy, if it has one, and its advice. */
function errorsOf(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  const { findings, rollouts } = planChange(old, next, options);
  return [...findings, ...rollouts.flatMap((rollout) => rollout.findings)]
    .filter(({ severity }) => severity === 'error')
    .map(({ code, data, path, help }) => ({ code, path, remedy: data.remedy, help }));
}

describe('the advice for a refused object keeps its pods', () => {
  test('an immutable field of a StatefulSet: delete it without its pods', () => {
    const [old, next] = [object('StatefulSet'), object('StatefulSet', { podManagementPolicy: 'Parallel' })];
    expect(errorsOf([old], [next])).toMatchObject([
      {
        code: 'change/refused',
        remedy: 'orphan',
        help: expect.stringContaining('kubectl delete statefulset/web -n shop --cascade=orphan'),
      },
    ]);
  });

  test('the selector of a workload: a workload with another name next to it, since the new object would not adopt the pods', () => {
    const other = { selector: { matchLabels: { app: 'other' } }, template: { ...TEMPLATE, metadata: { labels: { app: 'other' } } } };
    for (const kind of ['Deployment', 'StatefulSet'])
      expect(errorsOf([object(kind)], [object(kind, other)])).toMatchObject([{ code: 'change/refused', remedy: 'new-workload' }]);
  });

  test('Recreate next to limits that only the API server wrote: one patch of both fields', () => {
    const fieldsV1 = { 'f:spec': { 'f:replicas': {}, 'f:template': {}, 'f:selector': {} } };
    const managedFields = [{ manager: 'a', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1 }];
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };
    const live = workload(
      'Deployment',
      { replicas: 2, template: TEMPLATE, strategy },
      { name: 'web', namespace: 'shop', uid: '1', managedFields },
    );
    expect(errorsOf([live], [object('Deployment', { strategy: { type: 'Recreate' } })], { apply: 'server' })).toMatchObject([
      {
        code: 'change/refused',
        path: 'spec.strategy.rollingUpdate',
        remedy: 'patch-strategy',
        help: expect.stringContaining(`-p '{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}'. Nothing has to be deleted`),
      },
    ]);
  });

  test('an immutable ConfigMap: a new name', () => {
    const config = (mode: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, immutable: true, data: { mode } });
    expect(errorsOf([config('slow')], [config('fast')])).toMatchObject([{ code: 'change/refused', remedy: 'new-config' }]);
  });
});

describe('a fault is one finding', () => {
  const mismatch = { selector: { matchLabels: { app: 'web' } }, template: { ...TEMPLATE, metadata: { labels: { app: 'shop' } } } };

  test.each([
    ['labels that the selector does not match', mismatch, 'kubernetes/invalid-workload'],
    ['a number in quotes', { replicas: '2' }, 'kubernetes/quoted-integer'],
    ['an unknown field', { replica: 2 }, 'input/unknown-field'],
  ])('%s in a new object, which was never there, so that nothing is restored', (_, spec, code) => {
    const errors = errorsOf([], [object('Deployment', spec)]);
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect(errors[0]!.help).not.toMatch(/restore|old value/i);
  });

  test.each([
    ['a number in quotes', { replicas: '2' }, 'kubernetes/quoted-integer'],
    ['an unknown field', { replica: 2 }, 'input/unknown-field'],
  ])('%s in an existing object', (_, spec, code) => {
    expect(errorsOf([object('Deployment')], [object('Deployment', spec)]).map((error) => error.code)).toEqual([code]);
  });

  test('the reason has the path and the words of the API server', () => {
    const { change } = planChange([], [object('Deployment', mismatch)]);
    expect(change!.objects[0]!.refusal).toEqual({
      path: 'spec.template.metadata.labels',
      message: 'Invalid value: {"app":"shop"}: `selector` does not match template `labels`',
    });
  });
});

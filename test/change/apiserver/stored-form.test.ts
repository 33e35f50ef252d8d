import { applyObject } from '../../../src/change/apiserver/apply';
import { diffStoredObjects } from '../../../src/change/apiserver/field-changes';
import { readStored, toStoredForm } from '../../../src/change/apiserver/stored-form';
import { isTemplateEqual } from '../../../src/change/apiserver/template-equality';
import type { WriteMethod } from '../../../src/change/apiserver/types';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { DEFAULT_VERSIONS } from '../../../src/core/values/versions';

function deployment(container: Readonly<Record<string, unknown>>, spec: Readonly<Record<string, unknown>> = {}): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1', ...container }] } },
      ...spec,
    },
  };
}

function stored(object: Manifest) {
  return toStoredForm(object, DEFAULT_VERSIONS);
}

/** Returns the result of applying the second manifest over the first: the differences, or the rejection. */
function applying(before: Manifest, next: Manifest, mode: WriteMethod = 'client') {
  const old = { manifest: before, ...readStored(before, DEFAULT_VERSIONS), isLive: false };
  const result = applyObject(old, next, mode, DEFAULT_VERSIONS);
  return 'stored' in result ? diffStoredObjects(old.stored, result.stored) : result.refusal;
}

function template(object: Manifest): unknown {
  return (stored(object).spec as { readonly template: unknown }).template;
}

describe('the form that the API server stores', () => {
  test('has defaults, normalized quantities, both names of the service account, and no unknown fields', () => {
    const object = deployment({ resources: { limits: { cpu: '1000m', memory: '1024Mi' } }, unknown: 1, stdin: false });
    expect(stored({ ...object, status: { replicas: 3 } })).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'web',
                image: 'web:1',
                resources: { limits: { cpu: '1', memory: '1Gi' } },
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
                imagePullPolicy: 'IfNotPresent',
              },
            ],
            restartPolicy: 'Always',
            terminationGracePeriodSeconds: 30,
            dnsPolicy: 'ClusterFirst',
            securityContext: {},
            schedulerName: 'default-scheduler',
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    });
  });

  test('of an object that is stored already is the same', () => {
    const once = stored(deployment({ ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 80 } } }));
    expect(stored(once)).toEqual(once);
  });
});

describe('the equality of two pod templates', () => {
  const bytes = template(deployment({ resources: { limits: { memory: 1_073_741_824 } } }));
  const gibibyte = template(deployment({ resources: { limits: { memory: '1Gi' } } }));

  test('compares quantities by amount for a Deployment and a DaemonSet, and by spelling for a StatefulSet', () => {
    const kinds = ['Deployment', 'DaemonSet', 'StatefulSet'] as const;
    expect(kinds.map((kind) => [kind, isTemplateEqual(kind, bytes, gibibyte, DEFAULT_VERSIONS)])).toEqual([
      ['Deployment', true],
      ['DaemonSet', true],
      ['StatefulSet', false],
    ]);
  });

  test('distinguishes an empty map from a missing one if Go has a pointer', () => {
    const none = template(deployment({}));
    const empty = template(deployment({ securityContext: {} }));
    const nothing = template(deployment({ resources: {}, env: [] }));
    expect([empty, nothing].map((other) => isTemplateEqual('Deployment', none, other, DEFAULT_VERSIONS))).toEqual([false, true]);
  });
});

describe('the changes of an apply', () => {
  test('name items of lists by their keys', () => {
    expect(applying(deployment({}), deployment({ image: 'web:2', env: [{ name: 'MODE', value: 'fast' }] }))).toEqual([
      { path: 'spec.template.spec.containers[web].image', old: 'web:1', new: 'web:2' },
      { path: 'spec.template.spec.containers[web].env', new: [{ name: 'MODE', value: 'fast' }] },
    ]);
  });

  test('redact the values of Secrets, and of variables with a secret name', () => {
    const secret = (token: string): Manifest => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { token } });
    expect(applying(secret('one'), secret('two'))).toEqual([{ path: 'data[token]', old: '(secret)', new: '(secret)', secret: true }]);
    const variable = (value: string) => deployment({ env: [{ name: 'DB_PASSWORD', value }] });
    expect(applying(variable('one'), variable('two'))).toEqual([
      { path: 'spec.template.spec.containers[web].env[DB_PASSWORD].value', old: '(secret)', new: '(secret)', secret: true },
    ]);
  });

  test('are empty for another key order, written-out defaults and other spellings of a quantity', () => {
    const spelledOut = deployment(
      { imagePullPolicy: 'IfNotPresent', resources: { limits: { cpu: '1000m' } } },
      { replicas: 1, strategy: { type: 'RollingUpdate' } },
    );
    expect(applying(deployment({ resources: { limits: { cpu: 1 } } }), spelledOut)).toEqual([]);
  });

  test('contain a field that reverts to its default because the manifest no longer sets it', () => {
    const changes = [{ path: 'spec.replicas', old: 5, new: 1 }];
    const modes: readonly WriteMethod[] = ['client', 'server', 'helm', 'replace'];
    expect(modes.map((mode) => applying(deployment({}, { replicas: 5 }), deployment({}), mode))).toEqual(modes.map(() => changes));
  });

  test('are refused for another selector, with the message of the server', () => {
    const labels = { app: 'other' };
    const other = deployment({}, { selector: { matchLabels: labels } });
    const both = {
      ...other,
      spec: { ...(other.spec as object), template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
    };
    expect(applying(deployment({}), both)).toEqual({
      path: 'spec.selector',
      message: 'Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
    });
  });

  test('are refused for an unknown field, except by Helm, which does not request strict decoding', () => {
    const modes: readonly WriteMethod[] = ['client', 'server', 'helm', 'replace'];
    const results = modes.map((mode) => applying(deployment({}), deployment({ imagePullpolicy: 'Always' }), mode));
    expect(results).toEqual([
      { path: '', message: 'strict decoding error: unknown field "spec.template.spec.containers[0].imagePullpolicy"' },
      {
        path: '',
        message:
          'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="web"].imagePullpolicy: field not declared in schema',
      },
      [],
      {
        path: '',
        message:
          'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].imagePullpolicy"',
      },
    ]);
  });
});

import type { ChangeOptions } from '../../../src/headless';
import { describeEffect, workload } from './effects';

/* Section d: the result of applying NEW in each mode. */

interface Given {
  readonly replicas?: number;
  readonly spec?: object;
  readonly pod?: object;
  readonly web?: object;
}

function manifest({ replicas = 3, spec = {}, pod = {}, web = {} }: Given): object {
  return workload('Deployment', { containers: [{ name: 'web', image: 'web:1', ...web }], ...pod }, { replicas, ...spec });
}

/** Returns the object that a server stores for a manifest, applied last by kubectl if `applied` is set. */
function live(given: Given, applied?: Given, managedFields?: readonly object[]): object {
  const object = manifest(given) as { metadata: object };
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(manifest(applied ?? {}))}\n` };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      uid: 'a',
      resourceVersion: '7',
      generation: 1,
      ...(applied && { annotations }),
      ...(managedFields && { managedFields }),
    },
  };
}

const WITHOUT_REPLICAS = workload('Deployment', {}, { replicas: undefined });
const PROBED: Given = { web: { readinessProbe: { httpGet: { port: 80 } } } };
const GRACE: Given = { pod: { terminationGracePeriodSeconds: 90 } };
const SIDECAR = {
  containers: [
    { name: 'web', image: 'web:1' },
    { name: 'mesh', image: 'mesh:1' },
  ],
};
const ports = (...list: readonly object[]): Given => ({ web: { ports: list } });
const UDP = { containerPort: 53, protocol: 'UDP' };
const TCP = { containerPort: 53, protocol: 'TCP' };
const spread = (...reasons: readonly string[]): Given => ({
  pod: { topologySpreadConstraints: reasons.map((whenUnsatisfiable) => ({ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable })) },
});

describe('client side, with the manifest that kubectl applied last', () => {
  test.each<[string, object, object, string]>([
    ['a field that was applied and is removed reverts to its default: replicas', live({}, {}), WITHOUT_REPLICAS, 'scale | spec.replicas'],
    ['a probe', live(PROBED, PROBED), manifest({}), 'roll | spec.template.spec.containers[web].readinessProbe'],
    ['the grace period', live(GRACE, GRACE), manifest({}), 'roll | spec.template.spec.terminationGracePeriodSeconds'],
    ['a field that was never applied stays', live(GRACE, {}), manifest({}), 'none'],
    ['a value that others changed and NEW sets is restored', live({ replicas: 9 }, {}), manifest({}), 'scale | spec.replicas'],
    ['without last-applied nothing is deleted', live(PROBED), manifest({}), 'none'],
    [
      'null deletes a field that was never applied',
      live(GRACE, {}),
      manifest({ pod: { terminationGracePeriodSeconds: null } }),
      'roll | spec.template.spec.terminationGracePeriodSeconds',
    ],
    ['an empty list clears', live(ports(TCP), ports(TCP)), manifest(ports()), 'roll | spec.template.spec.containers[web].ports'],
    ['a container of another manager stays', live({ pod: SIDECAR }, {}), manifest({}), 'none'],
    [
      'one that was applied and is removed is deleted',
      live({ pod: SIDECAR }, { pod: SIDECAR }),
      manifest({}),
      'roll | spec.template.spec.containers[mesh]',
    ],
    ['a variable set by hand stays', live({ web: { env: [{ name: 'A', value: '1' }] } }, {}), manifest({}), 'none'],
    [
      'a list without a merge key is replaced as one value',
      live({ web: { args: ['a', 'b'] } }, { web: { args: ['a'] } }),
      manifest({ web: { args: ['a'] } }),
      'roll | spec.template.spec.containers[web].args',
    ],
    [
      'a strategy of another type clears the fields of the old type',
      live(
        { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
        { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
      ),
      manifest({ spec: { strategy: { type: 'Recreate' } } }),
      'settings | spec.strategy.type | spec.strategy.rollingUpdate',
    ],
  ])('%s', (_what, old, next, expected) => {
    expect(describeEffect(old, next, { apply: 'client' })).toBe(expected);
  });

  test('53/UDP replaces a live 53/TCP, since ports are merged only by number; a PUT adds it', () => {
    const one = ports({ containerPort: 53 });
    const two = manifest(ports({ containerPort: 53 }, UDP));
    expect(describeEffect(live(one, one), two, { apply: 'client' })).toBe('roll | spec.template.spec.containers[web].ports[53].protocol');
    expect(describeEffect(live(one, one), two, { apply: 'replace' })).toMatch(/^roll \| .*ports\[53\/UDP\]/);
  });

  test('a second spread constraint with the same topologyKey changes nothing', () => {
    const one = spread('DoNotSchedule');
    expect(describeEffect(live(one, one), manifest(spread('DoNotSchedule', 'ScheduleAnyway')), { apply: 'client' })).toBe('none');
    expect(describeEffect(live(one, one), manifest(spread('DoNotSchedule', 'ScheduleAnyway')), { apply: 'replace' })).toMatch(/^roll/);
  });

  test('a serviceAccountName that is removed is restored from its alias; a PUT removes it', () => {
    const own = { pod: { serviceAccountName: 'web' } };
    const stored = { pod: { serviceAccountName: 'web', serviceAccount: 'web' } };
    expect(describeEffect(live(stored, own), manifest({}), { apply: 'client' })).toBe('none');
    expect(describeEffect(live(stored, own), manifest({}), { apply: 'replace' })).toMatch(/^roll/);
  });

  test('a second container with the same name changes nothing, and is refused by every other mode', () => {
    const twice = manifest({
      pod: {
        containers: [
          { name: 'web', image: 'web:1' },
          { name: 'web', image: 'web:2' },
        ],
      },
    });
    expect(describeEffect(live({}, {}), twice, { apply: 'client' })).toBe('none');
    expect(describeEffect(live({}, {}), twice, { apply: 'replace' })).toBe(
      'refused | spec.template.spec.containers[1].name: Duplicate value: "web"',
    );
    expect(describeEffect(live({}, {}), twice, { apply: 'server' })).toMatch(/^refused \| .*duplicate entries for key \[name="web"\]/);
  });

  test('another handler in a probe that was never applied is refused', () => {
    const next = manifest({ web: { readinessProbe: { tcpSocket: { port: 80 } } } });
    expect(describeEffect(live(PROBED), next, { apply: 'client' })).toBe(
      'refused | spec.template.spec.containers[0].readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
    );
  });
});

describe('server side, depending on what each manager owns', () => {
  const fields = (replicas: boolean) => ({
    'f:spec': {
      ...(replicas && { 'f:replicas': {} }),
      'f:selector': {},
      'f:template': {
        'f:metadata': { 'f:labels': { 'f:app': {} } },
        'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } } },
      },
    },
  });
  const manager = (name: string, owned: object, more: object = {}) => ({
    manager: name,
    operation: 'Apply',
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: owned,
    ...more,
  });
  const OURS = manager('kubectl', fields(true));
  const AUTOSCALER = manager('kube-controller-manager', { 'f:spec': { 'f:replicas': {} } }, { operation: 'Update', subresource: 'scale' });
  const server: ChangeOptions = { apply: 'server' };

  test('a field that only its manager owned is removed', () => {
    expect(describeEffect(live({}, undefined, [OURS]), WITHOUT_REPLICAS, server)).toBe('scale | spec.replicas');
  });

  test('a field that the autoscaler owns stays', () => {
    expect(
      describeEffect(live({ replicas: 7 }, undefined, [manager('kubectl', fields(false)), AUTOSCALER]), WITHOUT_REPLICAS, server),
    ).toBe('none');
  });

  test('a value that differs from that of another manager is a conflict, with the message of the server', () => {
    expect(describeEffect(live({ replicas: 7 }, undefined, [manager('kubectl', fields(false)), AUTOSCALER]), manifest({}), server)).toBe(
      'refused | .spec.replicas: Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  test('the same value is owned by both managers', () => {
    expect(
      describeEffect(live({ replicas: 7 }, undefined, [manager('kubectl', fields(false)), AUTOSCALER]), manifest({ replicas: 7 }), server),
    ).toBe('none');
  });

  test('Recreate over a RollingUpdate that the server filled in is refused', () => {
    const filled = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } } };
    const next = { spec: { strategy: { type: 'Recreate' } } };
    expect(describeEffect(live(filled, undefined, [OURS]), manifest(next), server)).toBe(
      "refused | spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    );
    const nulled = { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } };
    expect(describeEffect(live(filled, undefined, [OURS]), manifest(nulled), server)).toMatch(/^refused/);
  });

  test('an unknown field is not declared in the schema', () => {
    expect(describeEffect(live({}, undefined, [OURS]), manifest({ spec: { containers: [] } }), server)).toMatch(
      /^refused \| .*\.spec\.containers: field not declared in schema/,
    );
  });

  test('53/UDP is added next to 53/TCP', () => {
    expect(describeEffect(live(ports(TCP), undefined, [OURS]), manifest(ports(TCP, UDP)), server)).toMatch(/^roll/);
  });

  test('replicas: null reverts to 1', () => {
    expect(describeEffect(live({}, undefined, [OURS]), workload('Deployment', {}, { replicas: null }), server)).toBe(
      'scale | spec.replicas',
    );
  });

  test("a null probe handler is refused, since the probe's numbers stay", () => {
    const owned = fields(true);
    const containers = owned['f:spec']['f:template']['f:spec']['f:containers'];
    Object.assign(containers['k:{"name":"web"}'], { 'f:readinessProbe': { 'f:httpGet': { 'f:port': {} } } });
    const probe = {
      failureThreshold: 3,
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      periodSeconds: 10,
      successThreshold: 1,
      timeoutSeconds: 1,
    };
    expect(
      describeEffect(
        live({ web: { readinessProbe: probe } }, undefined, [manager('kubectl', owned)]),
        manifest({ web: { readinessProbe: null } }),
        server,
      ),
    ).toBe('refused | spec.template.spec.containers[0].readinessProbe: Required value: must specify a handler type');
  });
});

describe('manifests from which kubectl and Helm cannot create a patch', () => {
  const nameless = { containers: [{ image: 'web:1', ports: [{ containerPort: 80 }] }] };

  test.each([
    ['client', 'map: map[image:web:1 ports:[map[containerPort:80]]] does not contain declared merge key: name'],
    ['helm', 'failed to create patch: map: map[image:web:1 ports:[map[containerPort:80]]] does not contain declared merge key: name'],
  ] as const)('is an item of a list without the name that it is merged by: %s', (apply, words) => {
    expect(describeEffect(workload('Deployment'), workload('Deployment', nameless), { apply })).toBe(`refused | : ${words}`);
  });

  test('include a list with a null next to an existing item', () => {
    const two = workload('Deployment', { imagePullSecrets: [{ name: 'a' }] });
    expect(describeEffect(two, workload('Deployment', { imagePullSecrets: [null] }))).toBe(
      'refused | : list element types are not identical: [[map[name:a]] [<nil>]]',
    );
  });
});

describe('modes of other tools', () => {
  test('helm merges with the last release: drift in fields that no release set stays', () => {
    expect(describeEffect(manifest(GRACE), manifest({}), { apply: 'helm' })).toBe(
      'roll | spec.template.spec.terminationGracePeriodSeconds',
    );
    expect(describeEffect(live(GRACE), manifest({}), { apply: 'helm' })).toBe('none');
  });

  test('a PUT restores defaults and removes what others added', () => {
    expect(describeEffect(live({ replicas: 9 }, {}), WITHOUT_REPLICAS, { apply: 'replace' })).toBe('scale | spec.replicas');
    expect(describeEffect(live({ pod: SIDECAR }, {}), manifest({}), { apply: 'replace' })).toBe(
      'roll | spec.template.spec.containers[mesh]',
    );
  });

  const forced = (annotations: object, spec: object) => workload('Deployment', {}, spec, { annotations });
  const OTHER = {
    selector: { matchLabels: { app: 'b' } },
    template: { metadata: { labels: { app: 'b' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  };

  test.each<[string, object, string]>([
    ['Argo CD with Replace and Force', { 'argocd.argoproj.io/sync-options': 'Replace=true,Force=true' }, 'replace'],
    ['Argo CD with Force', { 'argocd.argoproj.io/sync-options': 'Force=true' }, 'replace'],
    ['Flux with force', { 'kustomize.toolkit.fluxcd.io/force': 'enabled' }, 'replace'],
    ['no tool that may replace it', {}, 'refused'],
  ])('an immutable field is deleted and recreated by %s', (_tool, annotations, effect) => {
    expect(describeEffect(forced(annotations, {}), forced(annotations, OTHER)).split(' ')[0]).toBe(effect);
  });
});

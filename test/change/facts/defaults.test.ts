import { container, describeEffect, workload } from './effects';
import { autoscaler } from '../../builders/autoscaler';

/* Tables b.1, b.2 and b.3: defaults of the server, values that are the same as unset, and values that the server normalizes. */

const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'];
const probe = (fields: object, kind = 'readinessProbe') => container({ [kind]: { httpGet: { port: 80 }, ...fields } });
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });
const ports = (fields: object) => container({ ports: [{ containerPort: 80, ...fields }] });
const fieldRef = (more: object) => container({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name', ...more } } }] });
const claim = (spec: object) =>
  volume({
    ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec } } },
  });
const token = (more: object) => ({ sources: [{ serviceAccountToken: { path: 't', ...more } }] });

describe('a written-out default of every pod template is no change', () => {
  test.each<[string, object, object]>([
    ['dnsPolicy', {}, { dnsPolicy: 'ClusterFirst' }],
    ['restartPolicy', {}, { restartPolicy: 'Always' }],
    ['schedulerName', {}, { schedulerName: 'default-scheduler' }],
    ['terminationGracePeriodSeconds', {}, { terminationGracePeriodSeconds: 30 }],
    ['securityContext', {}, { securityContext: {} }],
    ['empty dnsPolicy and schedulerName', {}, { dnsPolicy: '', schedulerName: '' }],
    ['imagePullPolicy of an image with a tag', {}, container({ imagePullPolicy: 'IfNotPresent' })],
    [
      'imagePullPolicy of an image with the tag latest',
      container({ image: 'web:latest' }),
      container({ image: 'web:latest', imagePullPolicy: 'Always' }),
    ],
    ['imagePullPolicy of an image without a tag', container({ image: 'web' }), container({ image: 'web', imagePullPolicy: 'Always' })],
    [
      'terminationMessagePath and its policy',
      {},
      container({ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }),
    ],
    ['the protocol of a port', ports({}), ports({ protocol: 'TCP' })],
    [
      'a quantity below a thousandth, rounded up',
      container({ resources: { limits: { cpu: '100u' } } }),
      container({ resources: { limits: { cpu: '1m' } } }),
    ],
    ['the numbers of a probe', probe({}), probe({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })],
    ['numbers of a probe that are 0', probe({}), probe({ timeoutSeconds: 0, periodSeconds: 0, failureThreshold: 0 })],
    ['path and scheme of a request', probe({}), probe({ httpGet: { port: 80, path: '/', scheme: 'HTTP' } })],
    [
      'the service of a grpc probe',
      probe({ httpGet: undefined, grpc: { port: 80 } }),
      probe({ httpGet: undefined, grpc: { port: 80, service: '' } }),
    ],
    ['the apiVersion of a fieldRef', fieldRef({}), fieldRef({ apiVersion: 'v1' })],
    ['a volume without a source', volume({}), volume({ emptyDir: {} })],
    ['defaultMode of a secret', volume({ secret: { secretName: 's' } }), volume({ secret: { secretName: 's', defaultMode: 420 } })],
    ['defaultMode of a configMap', volume({ configMap: { name: 's' } }), volume({ configMap: { name: 's', defaultMode: 420 } })],
    ['defaultMode of a downwardAPI', volume({ downwardAPI: {} }), volume({ downwardAPI: { defaultMode: 420 } })],
    [
      'the fields of a projected token',
      volume({ projected: token({}) }),
      volume({ projected: { ...token({ expirationSeconds: 3600 }), defaultMode: 420 } }),
    ],
    ['the type of a hostPath', volume({ hostPath: { path: '/a' } }), volume({ hostPath: { path: '/a', type: '' } })],
    ['volumeMode of an ephemeral claim', claim({}), claim({ volumeMode: 'Filesystem' })],
    [
      'the interface of iscsi',
      volume({ iscsi: { targetPortal: '1.2.3.4:1', iqn: 'iqn.2001-04.com.example:a', lun: 1 } }),
      volume({ iscsi: { targetPortal: '1.2.3.4:1', iqn: 'iqn.2001-04.com.example:a', lun: 1, iscsiInterface: 'default' } }),
    ],
    [
      'the fields of rbd',
      volume({ rbd: { monitors: ['a'], image: 'b' } }),
      volume({ rbd: { monitors: ['a'], image: 'b', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }),
    ],
    [
      'the fields of an azureDisk',
      volume({ azureDisk: { diskName: 'a', diskURI: 'https://a/b.vhd' } }),
      volume({
        azureDisk: { diskName: 'a', diskURI: 'https://a/b.vhd', cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
      }),
    ],
    [
      'the fields of a scaleIO',
      volume({ scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'a' }, volumeName: 'v' } }),
      volume({
        scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'a' }, volumeName: 'v', storageMode: 'ThinProvisioned', fsType: 'xfs' },
      }),
    ],
  ])('%s', (_what, old, next) => {
    expect(KINDS.map((kind) => describeEffect(workload(kind, old), workload(kind, next)))).toEqual(['none', 'none', 'none']);
  });
});

describe('a written-out default of a kind is no change', () => {
  test.each<[string, string, object, object]>([
    ['replicas', 'Deployment', { replicas: undefined }, { replicas: 1 }],
    ['revisionHistoryLimit and progressDeadlineSeconds', 'Deployment', {}, { revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }],
    ['strategy', 'Deployment', {}, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } } }],
    [
      'only one limit',
      'Deployment',
      { strategy: { rollingUpdate: { maxSurge: 1 } } },
      { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } },
    ],
    ['replicas', 'StatefulSet', { replicas: undefined }, { replicas: 1 }],
    ['revisionHistoryLimit and podManagementPolicy', 'StatefulSet', {}, { revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' }],
    ['updateStrategy', 'StatefulSet', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }],
    ['the retention policy of claims', 'StatefulSet', {}, { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' } }],
    ['revisionHistoryLimit', 'DaemonSet', {}, { revisionHistoryLimit: 10 }],
    ['updateStrategy', 'DaemonSet', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } }],
    ['not paused', 'Deployment', {}, { paused: false, minReadySeconds: 0 }],
  ])('%s of a %s', (_what, kind, old, next) => {
    expect(describeEffect(workload(kind, {}, old), workload(kind, {}, next))).toBe('none');
  });

  test('a claim template of a StatefulSet, also with another spelling', () => {
    const claims = (more: object, spec: object) => ({
      volumeClaimTemplates: [
        {
          ...more,
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
        },
      ],
    });
    const filled = claims(
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      { volumeMode: 'Filesystem', resources: { requests: { storage: '1024Mi' } } },
    );
    expect(describeEffect(workload('StatefulSet', {}, claims({}, {})), workload('StatefulSet', {}, filled))).toBe('none');
  });
});

describe('a written-out default of another kind is no change', () => {
  test.each<[string, object, object]>([
    [
      'Service',
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } },
      {
        sessionAffinity: 'None',
        type: 'ClusterIP',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
    ],
    [
      'HorizontalPodAutoscaler',
      autoscaler({ maxReplicas: 3 }),
      {
        minReplicas: 1,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    ],
  ])('%s', (_kind, old, spec) => {
    expect(describeEffect(old, { ...old, spec: { ...(old as { spec: object }).spec, ...spec } })).toBe('none');
  });

  test('Secret', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'YQ==' } };
    expect(describeEffect(secret, { ...secret, type: 'Opaque' })).toBe('none');
  });
});

describe('a default that only pods get is a change of the template', () => {
  const spread = (more: object) => ({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...more }],
  });

  test.each<[string, object, object]>([
    ['enableServiceLinks', {}, { enableServiceLinks: true }],
    [
      'requests equal to limits',
      container({ resources: { limits: { cpu: '1' } } }),
      container({ resources: { limits: { cpu: '1' }, requests: { cpu: '1' } } }),
    ],
    ['serviceAccountName default', {}, { serviceAccountName: 'default' }],
    ['hostPort on the host network', { hostNetwork: true, ...ports({}) }, { hostNetwork: true, ...ports({ hostPort: 80 }) }],
    ['automountServiceAccountToken', {}, { automountServiceAccountToken: true }],
    ['nodeTaintsPolicy', spread({}), spread({ nodeTaintsPolicy: 'Ignore' })],
    ['preemptionPolicy', {}, { preemptionPolicy: 'PreemptLowerPriority' }],
    ['priority', {}, { priority: 0 }],
  ])('%s', (_what, old, next) => {
    expect(KINDS.map((kind) => describeEffect(workload(kind, old), workload(kind, next)).split(' ')[0])).toEqual(['roll', 'roll', 'roll']);
  });
});

describe('zero is the same as unset if Go has no pointer', () => {
  const mounted = (more: object) => ({
    ...volume({ emptyDir: {} }),
    ...container({ volumeMounts: [{ name: 'v', mountPath: '/v', ...more }] }),
  });

  test.each<[string, object, object]>([
    ['hostNetwork, hostPID, hostIPC', {}, { hostNetwork: false, hostPID: false, hostIPC: false }],
    ['stdin, tty', {}, container({ stdin: false, tty: false })],
    ['readOnly and subPath of a mount', mounted({}), mounted({ readOnly: false, subPath: '' })],
    ['initialDelaySeconds', probe({}), probe({ initialDelaySeconds: 0 })],
    ['nodeName', {}, { nodeName: '' }],
    ['hostPort', ports({}), ports({ hostPort: 0 })],
    ['the value of a variable', container({ env: [{ name: 'A' }] }), container({ env: [{ name: 'A', value: '' }] })],
  ])('%s', (_what, old, next) => {
    expect(KINDS.map((kind) => describeEffect(workload(kind, old), workload(kind, next)))).toEqual(['none', 'none', 'none']);
  });
});

describe('zero differs from unset if Go has a pointer', () => {
  test.each<[string, object, object]>([
    ['privileged and other container permissions', {}, container({ securityContext: { privileged: false } })],
    [
      'allowPrivilegeEscalation',
      container({ securityContext: { privileged: false } }),
      container({ securityContext: { privileged: false, allowPrivilegeEscalation: false } }),
    ],
    [
      'readOnlyRootFilesystem',
      container({ securityContext: { privileged: false } }),
      container({ securityContext: { privileged: false, readOnlyRootFilesystem: false } }),
    ],
    ['runAsUser', { securityContext: {} }, { securityContext: { runAsUser: 0 } }],
    ['runAsNonRoot', { securityContext: {} }, { securityContext: { runAsNonRoot: false } }],
    ['fsGroup', { securityContext: {} }, { securityContext: { fsGroup: 0 } }],
    ['automountServiceAccountToken', {}, { automountServiceAccountToken: false }],
    ['enableServiceLinks', {}, { enableServiceLinks: false }],
    ['shareProcessNamespace', {}, { shareProcessNamespace: false }],
    ['hostUsers', {}, { hostUsers: true }],
    ['configMap.optional', volume({ configMap: { name: 's' } }), volume({ configMap: { name: 's', optional: false } })],
    ['secret.optional', volume({ secret: { secretName: 's' } }), volume({ secret: { secretName: 's', optional: false } })],
    [
      'tolerationSeconds',
      { tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
      { tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }] },
    ],
    ['the grace period of a probe', probe({}, 'livenessProbe'), probe({ terminationGracePeriodSeconds: 30 }, 'livenessProbe')],
    ['setHostnameAsFQDN', {}, { setHostnameAsFQDN: false }],
    ['emptyDir.sizeLimit', volume({ emptyDir: {} }), volume({ emptyDir: { sizeLimit: '0' } })],
    ['dnsConfig', {}, { dnsConfig: {} }],
    ['seLinuxOptions', { securityContext: {} }, { securityContext: { seLinuxOptions: {} } }],
  ])('%s', (_what, old, next) => {
    expect(KINDS.map((kind) => describeEffect(workload(kind, old), workload(kind, next)).split(' ')[0])).toEqual(['roll', 'roll', 'roll']);
  });
});

describe('values that the server normalizes', () => {
  const limit = (name: string, value: unknown) => container({ resources: { limits: { [name]: value } } });
  const annotated = (annotations: object) => ({
    template: { metadata: { labels: { app: 'web' }, annotations }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  });

  test.each<[string, object, object]>([
    ['0.5 and 500m', limit('cpu', '0.5'), limit('cpu', '500m')],
    ['a number as a quantity', limit('cpu', 1), limit('cpu', '1')],
    ['1.5 and 1500m', limit('cpu', 1.5), limit('cpu', '1500m')],
    ['1000000 and 1M', limit('memory', '1000000'), limit('memory', '1M')],
    ['0.5Gi and 512Mi', limit('memory', '0.5Gi'), limit('memory', '512Mi')],
    ['serviceAccount for serviceAccountName', { serviceAccountName: 'web' }, { serviceAccount: 'web' }],
    ['both names: the second wins', { serviceAccountName: 'web' }, { serviceAccountName: 'web', serviceAccount: 'old' }],
    ['hostnameOverride with its gate off', {}, { hostnameOverride: 'a' }],
    [
      'a stop signal with its gate off: the lifecycle is dropped',
      { os: { name: 'linux' } },
      { os: { name: 'linux' }, ...container({ lifecycle: { stopSignal: 'SIGUSR1' } }) },
    ],
    [
      'an image volume with its gate off, with its mounts',
      {},
      { ...volume({ image: { reference: 'a:1' } }), ...container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }) },
    ],
  ])('%s', (_what, old, next) => {
    expect(KINDS.map((kind) => describeEffect(workload(kind, old), workload(kind, next), { versions: { kubernetes: '1.34' } }))).toEqual([
      'none',
      'none',
      'none',
    ]);
  });

  test('an image volume of a Rollout is kept whatever the gate, since its definition keeps fields of volumes', () => {
    const rollout = (image: string) => ({
      ...workload('Deployment', volume({ image: { reference: image } }), { strategy: { canary: {} } }),
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
    });
    expect(describeEffect(rollout('a:1'), rollout('a:2'), { versions: { kubernetes: '1.34' } })).toBe(
      'roll | spec.template.spec.volumes[0].image.reference',
    );
  });

  test('annotations of old init containers are dropped', () => {
    const next = workload(
      'Deployment',
      {},
      annotated({ 'pod.beta.kubernetes.io/init-containers': '[]', 'pod.alpha.kubernetes.io/init-containers': '[]' }),
    );
    expect(describeEffect(workload('Deployment'), next)).toBe('none');
  });

  test('a port keeps its type: 80 and "80" differ', () => {
    const service = (targetPort: unknown) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80, targetPort }] },
    });
    expect(describeEffect(service(80), service('80'))).toMatch(/^refused|^settings/);
    expect(describeEffect(workload('Deployment', probe({})), workload('Deployment', probe({ httpGet: { port: 'http' } })))).toMatch(
      /^roll/,
    );
  });

  test('a number in a text field is refused', () => {
    const next = workload('Deployment', container({ env: [{ name: 'A', value: 1 }] }));
    expect(describeEffect(workload('Deployment'), next, { apply: 'replace' })).toBe(
      'refused | : Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string',
    );
  });

  test('Helm ignores an unknown field that two releases set, except for a changed list or map, from which it cannot create a patch', () => {
    const named = (where: 'spec' | 'pod', value: unknown) =>
      where === 'spec' ? workload('Deployment', {}, { claims: value }) : workload('Deployment', { claims: value });
    const byHelm = (where: 'spec' | 'pod', before: unknown, after: unknown) =>
      describeEffect(named(where, before), named(where, after), { apply: 'helm' });
    expect(byHelm('spec', ['a'], ['a'])).toBe('none');
    expect(byHelm('spec', 'a', 'b')).toBe('none');
    expect(byHelm('spec', ['a'], ['b'])).toBe(
      'refused | : failed to create patch: unable to find api field in struct DeploymentSpec for the json field "claims"',
    );
    expect(byHelm('pod', { a: 1 }, { a: 2 })).toBe(
      'refused | : failed to create patch: unable to find api field in struct PodSpec for the json field "claims"',
    );
  });

  test.each(['client', 'server', 'replace'] as const)('an unknown field is refused under %s, and dropped under helm', (apply) => {
    const next = workload('Deployment', {}, { containers: [] });
    expect(describeEffect(workload('Deployment'), next, { apply })).toMatch(
      /^refused \| .*(unknown field "spec.containers"|\.spec\.containers: field not declared in schema)/,
    );
    expect(describeEffect(workload('Deployment'), next, { apply: 'helm' })).toBe('none');
  });
});

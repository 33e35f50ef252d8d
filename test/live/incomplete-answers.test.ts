import { rolloutkit } from '../cli/command-line';
import type { PlayedAnswer, PlayedCluster } from './kubectl-player';
import { PLAYED_TYPES, playCluster } from './played-cluster';
import { LIVE_WEB, NEW_WEB, shopCluster } from './shop';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const GET = 'get deployments.apps';

/** Returns the exit code, and the last line of standard error, which has no plan next to it. */
async function check(failures: Readonly<Record<string, PlayedAnswer>>, cluster: PlayedCluster = shopCluster()) {
  const setting = playCluster({ ...cluster, failures }, { files: { 'web.yaml': NEW_WEB } });
  const { exitCode, stdout, stderr } = await rolloutkit('check --from cluster web.yaml', setting);
  expect(stdout).toBe('');
  return `${exitCode} ${stderr.trimEnd().split('\n').at(-1)}`;
}

const json = (value: unknown): PlayedAnswer => ({ stdout: JSON.stringify(value) });

const listOf = (...items: unknown[]) => json({ apiVersion: 'v1', kind: 'List', items });

const RUN_AGAIN = '; run the command again';

describe('an answer without the objects that run there is an error, since they would be taken for new', () => {
  test.each<[string, PlayedAnswer, string]>([
    ['nothing', {}, 'kubectl get deployments.apps prints no JSON; update kubectl'],
    ['a part of a value', { stdout: '{"data": {"password": aHVudGVyMg==' }, 'kubectl get deployments.apps prints no JSON; update kubectl'],
    ['a list without items', json({ apiVersion: 'v1', kind: 'List', items: null }), 'kubectl get deployments.apps prints no list'],
    ['a Status', json({ apiVersion: 'v1', kind: 'Status', status: 'Failure' }), 'kubectl get deployments.apps prints no list'],
    [
      'a page that another one follows',
      json({ apiVersion: 'v1', kind: 'List', items: [], metadata: { continue: 'eyJ2IjoibWV0YS' } }),
      'kubectl get deployments.apps prints a part of a list',
    ],
    ['items without a kind', listOf({ metadata: LIVE_WEB.metadata }), 'kubectl get deployments.apps prints an item that is no object'],
    [
      'an object of another namespace',
      listOf({ ...LIVE_WEB, metadata: { ...LIVE_WEB.metadata, namespace: 'train' } }),
      'kubectl get deployments.apps prints Deployment train/web',
    ],
    [
      'an object of another group',
      listOf({ ...LIVE_WEB, apiVersion: 'acme.io/v1' }),
      'kubectl get deployments.apps prints Deployment shop/web',
    ],
  ])('%s', async (_, answer, expected) => {
    const line = await check({ [GET]: answer });

    expect(line.startsWith(`2 rolloutkit: ${expected}`) && line).toMatch(/; (?:run the command again|update kubectl)$/);
  });
});

describe('a failure is no sign that the server lacks a type', () => {
  test.each<[string, string, string]>([
    [
      'a type of a metrics server that is down',
      'E1128 08:52:16.000000   42 memcache.go:265] "Unhandled Error" err="couldn\'t get resource list for metrics.k8s.io/v1beta1: the server could not find the requested resource"\n' +
        'Unable to connect to the server: net/http: TLS handshake timeout',
      'Unable to connect to the server: net/http: TLS handshake timeout',
    ],
    [
      'a type that the server has just listed',
      'Error from server (NotFound): the server could not find the requested resource',
      'Error from server (NotFound): the server could not find the requested resource',
    ],
  ])('%s', async (_, stderr, expected) => {
    expect(await check({ [GET]: { stderr, status: 1 } })).toBe(
      `2 rolloutkit: cannot read deployments.apps of context prod: ${expected}${RUN_AGAIN}`,
    );
  });

  test('a signal', async () => {
    expect(await check({ [GET]: { isKilled: true } })).toBe(
      `2 rolloutkit: cannot read deployments.apps of context prod: kubectl was ended by SIGKILL${RUN_AGAIN}`,
    );
  });
});

describe('the types of the server', () => {
  /** Answers with all types except Deployments. */
  const typesWithout = (group: string): Readonly<Record<string, PlayedAnswer>> => {
    const types = PLAYED_TYPES.filter(({ kind }) => kind !== 'Deployment');
    const stdout = types.map(({ plural, version, isNamespaced, kind }) => `${plural} ${version} ${isNamespaced} ${kind}\n`).join('');
    const unable = 'the server is currently unable to handle the request';
    const stderr = `error: unable to retrieve the complete list of server APIs: ${group}: ${unable}, metrics.k8s.io/v1beta1: ${unable}`;
    return { 'api-resources': { stdout, stderr, status: 1 } };
  };

  test('must include those of NEW and of what surrounds it', async () => {
    expect(await check(typesWithout('apps/v1'))).toBe(
      '2 rolloutkit: cannot read the cluster of context prod: unable to retrieve the complete list of server APIs: ' +
        'apps/v1: the server is currently unable to handle the request, metrics.k8s.io/v1beta1: the server is currently unable to handle the request; ' +
        'check it with kubectl --context=prod api-resources',
    );
    expect(await check(typesWithout('v1'))).toMatch(/^2 rolloutkit: cannot read the cluster of context prod: unable/);
  });

  test('are not known if kubectl fails for another reason', async () => {
    const stdout = 'pods v1 true Pod\n';
    expect(await check({ 'api-resources': { stdout, stderr: 'Unable to connect to the server: EOF', status: 1 } })).toBe(
      '2 rolloutkit: cannot read the cluster of context prod: Unable to connect to the server: EOF; check it with kubectl --context=prod api-resources',
    );
  });

  test('may lack those of a group that decides about nothing', async () => {
    const types = PLAYED_TYPES.map(({ plural, group, version, isNamespaced, kind }) =>
      [plural, group === '' ? version : `${group}/${version}`, isNamespaced, kind].join(' '),
    );
    const stderr =
      'error: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable\nwarning of a plugin';
    const failures = { 'api-resources': { stdout: types.join('\n'), stderr, status: 1 } };
    const setting = playCluster({ ...shopCluster('0'), failures }, { files: { 'web.yaml': NEW_WEB } });
    const { exitCode, stdout } = await rolloutkit('check --from cluster web.yaml', setting);

    expect([exitCode, stdout.split('\n', 1)[0]]).toEqual([
      0,
      '1 of 1 object differs: 1 rolls; 4 pods are replaced; needs up to 1 extra pod',
    ]);
  });
});

test('an object in a version that the server lacks is compared with the one in another version', async () => {
  const type = { plural: 'widgets', group: 'acme.io', version: 'v1', kind: 'Widget', isNamespaced: true };
  const live = { apiVersion: 'acme.io/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'shop', uid: 'uid-w' }, spec: { size: 1 } };
  const cluster = { ...shopCluster(), types: [...PLAYED_TYPES, type], objects: [live] };
  const files = { 'w.yaml': 'apiVersion: acme.io/v2\nkind: Widget\nmetadata: { name: w }\nspec: { size: 2 }\n' };
  const { stdout } = await rolloutkit('plan --from cluster --format json w.yaml', playCluster(cluster, { files }));

  expect(JSON.parse(stdout)).toMatchObject({ change: { objects: [{ resource: { kind: 'Widget', name: 'w' }, effect: 'unknown' }] } });
});

describe('the namespace of objects that name none', () => {
  test('is not guessed if the configuration of kubectl cannot be read', async () => {
    expect(await check({ 'config view': { stderr: 'error: loading config file: permission denied', status: 1 } })).toBe(
      '2 rolloutkit: cannot read the cluster of context prod: loading config file: permission denied; check it with kubectl --context=prod config view',
    );
  });

  test('is one name', async () => {
    expect(await check({ 'config view': { stdout: 'shop train' } })).toBe(
      '2 rolloutkit: the namespace of context prod is "shop train", which is no name; set it with kubectl config set-context',
    );
  });
});

describe('a new object', () => {
  const namespaceOf = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `uid-${name}` } });
  const effectOf = async (cluster: PlayedCluster, files: Readonly<Record<string, string>>, options = '') => {
    const { stdout } = await rolloutkit(`plan --from cluster --format json ${options} .`, playCluster(cluster, { files }));
    const { change } = JSON.parse(stdout) as { change: { objects: readonly { effect: string; refusal?: { message: string } }[] } };
    return change.objects.map(({ effect, refusal }) => (refusal ? `${effect}: ${refusal.message}` : effect));
  };
  const files = { 'web.yaml': NEW_WEB.replace('name: web }', 'name: web, namespace: train }') };

  test('is refused in a Namespace that the cluster does not have, unless it is a kustomization', async () => {
    const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.yaml]\n';

    expect(await effectOf({ ...shopCluster(), objects: [namespaceOf('shop')] }, files)).toEqual(['refused: namespaces "train" not found']);
    expect(await effectOf({ ...shopCluster(), objects: [] }, { 'web.yaml': NEW_WEB, 'kustomization.yaml': kustomization })).toEqual([
      'create',
      'refused: namespaces "shop" not found',
    ]);
  });

  test('is created in one that exists, that NEW brings, that the user may not read, or that the tool may create', async () => {
    const cluster = { ...shopCluster(), objects: [namespaceOf('shop')] };
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: train }\n';

    expect(await effectOf({ ...cluster, objects: [namespaceOf('train')] }, files)).toEqual(['create']);
    expect(await effectOf(cluster, { ...files, 'train.yaml': namespace })).toEqual(['create', 'create']);
    expect(await effectOf({ ...cluster, forbidden: [{ resource: 'namespaces' }] }, files)).toEqual(['create']);
    expect(await effectOf(cluster, files, '--apply helm')).toEqual(['create']);
  });

  test('is refused if the server does not have its kind, and NEW does not bring it', async () => {
    const rollout = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  strategy: { canary: {} }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "web:1" }] } }
`;
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: rollouts.argoproj.io }
spec:
  group: argoproj.io
  scope: Namespaced
  names: { kind: Rollout, plural: rollouts }
  versions: [{ name: v1alpha1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
`;
    const definitions = {
      plural: 'customresourcedefinitions',
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      isNamespaced: false,
    };
    const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.yaml]\n';
    const cluster = { ...shopCluster(), types: [...PLAYED_TYPES, definitions] };

    expect(await effectOf(cluster, { 'web.yaml': rollout })).toEqual([
      'refused: no matches for kind "Rollout" in version "argoproj.io/v1alpha1"',
    ]);
    expect(await effectOf(cluster, { 'web.yaml': rollout, 'crd.yaml': definition })).toEqual(['create', 'create']);
    expect(await effectOf(cluster, { 'web.yaml': NEW_WEB, 'kustomization.yaml': kustomization })).toEqual(['create', 'roll']);
  });

  test('is not one whose name kubectl would take for an option, since all objects of its type are read', async () => {
    const type = { plural: 'clusterroles', group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', isNamespaced: false };
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: '--all', uid: 'uid-all' },
      rules: [],
    };
    const cluster = { ...shopCluster(), types: [...PLAYED_TYPES, type], objects: [role] };
    const written = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: --all }\nrules: []\n';

    expect(await effectOf(cluster, { 'role.yaml': written })).toEqual(['none']);
  });
});

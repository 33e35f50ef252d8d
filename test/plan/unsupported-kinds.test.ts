import { planManifests } from '../../src/plan/plan';
import { expectValidPlan } from '../plan-schema';
import { sound } from '../sound-workload';

function notPlannedOf(...objects: readonly object[]) {
  const { notPlanned, summary } = expectValidPlan(planManifests(objects));
  expect(summary.notPlanned).toBe(notPlanned.reduce((sum, { count }) => sum + count, 0));
  return notPlanned;
}

const TEMPLATE = { spec: { containers: [{ name: 'web', image: 'web:1' }] } };

const LABELS = { app: 'a' };

/** Returns a Deployment that selects the labels. */
function deploymentWithUid(uid: string): object {
  const spec = { selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, ...TEMPLATE } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', uid }, spec };
}

const JOB = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', uid: '1' }, spec: { template: TEMPLATE } };
const RAY_SERVICE = {
  apiVersion: 'ray.io/v1',
  kind: 'RayService',
  metadata: { name: 'r', uid: '1' },
  spec: { rayClusterConfig: { headGroupSpec: { rayStartParams: {}, template: TEMPLATE } } },
};

const MAPPED = {
  apiVersion: 'example.com/v1',
  kind: 'Shop',
  metadata: { name: 's', uid: '1' },
  spec: { strategy: { type: 'RollingUpdate', rolling_update: { max_surge: 1, max_unavailable: 0 } } },
};

/** Returns an object that names another one as the owner that controls it. */
function ownedBy(owner: object, object: object): object {
  const { apiVersion, kind, metadata } = owner as { apiVersion: string; kind: string; metadata: { name: string; uid: string } };
  const { name, uid } = metadata;
  return {
    ...object,
    metadata: { ...(object as { metadata: object }).metadata, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
  };
}

describe('notPlanned', () => {
  test('counts objects that roll out pods and have no system by kind, in input order, with the reason', () => {
    expect(
      notPlannedOf(
        { apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name: 'a' } },
        { apiVersion: 'serving.knative.dev/v1', kind: 'Configuration', metadata: { name: 'b' } },
        { apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name: 'c' } },
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'd' } },
      ),
    ).toEqual([
      { apiVersion: 'ray.io/v1', kind: 'RayCluster', count: 2, reason: expect.any(String) },
      { apiVersion: 'serving.knative.dev/v1', kind: 'Configuration', count: 1, reason: expect.any(String) },
      { apiVersion: 'v1', kind: 'Pod', count: 1, reason: expect.any(String) },
    ]);
  });

  test('lists the kinds by which Open Cluster Management, KubeFleet and Fleet distribute objects to clusters', () => {
    const kinds = [
      ['work.open-cluster-management.io/v1', 'ManifestWork'],
      ['work.open-cluster-management.io/v1alpha1', 'ManifestWorkReplicaSet'],
      ['addon.open-cluster-management.io/v1alpha1', 'ClusterManagementAddOn'],
      ['placement.kubernetes-fleet.io/v1', 'ClusterResourcePlacement'],
      ['placement.kubernetes-fleet.io/v1beta1', 'ResourcePlacement'],
      ['placement.kubernetes-fleet.io/v1beta1', 'ClusterStagedUpdateRun'],
      ['placement.kubernetes-fleet.io/v1beta1', 'StagedUpdateRun'],
      ['fleet.cattle.io/v1alpha1', 'BundleNamespaceMapping'],
      ['fleet.cattle.io/v1alpha1', 'Schedule'],
    ] as const;
    const unplanned = notPlannedOf(...kinds.map(([apiVersion, kind]) => ({ apiVersion, kind, metadata: { name: 'a' } })));
    expect(unplanned.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([
      ...kinds.slice(0, -2).map(([, kind]) => `${kind}: rolloutkit does not support it`),
      'BundleNamespaceMapping: it lets Bundles target clusters of other namespaces, which plans do not model',
      'Schedule: it decides when clusters are updated, which plans do not model',
    ]);
  });

  test('counts the kinds with which other tools install a chart or apply a repository', () => {
    const kinds = [
      ['helm.crossplane.io/v1beta1', 'Release'],
      ['helm.m.crossplane.io/v1beta1', 'Release'],
      ['config.projectsveltos.io/v1beta1', 'ClusterProfile'],
      ['config.projectsveltos.io/v1beta1', 'Profile'],
      ['apps.open-cluster-management.io/v1', 'Subscription'],
      ['apps.open-cluster-management.io/v1', 'HelmRelease'],
      ['gitops.kluctl.io/v1beta1', 'KluctlDeployment'],
      ['core.oam.dev/v1beta1', 'Application'],
      ['configsync.gke.io/v1beta1', 'RootSync'],
      ['configsync.gke.io/v1beta1', 'RepoSync'],
      ['argoproj.io/v1alpha1', 'ConfigManagementPlugin'],
    ] as const;
    const unplanned = notPlannedOf(...kinds.map(([apiVersion, kind]) => ({ apiVersion, kind, metadata: { name: 'a' } })));
    expect(unplanned.map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual(kinds);
    expect(new Set(unplanned.map(({ reason }) => reason))).toEqual(
      new Set(['what it applies is defined elsewhere: render that and plan it']),
    );
  });

  test('counts each kind of a tool that applies other objects, except for those that make it apply none', () => {
    const find = (...kinds: readonly (readonly [string, string])[]) =>
      notPlannedOf(...kinds.map(([apiVersion, kind]) => ({ apiVersion, kind, metadata: { name: 'a' } }))).map(({ kind }) => kind);
    expect(
      find(
        ['addons.cluster.x-k8s.io/v1alpha1', 'HelmReleaseProxy'],
        ['catalog.cattle.io/v1', 'App'],
        ['config.projectsveltos.io/v1beta1', 'ClusterPromotion'],
        ['core.oam.dev/v1beta1', 'WorkflowRun'],
        ['helm.cattle.io/v1', 'HelmChartConfig'],
        ['lib.projectsveltos.io/v1beta1', 'EventTrigger'],
        ['olm.operatorframework.io/v1', 'ClusterExtension'],
        ['operators.coreos.com/v1alpha1', 'CatalogSource'],
        ['pkg.crossplane.io/v1', 'Provider'],
        ['core.oam.dev/v9', 'KindOfTheNextVersion'],
        ['apps.projectsveltos.io/v1beta1', 'Cleaner'],
        ['configmanagement.gke.io/v1', 'ConfigManagement'],
        ['packaging.carvel.dev/v1alpha1', 'PackageRepository'],
        ['standard.oam.dev/v1alpha1', 'PodSpecWorkload'],
        ['templates.kluctl.io/v1alpha1', 'ObjectTemplate'],
      ),
    ).toEqual([
      'HelmReleaseProxy',
      'App',
      'ClusterPromotion',
      'WorkflowRun',
      'HelmChartConfig',
      'EventTrigger',
      'ClusterExtension',
      'CatalogSource',
      'Provider',
      'KindOfTheNextVersion',
      'Cleaner',
      'ConfigManagement',
      'PackageRepository',
      'PodSpecWorkload',
      'ObjectTemplate',
    ]);
    expect(
      find(
        ['helm.crossplane.io/v1beta1', 'ProviderConfig'],
        ['catalog.cattle.io/v1', 'ClusterRepo'],
        ['operators.coreos.com/v1', 'OperatorGroup'],
        ['lib.projectsveltos.io/v1beta1', 'SveltosCluster'],
        ['templates.kluctl.io/v1alpha1', 'GitProjector'],
      ),
    ).toEqual([]);
  });

  test('counts the rollouts of OpenShift, including its first API, and Templates that contain them', () => {
    const kinds = [
      { apiVersion: 'v1', kind: 'DeploymentConfig', metadata: { name: 'a' } },
      { apiVersion: 'apps.openshift.io/v1', kind: 'DeploymentConfig', metadata: { name: 'b' } },
      { apiVersion: 'v1', kind: 'Template', metadata: { name: 'c' } },
      { apiVersion: 'template.openshift.io/v1', kind: 'Template', metadata: { name: 'd' } },
    ];
    expect(notPlannedOf(...kinds).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(
      kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    );
  });

  test('counts an unknown kind if it has a pod template', () => {
    expect(
      notPlannedOf(
        { apiVersion: 'toys.example.com/v1', kind: 'Fleet', metadata: { name: 'a' }, spec: { template: TEMPLATE } },
        { apiVersion: 'toys.example.com/v1', kind: 'Truck', metadata: { name: 'a' }, spec: { template: 'red' } },
      ),
    ).toMatchObject([{ kind: 'Fleet', count: 1 }]);
  });

  test('ignores invalid owners of an object', () => {
    const owned = (...ownerReferences: readonly unknown[]) =>
      notPlannedOf({ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', metadata: { name: 'a', ownerReferences } });
    expect(owned(null, 'web')).toMatchObject([{ kind: 'CloneSet', count: 1 }]);
  });

  test('counts an object whose owner counts for it nowhere, so that no manifest hides itself behind an owner', () => {
    const owner = { apiVersion: 'example.com/v1', kind: 'Shop', name: 'shop', controller: true };
    const owned = (kind: string, name: string, ownerReferences: readonly object[], metadata: object = {}) => ({
      apiVersion: kind === 'Pod' ? 'v1' : 'apps.kruise.io/v1alpha1',
      kind,
      metadata: { name, namespace: 's', ownerReferences, ...metadata },
    });
    const counted = (...objects: readonly object[]) => notPlannedOf(...objects).map(({ kind, count }) => `${count} ${kind}`);
    expect(counted(owned('CloneSet', 'a', [owner]), owned('Pod', 'a', [owner]))).toEqual(['1 CloneSet', '1 Pod']);
    // A ConfigMap is in the input, and nothing counts it.
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 's' } };
    expect(counted(map, owned('CloneSet', 'a', [{ ...owner, apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }]))).toEqual(['1 CloneSet']);
    // Neither do two objects that own each other.
    const ring = ['a', 'b'].map((name) =>
      owned('CloneSet', name, [{ ...owner, apiVersion: 'apps.kruise.io/v1', kind: 'CloneSet', name: name === 'a' ? 'b' : 'a' }]),
    );
    expect(counted(...ring)).toEqual(['2 CloneSet']);
    // The owner counts for it.
    const cloneSet = { ...owner, apiVersion: 'apps.kruise.io/v1', kind: 'CloneSet', name: 'a', uid: '7' };
    expect(counted(owned('CloneSet', 'a', [], { uid: '7' }), owned('Pod', 'p', [cloneSet]))).toEqual(['1 CloneSet']);
    // A uid of its own hides nothing, since anyone can write one, and neither does an owner with another uid or group.
    expect(counted(owned('Pod', 'p', [owner], { uid: '1' }))).toEqual(['1 Pod']);
    const set = owned('CloneSet', 'a', []);
    expect(counted(set, owned('Pod', 'p', [{ ...owner, apiVersion: 'apps.kruise.io/v1', kind: 'CloneSet', name: 'a', uid: '2' }]))).toEqual(
      ['1 CloneSet', '1 Pod'],
    );
    expect(counted(set, owned('Pod', 'p', [{ ...owner, kind: 'CloneSet', name: 'a' }]))).toEqual(['1 CloneSet', '1 Pod']);
  });

  test('leaves out what a planned object controls, and counts it with the reason if that object is not in the input', () => {
    const web = deploymentWithUid('1');
    const set = ownedBy(web, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a', uid: '2', labels: LABELS },
      spec: { selector: { matchLabels: LABELS } },
    });
    const pod = ownedBy(set, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a-1', uid: '3', labels: LABELS } });
    expect(notPlannedOf(web, set, pod)).toEqual([]);
    expect(notPlannedOf(set)).toEqual([
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', count: 1, reason: 'the object that controls it is not in the input' },
    ]);
  });

  test('leaves out the pods of a Job and the cluster of a RayService', () => {
    const pod = ownedBy(JOB, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a-1', labels: { 'controller-uid': '1' } } });
    const cluster = ownedBy(RAY_SERVICE, { apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name: 'r-x' } });
    expect(notPlannedOf(JOB, pod, RAY_SERVICE, cluster)).toEqual([]);
  });

  test('leaves out the pods of a Rollout with a workloadRef only if the selector of that workload matches them', () => {
    const rollout = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'r', uid: '7' },
      spec: { replicas: 1, workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, strategy: { canary: {} } },
    };
    const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: LABELS }, template },
    };
    const setWith = (labels: object) => ownedBy(rollout, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'a', labels } });
    expect(notPlannedOf(rollout, web, setWith(LABELS))).toEqual([]);
    expect(notPlannedOf(rollout, web, setWith({ app: 'other' }))).toMatchObject([{ kind: 'ReplicaSet', count: 1 }]);
  });

  // A pull request can name any object as an owner, and give that object the uid of the reference.
  test.each([
    ['a RayCluster behind a planned Deployment, which creates none', deploymentWithUid('1'), 'ray.io/v1', 'RayCluster', {}],
    ['a CloneSet behind a planned RayService, which creates none', RAY_SERVICE, 'apps.kruise.io/v1alpha1', 'CloneSet', {}],
    ['a ReplicaSet behind a Deployment whose selector does not match it', deploymentWithUid('1'), 'apps/v1', 'ReplicaSet', { app: 'b' }],
    ['a CloneSet behind a custom resource that is planned as a Deployment', MAPPED, 'apps.kruise.io/v1alpha1', 'CloneSet', {}],
    ['a Pod behind a Job whose selector does not match it', JOB, 'v1', 'Pod', { app: 'a' }],
    ['a Pod behind a Service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', uid: '1' } }, 'v1', 'Pod', {}],
  ])('does not let a pull request hide %s', (_, owner, apiVersion, kind, labels) => {
    const hidden = ownedBy(owner, { apiVersion, kind, metadata: { name: 'hidden', labels } });
    expect(notPlannedOf(owner, hidden)).toMatchObject([{ kind, count: 1 }]);
  });

  test.each([
    ['s-0', []],
    ['s-12', []],
    ['s', ['Pod']],
    ['s-', ['Pod']],
    ['s-a', ['Pod']],
    ['s-0-1', ['Pod']],
    ['t-0', ['Pod']],
  ])(
    'counts the Pod %s of a StatefulSet s unless its name is that of one of its pods, since the controller releases any other',
    (name, counted) => {
      const set = { ...deploymentWithUid('1'), kind: 'StatefulSet', metadata: { name: 's', uid: '1' } };
      const pod = ownedBy(set, { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: LABELS } });
      expect(notPlannedOf(set, pod).map(({ kind }) => kind)).toEqual(counted);
    },
  );

  test('ends at owners that own each other', () => {
    const ring = ['a', 'b'].map((name) => ({ apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name, uid: name } }));
    const owned = ring.map((object, index) => ownedBy(ring[1 - index]!, object));
    expect(notPlannedOf(...owned)).toMatchObject([{ kind: 'RayCluster', count: 2 }]);
  });

  test.each([
    ['a rollout', sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { template: TEMPLATE } })],
    ['what rolls nothing out', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }],
    ['what rollouts are planned among', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } }],
    ['a Job, which runs its pods once', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { template: TEMPLATE } }],
  ])('does not count %s', (_, object) => {
    expect(notPlannedOf(object)).toEqual([]);
  });
});

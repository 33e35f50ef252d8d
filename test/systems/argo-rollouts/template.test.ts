import { planManifests } from '../../../src/headless';
import { readFiles } from '../../../src/input/read';
import { planInput } from '../../../src/plan/plan';

/** The findings about the Rollout in the first of these files: code, message, path, file and line. */
function findingsOf(...contents: readonly string[]): string[] {
  const inputs = contents.map((content, index) => ({ file: index === 0 ? 'rollout.yaml' : 'workload.yaml', content }));
  const { objects, findings, locations, files } = readFiles(inputs);
  const plan = planInput({ objects, findings, locate: locations.locate, files });
  return plan.rollouts
    .find(({ resource }) => resource.kind === 'Rollout')!
    .findings.map(({ code, messageId, path, source }) => `${code} ${messageId} ${path} ${source!.file}:${source!.line}`);
}

function rollout(ref: string, strategy: string, quota: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  replicas: 2
  workloadRef: ${ref}
  strategy:
    ${strategy}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce] }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: team }
spec: { hard: ${quota} }
`;
}

const POD = `containers:
        - name: app
          image: app:1
          resources: { requests: { cpu: 1 } }
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: data }
`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: base }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      ${POD}`;

const POD_TEMPLATE = `apiVersion: v1
kind: PodTemplate
metadata: { name: base }
template:
    metadata: { labels: { app: web } }
    spec:
      ${POD}`;

const REF = '{ apiVersion: apps/v1, kind: Deployment, name: base }';
const IN_PLACE = 'canary: { maxSurge: 0, maxUnavailable: 1 }';
const SURGING = 'canary: { maxSurge: 1, maxUnavailable: 1 }';

describe('findings about the template of a workloadRef are located in the referenced object', () => {
  test('a volume that only one node can mount at a time', () => {
    expect(findingsOf(rollout(REF, SURGING, '{ pods: 9 }'), DEPLOYMENT)).toEqual([
      'kubernetes/rwo-volume-surge waits spec.template.spec.volumes[0].persistentVolumeClaim.claimName workload.yaml:16',
    ]);
  });

  test('pods that do not fit', () => {
    expect(findingsOf(rollout(REF, IN_PLACE, '{ requests.cpu: 1 }'), DEPLOYMENT)).toEqual([
      'kubernetes/insufficient-capacity replicas spec.template.spec.containers workload.yaml:10',
    ]);
  });

  test('pods that a quota rejects, from a PodTemplate', () => {
    const ref = '{ apiVersion: v1, kind: PodTemplate, name: base }';
    expect(findingsOf(rollout(ref, IN_PLACE, '{ limits.cpu: 9 }'), POD_TEMPLATE)).toEqual([
      'kubernetes/insufficient-capacity rejected template.spec.containers[0].resources workload.yaml:10',
    ]);
  });

  test('pods that do not fit at the maximum of the autoscaler', () => {
    const hpa = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web }, minReplicas: 2, maxReplicas: 6 }
`;
    const object = rollout(REF, IN_PLACE, '{ requests.cpu: 3 }').replace('  replicas: 2\n', '');
    expect(findingsOf(object + hpa, DEPLOYMENT)).toEqual([
      'kubernetes/insufficient-capacity maximum spec.template.spec.containers workload.yaml:10',
    ]);
  });
});

describe('a Rollout with a workloadRef', () => {
  test('that references another namespace or an unsupported kind has pods of which only the number is known', () => {
    const inOtherNamespace = DEPLOYMENT.replace('name: base', 'name: base, namespace: shop');
    expect(findingsOf(rollout(REF, SURGING, '{ pods: 9 }'), inOtherNamespace)).toEqual([]);
    const set = DEPLOYMENT.replace('Deployment', 'StatefulSet');
    expect(findingsOf(rollout(REF.replace('Deployment', 'StatefulSet'), SURGING, '{ pods: 9 }'), set)).toEqual([]);
    expect(findingsOf(rollout(REF, IN_PLACE, '{ pods: 1 }'))).toEqual([
      'kubernetes/insufficient-capacity replicas spec.replicas rollout.yaml:5',
    ]);
  });

  test.each([
    ['argoproj.io/v1alpha1', 'argo-rollouts'],
    ['argoproj.io/v9', 'kubernetes'],
  ])('that scales its Deployment to 0 runs the pods only if it is of a version that the server has: %s', (version, system) => {
    const ref = REF.replace(' }', ', scaleDown: onsuccess }');
    const text = `${rollout(ref, SURGING, '{ pods: 9 }').replace('argoproj.io/v1alpha1', version)}---\n${DEPLOYMENT}`;
    const { rollouts } = planManifests(readFiles([{ file: 'a.yaml', content: text }]).objects);
    expect(rollouts.find(({ resource }) => resource.kind === 'Deployment')).toMatchObject({ system });
  });

  test('needs no selector and no template, and each of its own fields is validated', () => {
    const spec = {
      replicas: 2,
      replica: 3,
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'base' },
      strategy: { canary: {} },
    };
    const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: 'web' }, spec };
    expect(planManifests([object]).rollouts[0]!.findings).toMatchObject([
      { code: 'input/unknown-field', severity: 'warning', path: 'spec.replica' },
    ]);
  });
});

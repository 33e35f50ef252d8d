import { planManifests } from '../../../src/headless';
import { readFiles } from '../../../src/input/read';
import { planInput } from '../../../src/plan/plan';

/** What a plan says of the Rollout in the first of these files: code, message, path, file and line. */
function said(...contents: readonly string[]): string[] {
  const given = contents.map((content, index) => ({ file: index === 0 ? 'rollout.yaml' : 'workload.yaml', content }));
  const { objects, findings, locations, files } = readFiles(given);
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

describe('what is said of the template of a workloadRef stands where that has it', () => {
  test('a volume that one node has at a time', () => {
    expect(said(rollout(REF, SURGING, '{ pods: 9 }'), DEPLOYMENT)).toEqual([
      'kubernetes/rwo-volume-surge waits spec.template.spec.volumes[0].persistentVolumeClaim.claimName workload.yaml:16',
    ]);
  });

  test('pods that find no room', () => {
    expect(said(rollout(REF, IN_PLACE, '{ requests.cpu: 1 }'), DEPLOYMENT)).toEqual([
      'kubernetes/insufficient-capacity replicas spec.template.spec.containers workload.yaml:10',
    ]);
  });

  test('pods that a quota refuses, and of a PodTemplate', () => {
    const ref = '{ apiVersion: v1, kind: PodTemplate, name: base }';
    expect(said(rollout(ref, IN_PLACE, '{ limits.cpu: 9 }'), POD_TEMPLATE)).toEqual([
      'kubernetes/insufficient-capacity refused template.spec.containers[0].resources workload.yaml:10',
    ]);
  });

  test('no room once its autoscaler has gone up', () => {
    const hpa = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web }, minReplicas: 2, maxReplicas: 6 }
`;
    const object = rollout(REF, IN_PLACE, '{ requests.cpu: 3 }').replace('  replicas: 2\n', '');
    expect(said(object + hpa, DEPLOYMENT)).toEqual([
      'kubernetes/insufficient-capacity maximum spec.template.spec.containers workload.yaml:10',
    ]);
  });
});

describe('a Rollout with a workloadRef', () => {
  test('of another namespace, or of a kind that the controller does not take, has pods of which only the number is known', () => {
    const elsewhere = DEPLOYMENT.replace('name: base', 'name: base, namespace: shop');
    expect(said(rollout(REF, SURGING, '{ pods: 9 }'), elsewhere)).toEqual([]);
    const set = DEPLOYMENT.replace('Deployment', 'StatefulSet');
    expect(said(rollout(REF.replace('Deployment', 'StatefulSet'), SURGING, '{ pods: 9 }'), set)).toEqual([]);
    expect(said(rollout(REF, IN_PLACE, '{ pods: 1 }'))).toEqual(['kubernetes/insufficient-capacity replicas spec.replicas rollout.yaml:5']);
  });

  test('is asked for no selector and no template, and each of its own fields is judged', () => {
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

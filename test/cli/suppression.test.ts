import type { Finding } from '../../src/core/findings/finding';
import { markSuppressedByAnnotation } from '../../src/plan/suppressions';
import { ALL_RULES } from '../../src/upgrade/all-rules';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { withStrategy } from './manifests';

/** No pod is available during the rollout: kubernetes/outage, a warning. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}');

function annotated(yaml: string, ignore: string): string {
  return yaml.replace('metadata:\n', `metadata:\n  annotations: {rolloutkit/ignore: '${ignore}'}\n`);
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly messageId: string;
  readonly data: object;
  readonly path: string;
  readonly help?: string;
  readonly suppressed?: object;
}

async function findingsOf(args: string, setting: Setting) {
  const { exitCode, stdout, stderr } = await rolloutkit(`check --format json ${args}`, setting);
  const { findings, summary } = JSON.parse(stdout) as { readonly findings: readonly Found[]; readonly summary: object };
  return { exitCode, stderr, findings, summary };
}

describe('the annotation rolloutkit/ignore', () => {
  test('suppresses findings about its object for a reason; they are counted separately and do not fail a check', async () => {
    const files = { 'web.yaml': annotated(OUTAGE, 'kubernetes/outage: one consumer only, by design; kubernetes/paused: x') };
    const { exitCode, findings, summary } = await findingsOf('web.yaml --fail-on warning', { files });
    expect(exitCode).toBe(0);
    expect(findings).toMatchObject([
      { code: 'kubernetes/outage', severity: 'warning', suppressed: { reason: 'one consumer only, by design', by: 'annotation' } },
    ]);
    expect(summary).toEqual({ rollouts: 1, notPlanned: 0, errors: 0, warnings: 0, infos: 0, suppressed: 1 });
  });

  test('does not affect other objects', async () => {
    const files = { 'web.yaml': `${annotated(OUTAGE, 'kubernetes/outage: by design')}---\n${OUTAGE.replaceAll('web', 'other')}` };
    expect((await findingsOf('web.yaml', { files })).findings.map(({ suppressed }) => suppressed !== undefined)).toEqual([true, false]);
  });

  test('suppresses findings about an object that is not a rollout', async () => {
    const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
  annotations: {rolloutkit/ignore: "kserve/mode-ignored: kept for the next version"}
data:
  deploy: '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"mode": "Availability", "maxSurge": "1", "maxUnavailable": "0"}}}'
`;
    const { findings } = await findingsOf('config.yaml', { files: { 'config.yaml': configMap } });
    expect(findings.filter(({ code }) => code === 'kserve/mode-ignored')).toMatchObject([
      { suppressed: { reason: 'kept for the next version', by: 'annotation' } },
    ]);
  });

  test('has no effect without a reason, which is an error; an unknown code is a warning with a suggestion', async () => {
    const files = { 'web.yaml': annotated(OUTAGE, 'kubernetes/outage; kubernetes/outtage: x; ;kubernetes/paused:') };
    const { exitCode, findings } = await findingsOf('web.yaml', { files });
    expect(exitCode).toBe(1);
    expect(findings.filter(({ code }) => code === 'input/ignore-without-reason')).toMatchObject([
      { severity: 'error', messageId: 'noReason', data: { entry: 'kubernetes/outage' }, path: 'metadata.annotations[rolloutkit/ignore]' },
      { severity: 'error', messageId: 'noReason', data: { entry: 'kubernetes/paused:' } },
      { severity: 'warning', messageId: 'unknownCode', data: { code: 'kubernetes/outtage', nearest: 'kubernetes/outage' } },
    ]);
    expect(findings.filter(({ suppressed }) => suppressed)).toEqual([]);
  });

  test('suppresses no finding about a change, since it would hide those of later changes too', async () => {
    const scaled = OUTAGE.replace(/replicas: \d+/, 'replicas: 1');
    const files = { 'old.yaml': OUTAGE, 'new.yaml': annotated(scaled, 'change/scaled-down: by design') };
    const { findings } = await findingsOf('--from old.yaml new.yaml', { files });
    expect(findings).toMatchObject([
      { code: 'change/scaled-down' },
      {
        severity: 'warning',
        code: 'input/ignore-without-reason',
        message: 'The suppression names "change/scaled-down", which is about one apply and not about the manifest, so it has no effect.',
      },
    ]);
    expect(findings.filter(({ suppressed }) => suppressed)).toEqual([]);
  });

  test('suppresses no finding of a rule about Services that is about a change', async () => {
    const route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: web
spec: {parentRefs: [{name: g}], rules: [{backendRefs: [{name: api, port: 80}]}]}
`;
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: api}\nspec: {selector: {app: api}, ports: [{port: 80}]}\n';
    const files = {
      'old.yaml': `${route}---\n${service}`,
      'new.yaml': `${annotated(route, 'change/backend-missing: x')}---\n${service.replace('port: 80', 'port: 8080')}`,
    };
    const { exitCode, findings, summary } = await findingsOf('--from old.yaml new.yaml', { files });
    expect(exitCode).toBe(1);
    expect(findings.map(({ code, severity }) => [code, severity])).toContainEqual(['change/backend-missing', 'error']);
    expect(summary).toMatchObject({ suppressed: 0 });
  });

  test.each(ALL_RULES.map(({ code }) => code).filter((code) => /^(?:change|upgrade)\//.test(code)))('suppresses no %s', (code) => {
    const finding = { code, severity: 'error', messageId: '', data: {}, path: '', message: '' } as unknown as Finding;
    const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'api', annotations: { 'rolloutkit/ignore': `${code}: x` } } };
    expect(markSuppressedByAnnotation(finding, object)).toBe(finding);
  });

  test('is not suggested for an InferenceService, whose annotations reach its pods', async () => {
    const service = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
  annotations: {rolloutkit/ignore: kserve/canary-ignored, serving.kserve.io/deploymentMode: Standard}
spec:
  predictor: {model: {modelFormat: {name: sklearn}, storageUri: "s3://b/m"}}
`;
    const { findings } = await findingsOf('iris.yaml', { files: { 'iris.yaml': service } });
    const [finding] = findings.filter(({ code }) => code === 'input/ignore-without-reason');
    expect(finding).toMatchObject({ messageId: 'noReasonOnPods', data: { entry: 'kserve/canary-ignored', kind: 'InferenceService' } });
  });
});

test('text counts suppressed findings, and lists them on request', async () => {
  const files = { 'web.yaml': annotated(OUTAGE, 'kubernetes/outage: by design') };
  expect((await rolloutkit('check web.yaml', { files })).stdout).toBe(
    '1 rollout on Kubernetes 1.36 (assumed): no findings (1 suppressed)\n',
  );
  expect((await rolloutkit('check web.yaml --show-suppressed', { files })).stdout).toContain('  suppressed by the annotation: by design\n');
});

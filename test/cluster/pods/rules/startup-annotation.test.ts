import { startupAnnotation } from '../../../../src/cluster/pods/rules/startup-annotation';
import { testRule } from '../../../rule-tester';
import { deployment, durationOf, findingsOf } from '../../../workloads/plan';

/** Returns a Deployment of four pods with surge 1 and the annotation in its template. */
function annotated(seconds: unknown) {
  const template = { metadata: { annotations: { 'rolloutkit/startup-seconds': seconds } } };
  return deployment({ replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, template });
}

describe('the annotation rolloutkit/startup-seconds of a pod template', () => {
  test('applies to one workload, and takes precedence over the option for all', () => {
    expect(durationOf(annotated('90'), {})).toMatchObject({ startupSeconds: 90, lowerBoundSeconds: 360 });
    expect(durationOf(annotated('90'))).toMatchObject({ startupSeconds: 90 });
    expect(durationOf(annotated('0'))).toMatchObject({ startupSeconds: 0, lowerBoundSeconds: 0 });
  });

  test.each(['', 'soon', '2m', '-1', 'Infinity'])('is ignored if it is not a number of seconds: %j', (text) => {
    expect(durationOf(annotated(text), {})).toBeUndefined();
    expect(durationOf(annotated(text))).toMatchObject({ startupSeconds: 60 });
  });

  test('also applies to the progress deadline', () => {
    expect(findingsOf([annotated('600')], 'kubernetes/progress-deadline-too-short')).toMatchObject([{ severity: 'warning' }]);
    expect(findingsOf([annotated('599')], 'kubernetes/progress-deadline-too-short')).toEqual([]);
  });
});

const ANNOTATION = 'rolloutkit/startup-seconds';

/** Returns the metadata of a pod template with the annotation. */
function metadata(seconds: string): string {
  return `metadata: { labels: { app: web }, annotations: { ${ANNOTATION}: ${JSON.stringify(seconds)} } }`;
}

function workload(kind: string, seconds: string): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template: { ${metadata(seconds)}, spec: { containers: [{ name: app, image: app }] } }
`;
}

function finding(path: string, value: string) {
  return {
    messageId: 'startupSeconds',
    severity: 'warning' as const,
    path: `${path}.annotations[${ANNOTATION}]`,
    data: { annotation: ANNOTATION, value },
  };
}

testRule(startupAnnotation, {
  valid: ['0', '90', '1.5'].map((seconds) => ({ name: seconds, yaml: workload('Deployment', seconds) })),
  invalid: [
    ...['', 'soon', '2m', '-1', 'Infinity'].map((text) => ({
      name: JSON.stringify(text),
      yaml: workload('Deployment', text),
      findings: [finding('spec.template.metadata', text)],
    })),
    { name: 'a StatefulSet', yaml: workload('StatefulSet', 'soon'), findings: [finding('spec.template.metadata', 'soon')] },
    {
      name: 'the leaders and the workers of a LeaderWorkerSet',
      yaml: `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: web }
spec:
  leaderWorkerTemplate:
    size: 2
    leaderTemplate: { ${metadata('a')}, spec: { containers: [{ name: app, image: app }] } }
    workerTemplate: { ${metadata('b')}, spec: { containers: [{ name: app, image: app }] } }
`,
      findings: [
        finding('spec.leaderWorkerTemplate.leaderTemplate.metadata', 'a'),
        finding('spec.leaderWorkerTemplate.workerTemplate.metadata', 'b'),
      ],
    },
  ],
});

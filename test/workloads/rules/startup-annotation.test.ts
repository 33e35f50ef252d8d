import { factsOf } from '../../facts';
import { deployment, durationOf, findingsOf, statefulSet } from '../plan';

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

  test.each(['', 'soon', '2m', '-1', 'Infinity'])('is ignored with a warning if it is not a number of seconds: %j', (text) => {
    expect(durationOf(annotated(text), {})).toBeUndefined();
    expect(durationOf(annotated(text))).toMatchObject({ startupSeconds: 60 });
    expect(factsOf(findingsOf([annotated(text)], 'input/wrong-type'))).toEqual([
      {
        code: 'input/wrong-type',
        severity: 'warning',
        messageId: 'startupSeconds',
        path: 'spec.template.metadata.annotations[rolloutkit/startup-seconds]',
        data: { annotation: 'rolloutkit/startup-seconds', value: text },
      },
    ]);
    const template = { metadata: { annotations: { 'rolloutkit/startup-seconds': text } } };
    expect(findingsOf([statefulSet({ template })], 'input/wrong-type')).toHaveLength(1);
  });

  test.each(['0', '90', '1.5'])('has no findings if it is a number of seconds: %j', (text) => {
    expect(findingsOf([annotated(text)], 'input/wrong-type')).toEqual([]);
  });

  test('also applies to the progress deadline', () => {
    expect(findingsOf([annotated('600')], 'kubernetes/progress-deadline-too-short')).toMatchObject([{ severity: 'warning' }]);
    expect(findingsOf([annotated('599')], 'kubernetes/progress-deadline-too-short')).toEqual([]);
  });
});

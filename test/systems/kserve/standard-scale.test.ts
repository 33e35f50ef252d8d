import { factsOf } from '../../facts';
import { listed, plan, rolloutOf, service, STANDARD } from './plan';

const CLASS = 'serving.kserve.io/autoscalerClass';

/** Returns the findings about the predictor that come from KServe's own rules. */
function kserveFindings(predictor: object, annotations: Record<string, string> = {}) {
  const isvc = service(predictor as Record<string, unknown>, { annotations: { ...STANDARD, ...annotations } });
  const { findings } = rolloutOf(plan([isvc]), 'predictor');
  return findings.filter(({ code }) => code.startsWith('kserve/'));
}

describe('kserve/canary-ignored: mode Standard does not split traffic by canaryTrafficPercent', () => {
  test.each([0, 10, 99])('%i percent would leave traffic on the old pods', (percent) => {
    expect(factsOf(kserveFindings({ canaryTrafficPercent: percent }))).toEqual([
      {
        code: 'kserve/canary-ignored',
        severity: 'warning',
        messageId: 'ignored',
        data: { percent },
        path: 'spec.predictor.canaryTrafficPercent',
      },
    ]);
  });

  test('100 percent or no value is the actual behaviour', () => {
    expect(kserveFindings({ canaryTrafficPercent: 100 })).toEqual([]);
    expect(kserveFindings({})).toEqual([]);
  });

  test('it is reported for the component that has it', () => {
    const transformer = { canaryTrafficPercent: 20, containers: [{ image: 'pre:2' }] };
    const { rollouts } = plan([service({}, { annotations: STANDARD, spec: { transformer } })]);
    expect(rollouts.map(({ findings }) => listed(findings).filter((line) => line.includes('kserve/')))).toEqual([
      [],
      ['warning kserve/canary-ignored at spec.transformer.canaryTrafficPercent'],
    ]);
  });

  test('a quoted percentage is refused by the API server', () => {
    const isvc = service({ canaryTrafficPercent: '10' }, { annotations: STANDARD });
    expect(listed(rolloutOf(plan([isvc])).findings)).toContain('error kubernetes/quoted-integer at spec.predictor.canaryTrafficPercent');
  });
});

describe('kserve/no-scale-to-zero: minReplicas 0 in mode Standard', () => {
  test.each([[{}], [{ [CLASS]: 'hpa' }]])('keeps one replica with %j', (annotations: Record<string, string>) => {
    expect(factsOf(kserveFindings({ minReplicas: 0 }, annotations))).toEqual([
      { code: 'kserve/no-scale-to-zero', severity: 'info', messageId: 'keepsOnePod', data: {}, path: 'spec.predictor.minReplicas' },
    ]);
    const isvc = service({ minReplicas: 0 }, { annotations: { ...STANDARD, ...annotations } });
    expect(rolloutOf(plan([isvc]), 'predictor').creates![0]!.replicas).toBe(1);
  });

  test.each([
    ['keda', 1],
    ['external', 1],
    ['none', 0],
  ])('is not reported with autoscaler class %s, and starts with %i', (autoscalerClass, replicas) => {
    expect(kserveFindings({ minReplicas: 0 }, { [CLASS]: autoscalerClass })).toEqual([]);
    const isvc = service({ minReplicas: 0 }, { annotations: { ...STANDARD, [CLASS]: autoscalerClass } });
    expect(rolloutOf(plan([isvc]), 'predictor').creates![0]!.replicas).toBe(replicas);
  });
});

describe('the webhook names the container of a custom component before KServe adds a probe to it', () => {
  const PORT = { ports: [{ containerPort: 8080 }] };
  const probes = (containers: readonly object[]) => {
    const isvc = service({ model: undefined, containers }, { annotations: STANDARD });
    return listed(rolloutOf(plan([isvc]), 'predictor').findings).filter((line) => line.includes('no-readiness-probe'));
  };

  test.each([
    ['the only container, whatever its name', [{ name: 'my-model', image: 'model:2', ...PORT }]],
    ['the only container, without a name', [{ image: 'model:2', ...PORT }]],
    [
      'the first without a name',
      [
        { image: 'model:2', ...PORT },
        { name: 'proxy', image: 'proxy:1', ...PORT, readinessProbe: { tcpSocket: {} } },
      ],
    ],
  ])('%s', (_, containers) => {
    expect(probes(containers)).toEqual([]);
  });

  test('two containers with their own names keep them', () => {
    const containers = ['model', 'proxy'].map((name) => ({ name, image: `${name}:2`, ...PORT }));
    expect(probes(containers)).not.toEqual([]);
  });

  test('a container next to a model needs no probe, because the container of the model has one', () => {
    const isvc = service({ containers: [{ name: 'proxy', image: 'proxy:1', ...PORT }] }, { annotations: STANDARD });
    expect(listed(rolloutOf(plan([isvc]), 'predictor').findings).filter((line) => line.includes('no-readiness-probe'))).toEqual([]);
  });
});

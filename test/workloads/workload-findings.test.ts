import { deployment, findingsOf, lines, rolloutOf, statefulSet, template } from './plan';

function autoscaler(spec: object, namespace?: string) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scaler', ...(namespace && { namespace }) },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9, ...spec },
  };
}

function owned(...objects: object[]) {
  return findingsOf(objects, 'kubernetes/hpa-owns-replicas');
}

function simulationOf(...objects: object[]) {
  return rolloutOf(objects).simulation;
}

function unprobed(object: object) {
  return findingsOf([object], 'kubernetes/no-readiness-probe');
}

function tooShort(spec: object, startupSeconds: number) {
  return findingsOf([deployment(spec)], 'kubernetes/progress-deadline-too-short', { startupSeconds });
}

function dropped(rollingUpdate: object, kubernetes: string) {
  const object = statefulSet({ replicas: 5, updateStrategy: { rollingUpdate } });
  return findingsOf([object], 'kubernetes/statefulset-max-unavailable-dropped', { versions: { kubernetes } });
}

function holdsAll(replicas: number, partition: number) {
  const object = statefulSet({ replicas, updateStrategy: { rollingUpdate: { partition } } });
  return findingsOf([object], 'kubernetes/statefulset-partition-holds-all');
}

function ownedBy(controller: boolean) {
  return { name: 'web', ownerReferences: [{ kind: 'InferenceService', name: 'iris', controller }] };
}

function foreign(object: object) {
  return findingsOf([object], 'kubernetes/foreign-owner');
}

describe('kubernetes/hpa-owns-replicas', () => {
  test('replicas is set while an autoscaler targets the workload', () => {
    expect(owned(deployment({ replicas: 3 }), autoscaler({}))).toEqual([
      {
        code: 'kubernetes/hpa-owns-replicas',
        severity: 'warning',
        path: 'spec.replicas',
        message: 'replicas is 3, but the HorizontalPodAutoscaler "scaler" sets it too: every apply puts 3 back, whatever the load.',
        help: 'Delete spec.replicas.',
      },
    ]);
    const db = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' };
    expect(owned(statefulSet({ replicas: 3 }), autoscaler({ scaleTargetRef: db }))).toHaveLength(1);
  });

  test('replicas 0 switches a HorizontalPodAutoscaler off, so that nothing moves the Deployment between its bounds', () => {
    expect(owned(deployment({ replicas: 0 }), autoscaler({ minReplicas: 2 }))).toMatchObject([
      {
        message:
          'replicas is 0, which switches the HorizontalPodAutoscaler "scaler" off: every apply takes all pods away, and it scales up no ' +
          'workload that has none.',
        help: 'Delete spec.replicas.',
      },
    ]);
    expect(rolloutOf([deployment({ replicas: 0 }), autoscaler({ minReplicas: 2 })]).autoscaled).toBeUndefined();
  });

  test('it is silent without replicas, and for another kind, name or namespace', () => {
    expect(owned(deployment({}), autoscaler({}))).toEqual([]);
    const other = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    expect(owned(deployment({ replicas: 3 }), autoscaler({ scaleTargetRef: { ...other, kind: 'StatefulSet' } }))).toEqual([]);
    expect(owned(deployment({ replicas: 3 }), autoscaler({ scaleTargetRef: { ...other, name: 'api' } }))).toEqual([]);
    expect(owned(deployment({ replicas: 3 }), autoscaler({}, 'shop'))).toEqual([]);
  });

  test("replicas left out are the autoscaler's minReplicas, or 1", () => {
    expect(simulationOf(deployment({}), autoscaler({ minReplicas: 3 }))).toMatchObject({ replicas: 3 });
    expect(simulationOf(deployment({ replicas: null }), autoscaler({ minReplicas: 3 }))).toMatchObject({ replicas: 3 });
    expect(simulationOf(deployment({ replicas: 5 }), autoscaler({ minReplicas: 3 }))).toMatchObject({ replicas: 5 });
    expect(simulationOf(deployment({}), autoscaler({ minReplicas: 0 }))).toMatchObject({ replicas: 0, waves: [] });
    expect(simulationOf(deployment({}), autoscaler({}))).toMatchObject({ replicas: 1 });
    expect(simulationOf(deployment({}), autoscaler({ minReplicas: 'many' }))).toMatchObject({ replicas: 1 });
    expect(simulationOf(deployment({}))).toMatchObject({ replicas: 1 });
  });
});

describe('kubernetes/no-readiness-probe', () => {
  const probeless = { spec: { containers: [{ name: 'app' }, { name: 'proxy', readinessProbe: { exec: { command: ['true'] } } }, {}] } };

  test('one finding a container without one', () => {
    const findings = unprobed(deployment({ template: probeless }));
    expect(lines(findings)).toEqual([
      'warning kubernetes/no-readiness-probe spec.template.spec.containers[0].readinessProbe',
      'warning kubernetes/no-readiness-probe spec.template.spec.containers[2].readinessProbe',
    ]);
    expect(findings[0]!.message).toBe(
      'Container "app" has no readiness probe: it counts as ready as soon as it runs, so the rollout goes on before the application ' +
        'can serve.',
    );
    expect(unprobed(statefulSet({ template: probeless }))).toHaveLength(2);
  });

  test('a startup probe makes the rollout wait for the start, and for nothing after it', () => {
    const starting = { spec: { containers: [{ name: 'app', startupProbe: { exec: { command: ['true'] } } }] } };
    expect(unprobed(deployment({ template: starting }))).toMatchObject([
      {
        severity: 'warning',
        message:
          'Container "app" has no readiness probe: it counts as ready for good once its startup probe has succeeded, so the rollout ' +
          'waits for its start and for nothing after it.',
      },
    ]);
  });

  test('it is silent for Recreate and OnDelete, and without containers', () => {
    expect(unprobed(deployment({ strategy: { type: 'Recreate' }, template: probeless }))).toEqual([]);
    expect(unprobed(statefulSet({ updateStrategy: { type: 'OnDelete' }, template: probeless }))).toEqual([]);
    expect(unprobed(deployment({ template: template() }))).toEqual([]);
    expect(unprobed(deployment({}))).toEqual([]);
  });
});

describe('kubernetes/progress-deadline-too-short', () => {
  test('the start-up reaches the deadline', () => {
    expect(tooShort({ minReadySeconds: 30, progressDeadlineSeconds: 120 }, 120)).toEqual([
      {
        code: 'kubernetes/progress-deadline-too-short',
        severity: 'warning',
        path: 'spec.progressDeadlineSeconds',
        message: 'A pod needs 120 s to become ready, but the Deployment counts as failed after 120 s without progress.',
        help: 'Write progressDeadlineSeconds well above 150.',
      },
    ]);
    expect(tooShort({}, 600)).toHaveLength(1);
  });

  test('start-up and minReadySeconds reach it together, with a pod that becomes ready in between', () => {
    expect(tooShort({ minReadySeconds: 300 }, 350)).toMatchObject([
      {
        message:
          'A pod needs 650 s to become available (350 s of start-up, minReadySeconds 300), and the Deployment counts as failed after 600 s ' +
          'without progress: it holds only because becoming ready after 350 s is progress too.',
        help: 'Write progressDeadlineSeconds well above 650.',
      },
    ]);
  });

  test('it is silent one second below', () => {
    expect(tooShort({ minReadySeconds: 30, progressDeadlineSeconds: 120 }, 89)).toEqual([]);
    expect(tooShort({}, 599)).toEqual([]);
  });
});

describe('kubernetes/statefulset-max-unavailable-dropped', () => {
  test('the version drops the field', () => {
    expect(dropped({ maxUnavailable: 2 }, '1.35.4')).toEqual([
      {
        code: 'kubernetes/statefulset-max-unavailable-dropped',
        severity: 'warning',
        path: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
        message:
          'maxUnavailable is 2, but Kubernetes 1.35.4 drops the field (its gate MaxUnavailableStatefulSet is off): pods are replaced ' +
          'one at a time.',
        help: 'Delete the field, or plan for a version that keeps it: --versions kubernetes=1.37.',
      },
    ]);
  });

  test('it is silent where the version keeps it, and without the field', () => {
    expect(dropped({ maxUnavailable: 2 }, '1.35.3')).toEqual([]);
    expect(dropped({ maxUnavailable: 2 }, '1.37')).toEqual([]);
    expect(dropped({ partition: 2 }, '1.34')).toEqual([]);
  });
});

describe('kubernetes/statefulset-partition-holds-all', () => {
  test('the partition is at or above the replicas', () => {
    expect(holdsAll(3, 3)).toEqual([
      {
        code: 'kubernetes/statefulset-partition-holds-all',
        severity: 'info',
        path: 'spec.updateStrategy.rollingUpdate.partition',
        message: 'partition is 3 and replicas 3: no pod has an index that high, so none is updated.',
        help: 'Write a partition below 3 to update the pods from that index on.',
      },
    ]);
  });

  test('it is silent below, and for 0 replicas', () => {
    expect(holdsAll(3, 2)).toEqual([]);
    expect(holdsAll(0, 0)).toEqual([]);
  });
});

describe('kubernetes/foreign-owner', () => {
  test('a strategy is written into a workload that another controller owns', () => {
    expect(foreign(deployment({ strategy: { rollingUpdate: { maxSurge: 1 } } }, ownedBy(true)))).toEqual([
      {
        code: 'kubernetes/foreign-owner',
        severity: 'warning',
        path: 'spec.strategy',
        message:
          'This Deployment is owned by the InferenceService "iris", whose controller writes it whole: a strategy set here is undone ' +
          'at its next reconcile.',
        help: 'Set the strategy on the InferenceService, or leave it to that controller.',
      },
    ]);
    expect(foreign(statefulSet({ updateStrategy: { type: 'OnDelete' } }, ownedBy(true)))).toHaveLength(1);
  });

  test('it is silent without a strategy, and where the owner is no controller', () => {
    expect(foreign(deployment({}, ownedBy(true)))).toEqual([]);
    expect(foreign(deployment({ strategy: {} }, ownedBy(true)))).toEqual([]);
    expect(foreign(deployment({ strategy: { rollingUpdate: { maxSurge: 1 } } }, ownedBy(false)))).toEqual([]);
    expect(foreign(deployment({ strategy: { rollingUpdate: { maxSurge: 1 } } }))).toEqual([]);
  });
});

describe('kubernetes/paused', () => {
  test('nothing is simulated; the strategy stands', () => {
    const rollout = rolloutOf([deployment({ replicas: 4, paused: true, template: template() })]);
    expect(rollout).toMatchObject({ strategy: { type: 'RollingUpdate' }, simulation: null });
    expect(rollout.findings).toEqual([
      {
        code: 'kubernetes/paused',
        severity: 'info',
        path: 'spec.paused',
        message: 'paused is true: the controller rolls nothing out until the Deployment is resumed, so there is nothing to simulate.',
        help: 'Delete spec.paused, or run kubectl rollout resume.',
      },
    ]);
  });

  test('it is silent where paused is false', () => {
    const rollout = rolloutOf([deployment({ replicas: 4, paused: false })]);
    expect(rollout.findings).toEqual([]);
    expect(rollout.simulation).not.toBeNull();
  });
});

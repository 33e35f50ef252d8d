import * as fc from 'fast-check';
import { planManifests } from '../../../src/headless';
import { renderPlanText } from '../../../src/render/text/plan';
import { simulateUpgradeSteps } from '../../../src/systems/kuberay/simulate';
import { expectValidPlan } from '../../plan-schema';
import { CLUSTER, incremental, OPTIONS, rayService, rolloutOf } from './plan';
import { upgradeSecondBySecond } from './rayservice-controller';
import { quota } from '../../builders/quota';

const FAST = { headSeconds: 0, workerSeconds: 0, waitsForEveryRaise: true };
const ROUNDS = { requeueSeconds: 2, oldPodSeconds: 0 };
const AUTOSCALED_SERVE = {
  serveConfigV2:
    'applications: [{ name: llm, import_path: "app:llm", deployments: [{ name: model, autoscaling_config: { max_replicas: 5 } }] }]',
};

const teamQuota = (hard: object) => quota(hard, { name: 'team', namespace: 'models' });

/** Returns the cluster with these start-up seconds as annotations of its templates. */
function annotated(head: string, worker: string): object {
  const withSeconds = (template: object, seconds: string) => ({
    ...template,
    metadata: { annotations: { 'rolloutkit/startup-seconds': seconds } },
  });
  const [group] = CLUSTER.workerGroupSpecs;
  return {
    rayClusterConfig: {
      ...CLUSTER,
      headGroupSpec: { template: withSeconds(CLUSTER.headGroupSpec.template, head) },
      workerGroupSpecs: [{ ...group, template: withSeconds(group!.template, worker) }],
    },
  };
}

describe('the operator reconciles every two seconds', () => {
  test.each([
    ["the guide's 20/5/10 takes 202 s instead of 200 s", { maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 }, 202],
    ['1/1/1 takes 400 s instead of 100 s', { maxSurgePercent: 1, stepSizePercent: 1, intervalSeconds: 1 }, 400],
  ])('%s', (_what, pace, seconds) => {
    expect(simulateUpgradeSteps(pace, FAST, ROUNDS).at(-1)!.elapsedSeconds).toBe(seconds);
  });

  test('every row matches the controller, second by second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }).chain((maxSurgePercent) =>
          fc.record({
            maxSurgePercent: fc.constant(maxSurgePercent),
            stepSizePercent: fc.integer({ min: 1, max: maxSurgePercent }),
            intervalSeconds: fc.integer({ min: 1, max: 90 }),
          }),
        ),
        fc.record({
          headSeconds: fc.integer({ min: 0, max: 200 }),
          workerSeconds: fc.integer({ min: 0, max: 200 }),
          waitsForEveryRaise: fc.boolean(),
        }),
        (pace, startup) => {
          expect(simulateUpgradeSteps(pace, startup, ROUNDS)).toEqual(upgradeSecondBySecond(pace, startup));
        },
      ),
    );
  });
});

describe('how long an upgrade takes, when its pods take 60 seconds to become ready', () => {
  test('is at least the time of the loop, plus one round for each wait', () => {
    expect(rolloutOf(incremental(), { startupSeconds: 60 }).duration).toEqual({
      startupSeconds: 60,
      lowerBoundSeconds: 510,
      expectedSeconds: 528,
      abortSeconds: null,
      blastRadius: 2,
    });
  });

  test('waits only for the first capacity increase if Serve scales the replicas', () => {
    expect(rolloutOf(incremental({}, AUTOSCALED_SERVE), { startupSeconds: 60 }).duration).toMatchObject({
      lowerBoundSeconds: 310,
      expectedSeconds: 312,
    });
  });

  test('starts head and workers of NewCluster in parallel, but the workers wait for the head', () => {
    expect(rolloutOf(rayService({ type: 'NewCluster' }), { startupSeconds: 61 }).duration).toEqual({
      startupSeconds: 61,
      lowerBoundSeconds: 61,
      expectedSeconds: 122,
      abortSeconds: null,
      blastRadius: 6,
    });
  });

  test('waits 60 s until idle workers are removed if each capacity increase needs their capacity', () => {
    const full = [incremental(), teamQuota({ 'requests.nvidia.com/gpu': 6 })];
    expect(rolloutOf(full, { startupSeconds: 60 }).duration).toMatchObject({ lowerBoundSeconds: 510, expectedSeconds: 528 + 4 * 60 });
    const hasty = { rayClusterConfig: { ...CLUSTER, autoscalerOptions: { idleTimeoutSeconds: 10 } } };
    expect(rolloutOf([incremental({}, hasty), full[1]!], { startupSeconds: 60 }).duration).toMatchObject({ expectedSeconds: 528 + 4 * 10 });
    const [group] = CLUSTER.workerGroupSpecs;
    const patient = { ...group, groupName: 'cpu', template: CLUSTER.headGroupSpec.template, idleTimeoutSeconds: 90 };
    const ofGroup = { rayClusterConfig: { ...CLUSTER, autoscalerOptions: { version: 'v2' }, workerGroupSpecs: [group, patient] } };
    expect(rolloutOf([incremental({}, ofGroup), full[1]!], { startupSeconds: 60 }).duration).toMatchObject({
      expectedSeconds: 528 + 4 * 90,
    });
  });

  test('is unknown without capacity, if the loop deadlocks, and if nothing is rolled out', () => {
    const noRoom = [incremental(), teamQuota({ 'requests.nvidia.com/gpu': 5 })];
    expect(rolloutOf(noRoom, { startupSeconds: 60 }).duration).toMatchObject({ expectedSeconds: null, blastRadius: 1 });
    const stalled = incremental({ maxSurgePercent: 20, stepSizePercent: 0 });
    expect(rolloutOf(stalled, { startupSeconds: 60 }).duration).toMatchObject({ expectedSeconds: null, blastRadius: 2 });
    expect(rolloutOf(rayService({ type: 'None' }), { startupSeconds: 60 }).duration).toBeUndefined();
  });

  test('uses the annotations of the templates, which override the flag', () => {
    const slow = incremental({}, annotated('30', '300'));
    expect(rolloutOf(slow, { startupSeconds: 60 }).duration).toMatchObject({ startupSeconds: 300, lowerBoundSeconds: 30 + 5 * (300 + 30) });
    expect(rolloutOf(slow).duration).toEqual(rolloutOf(slow, { startupSeconds: 60 }).duration);
    expect(rolloutOf(incremental()).duration).toBeUndefined();
  });

  test('also uses the annotation of only the workers', () => {
    const [group] = CLUSTER.workerGroupSpecs;
    const template = { ...group!.template, metadata: { annotations: { 'rolloutkit/startup-seconds': '300' } } };
    const slow = incremental({}, { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...group, template }] } });
    expect(rolloutOf(slow).duration).toMatchObject({ startupSeconds: 300, lowerBoundSeconds: 5 * (300 + 30) });
  });

  test('ignores an annotation that is not a number and reports it', () => {
    const { duration, findings } = rolloutOf(incremental({}, annotated('30', '5m')));
    expect(duration).toMatchObject({ startupSeconds: 30 });
    expect(findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual([
      'warning input/wrong-type spec.rayClusterConfig.workerGroupSpecs[0].template.metadata.annotations[rolloutkit/startup-seconds]',
    ]);
  });

  test('also ignores such an annotation of the head', () => {
    const { duration, findings } = rolloutOf(incremental({}, annotated('soon', '300')));
    expect(duration).toMatchObject({ startupSeconds: 300, lowerBoundSeconds: 5 * (300 + 30) });
    expect(findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual([
      'warning input/wrong-type spec.rayClusterConfig.headGroupSpec.template.metadata.annotations[rolloutkit/startup-seconds]',
    ]);
  });

  test('does not need options for NewCluster, which does not read them', () => {
    const withOptions = rayService({ type: 'NewCluster', clusterUpgradeOptions: OPTIONS });
    expect(rolloutOf(withOptions, { startupSeconds: 61 }).duration).toEqual(
      rolloutOf(rayService({ type: 'NewCluster' }), { startupSeconds: 61 }).duration,
    );
  });

  test('is part of the text of a plan', () => {
    const plan = expectValidPlan(planManifests([incremental()], { startupSeconds: 60 }));
    expect(renderPlanText(plan)).toContain('\n  takes about 8m48s, at least 8m30s; a broken image is never detected and breaks 2 pods\n');
  });
});

import * as fc from 'fast-check';
import { getSuggestedFix } from '../../../src/core/findings/finding';
import type { RollingSyncSimulation } from '../../../src/core/simulations/rolling-sync';
import { planChange, planManifests } from '../../../src/headless';
import type { Manifest, PlannedRollout } from '../../../src/headless';
import { quotedMaxUpdate } from '../../../src/systems/argo-cd/rules/quoted-max-update';
import { zeroMaxUpdate } from '../../../src/systems/argo-cd/rules/zero-max-update';
import { scaleRuns } from '../../setup/scale-runs';

const FLAG: Manifest = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cmd-params-cm', namespace: 'argocd' },
  data: { 'applicationsetcontroller.enable.progressive.syncs': 'true' },
};

const LIST = [{ list: { elements: ['dev', 'staging', 'prod-a', 'prod-b', 'prod-c'].map((name) => ({ name, env: name.split('-')[0] })) } }];
const TEMPLATE = { metadata: { name: 'shop-{{name}}', labels: { env: '{{ env }}' } }, spec: { project: 'default' } };

function step(env: string, maxUpdate?: unknown): object {
  return { matchExpressions: [{ key: 'env', operator: 'In', values: [env] }], ...(maxUpdate !== undefined && { maxUpdate }) };
}

function set(steps: readonly object[], spec: Record<string, unknown> = {}): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'shop' },
    spec: { generators: LIST, template: TEMPLATE, strategy: { type: 'RollingSync', rollingSync: { steps } }, ...spec },
  };
}

function planSet(object: Manifest, others: readonly Manifest[] = [FLAG], options = {}): PlannedRollout {
  return planManifests([object, ...others], options).rollouts[0]!;
}

const CONTENTS = 'argo-cd/contents-not-checked';

/** The findings except the one that every set has, which has its own test below. */
function otherFindings({ findings }: PlannedRollout): unknown[] {
  return findings.filter(({ code }) => code !== CONTENTS).map(({ code, severity, path, data }) => ({ code, severity, path, data }));
}

test('Applications sync step by step, and within a step as many at once as maxUpdate allows', () => {
  const plan = planSet(set([step('dev'), step('staging'), step('prod', '50%')]));
  expect(plan.simulation).toEqual({
    kind: 'rollingsync',
    applications: 5,
    isStepwise: true,
    steps: [
      { step: 1, count: 1, applications: ['shop-dev'] },
      { step: 2, count: 1, applications: ['shop-staging'] },
      { step: 3, count: 3, maxUpdate: 1, applications: ['shop-prod-a', 'shop-prod-b', 'shop-prod-c'] },
    ],
    waves: [
      { wave: 1, count: 1, applications: ['shop-dev'] },
      { wave: 2, count: 1, applications: ['shop-staging'] },
      { wave: 3, count: 1, applications: ['shop-prod-a'] },
      { wave: 4, count: 1, applications: ['shop-prod-b'] },
      { wave: 5, count: 1, applications: ['shop-prod-c'] },
    ],
    done: true,
    unmatchedCount: 0,
  });
  expect(otherFindings(plan)).toEqual([
    { code: 'argo-cd/order-not-guaranteed', severity: 'info', path: 'spec.strategy.rollingSync.steps', data: { steps: 3 } },
  ]);
});

test('the manifests of the Applications are not in the input, and the plan reports what it cannot check', () => {
  const steps = set([step('dev'), step('staging'), step('prod', '50%')]);
  const unknown = (plan: PlannedRollout) => plan.findings.filter(({ code }) => code === CONTENTS);
  const plan = planSet(steps);
  expect([plan.duration, plan.capacity, plan.budgets]).toEqual([undefined, undefined, undefined]);
  expect(unknown(plan)).toMatchObject([
    { messageId: 'contents', severity: 'info', path: 'spec.template.spec', data: { applications: 5, waves: 5, isTimed: false } },
  ]);
  const timed = planSet(steps, [FLAG], { startupSeconds: 60 });
  expect(timed.duration).toEqual({
    startupSeconds: 60,
    lowerBoundSeconds: 300,
    expectedSeconds: 300,
    abortSeconds: null,
    blastRadius: 1,
  });
  expect(unknown(timed)).toMatchObject([{ data: { isTimed: true } }]);
  expect(unknown(planSet(set([])))).toEqual([]);
});

test('a quoted number counts as 1, 0 lets nothing sync, and an Application that no step selects is never synced', () => {
  const plan = planSet(set([step('dev', '5'), step('staging', 0), step('dev')]));
  expect(plan.simulation).toMatchObject({
    waves: [{ applications: ['shop-dev'] }],
    done: false,
    halted: { step: 2, reason: 'zero-max-update' },
    unmatchedCount: 3,
    unmatched: ['shop-prod-a', 'shop-prod-b', 'shop-prod-c'],
  });
  const steps = 'spec.strategy.rollingSync.steps';
  expect(otherFindings(plan)).toEqual([
    { code: 'argo-cd/quoted-max-update', severity: 'warning', path: `${steps}[0].maxUpdate`, data: { step: 1, value: '5' } },
    {
      code: 'argo-cd/unmatched-applications',
      severity: 'error',
      path: steps,
      data: {
        count: 3,
        names: ['shop-prod-a', 'shop-prod-b', 'shop-prod-c'],
        steps: 3,
        unmatchedLabels: [{ key: 'env', values: ['dev', 'staging'] }],
      },
    },
    { code: 'argo-cd/zero-max-update', severity: 'error', path: `${steps}[1].maxUpdate`, data: { step: 2, remaining: 1 } },
    { code: 'argo-cd/overlapping-steps', severity: 'warning', path: steps, data: { count: 1, names: ['shop-dev'] } },
    { code: 'argo-cd/order-not-guaranteed', severity: 'info', path: steps, data: { steps: 3 } },
  ]);
});

test('up to Argo CD 3.2 an Application that two steps select never syncs: it and the later step wait for each other', () => {
  const steps = [step('dev'), step('dev'), step('staging')];
  const old = planSet(set(steps), [FLAG], { versions: { 'argo-cd': '3.2.6' } });
  expect(old.simulation).toMatchObject({ waves: [], done: false, halted: { step: 1, reason: 'overlapping-steps' } });
  expect(old.findings).toContainEqual(
    expect.objectContaining({
      code: 'argo-cd/overlapping-steps',
      severity: 'error',
      messageId: 'stuck',
      path: 'spec.strategy.rollingSync.steps',
      data: { count: 1, names: ['shop-dev'], version: '3.2.6' },
    }),
  );
  const now = planSet(set(steps), [FLAG], { versions: { 'argo-cd': '3.3' } });
  expect(now.simulation).toMatchObject({ waves: [{ applications: ['shop-dev'] }, { applications: ['shop-staging'] }] });
});

test('without the flag all Applications sync at once, and if the flag is unknown the plan reports what it assumes', () => {
  const off = planSet(set([step('dev')]), [{ ...FLAG, data: {} }]);
  expect(off.simulation).toMatchObject({ isStepwise: false, waves: [{ count: 5 }], done: true });
  expect(off.provenance).toMatchObject([{ field: 'type', value: 'AllAtOnce', layer: 'argo-cd-default' }]);
  expect(otherFindings(off)).toEqual([
    { code: 'argo-cd/progressive-syncs-off', severity: 'warning', path: 'spec.strategy.type', data: {} },
  ]);
  expect(otherFindings(planSet(set([{}]), []))).toEqual([
    { code: 'argo-cd/progressive-syncs-off', severity: 'info', path: 'spec.strategy.type', data: {} },
  ]);
});

test('without steps nothing syncs, and an unsupported operator selects Applications without the label', () => {
  const none = planSet(set([]));
  expect(none.simulation).toMatchObject({ waves: [], done: false, unmatchedCount: 5 });
  expect(otherFindings(none)).toEqual([
    { code: 'argo-cd/no-steps', severity: 'warning', path: 'spec.strategy.rollingSync.steps', data: {} },
  ]);
  const odd = planSet(
    set([{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, { matchExpressions: [{ key: 'env', operator: 'Exists' }] }]),
  );
  expect(odd.simulation).toMatchObject({ steps: [{ count: 5 }, { count: 0 }] });
  expect(otherFindings(odd)).toMatchObject([
    { code: 'argo-cd/invalid-operator', path: 'spec.strategy.rollingSync.steps[0].matchExpressions[0].operator' },
    { code: 'argo-cd/invalid-operator', path: 'spec.strategy.rollingSync.steps[1].matchExpressions[0].operator' },
  ]);
});

test('clusters of an inventory are selected by name and labels, with both template syntaxes', () => {
  const clusters = [
    {
      clusters: [
        { name: 'Paris', labels: { env: 'prod' } },
        { name: 'lab', labels: { env: 'dev' } },
      ],
    },
  ];
  const generators = [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }];
  const template = { metadata: { name: 'shop-{{.nameNormalized}}', labels: { env: '{{index .metadata.labels "env"}}' } } };
  const plan = planSet(set([step('dev'), step('prod')], { generators, template }), [FLAG], { clusters });
  expect(plan.simulation).toMatchObject({ waves: [{ applications: ['shop-lab'] }, { applications: ['shop-paris'] }] });
  const own = planSet(set([{}], { generators: [{ clusters: {} }], template: { metadata: { name: 'shop-{{name}}' } } }), [FLAG], {
    clusters,
  });
  expect(own.simulation).toMatchObject({ waves: [{ applications: ['shop-Paris', 'shop-in-cluster', 'shop-lab'] }] });
});

test.each([
  ['generator', { generators: [{ git: { repoURL: 'x' } }] }],
  ['clusters', { generators: [{ clusters: {} }] }],
  ['template', { template: { metadata: { name: '{{ lower .name }}' } } }],
  ['template', { templatePatch: 'metadata: {}' }],
])('the Applications are unknown because of the %s: %j', (reason, spec) => {
  const plan = planSet(set([{}], spec));
  expect(plan.simulation).toBeNull();
  expect(otherFindings(plan)).toEqual([
    { code: 'argo-cd/unknown-applications', severity: 'info', path: 'spec.generators', data: { reason } },
  ]);
});

test('an ApplicationSet without RollingSync is not planned, but counted', () => {
  const plan = planManifests([set([], { strategy: { type: 'AllAtOnce' } })]);
  expect(plan.rollouts).toEqual([]);
  expect(plan.notPlanned).toMatchObject([{ kind: 'ApplicationSet', count: 1 }]);
});

test('a changed template rolls, a changed strategy is only a setting', () => {
  const effects = (next: Manifest) => planChange([set([{}])], [next]).change.objects.map(({ effect }) => effect);
  expect(effects(set([{}], { template: { ...TEMPLATE, spec: { project: 'other' } } }))).toEqual(['roll']);
  expect(effects(set([step('dev')]))).toEqual(['settings']);
  expect(effects(set([{}]))).toEqual(['none']);
});

test('any ApplicationSet has a plan, with a reason if it has no simulation', () => {
  const { anything } = fc.letrec((tie) => ({
    anything: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, 0, 5, -1, '', '5', '25%', '{{', '{{name}}', 'RollingSync'),
      fc.array(tie('anything'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('steps', 'matchExpressions', 'maxUpdate', 'list', 'elements', 'clusters', 'selector', 'metadata', 'name', 'labels'),
        tie('anything'),
        { maxKeys: 4 },
      ),
    ),
  }));
  fc.assert(
    fc.property(anything, anything, fc.array(anything, { maxLength: 3 }), (rollingSync, template, generators) => {
      const object = set([], { template, generators, strategy: { type: 'RollingSync', rollingSync } });
      const { rollouts } = planManifests([object, FLAG]);
      expect(rollouts.filter(({ simulation, findings }) => simulation === null && findings.length === 0)).toEqual([]);
    }),
    { numRuns: scaleRuns(200) },
  );
});

const NAMES = ['shop-dev', 'shop-prod-a', 'shop-prod-b', 'shop-prod-c', 'shop-staging'];
const NO_APPLICATIONS = { generators: [{ list: { elements: [] } }] };
const FLAG_OFF = [{ ...FLAG, data: {} }];

/** A step that selects several environments. */
function stepOver(envs: readonly string[], maxUpdate?: unknown): object {
  return { matchExpressions: [{ key: 'env', operator: 'In', values: envs }], ...(maxUpdate !== undefined && { maxUpdate }) };
}

describe('the complete simulation', () => {
  test('without the flag: one wave with all Applications, or no wave without Applications', () => {
    const atOnce = { kind: 'rollingsync', isStepwise: false, steps: [], done: true, unmatchedCount: 0 };
    expect(planSet(set([step('dev')]), FLAG_OFF).simulation).toEqual({
      ...atOnce,
      applications: 5,
      waves: [{ wave: 1, count: 5, applications: NAMES }],
    });
    expect(planSet(set([step('dev')], NO_APPLICATIONS), FLAG_OFF).simulation).toEqual({ ...atOnce, applications: 0, waves: [] });
  });

  test('without steps: nothing syncs, and the rollout is done if there are no Applications', () => {
    const never = { kind: 'rollingsync', isStepwise: true, steps: [], waves: [] };
    expect(planSet(set([])).simulation).toEqual({ ...never, applications: 5, done: false, unmatchedCount: 5, unmatched: NAMES });
    expect(planSet(set([], NO_APPLICATIONS)).simulation).toEqual({
      ...never,
      applications: 0,
      done: true,
      unmatchedCount: 0,
      unmatched: [],
    });
  });

  test('if no step selects some Applications: the others sync, and nothing halts', () => {
    expect(planSet(set([stepOver(['dev', 'staging'])])).simulation).toEqual({
      kind: 'rollingsync',
      applications: 5,
      isStepwise: true,
      steps: [{ step: 1, count: 2, applications: ['shop-dev', 'shop-staging'] }],
      waves: [{ wave: 1, count: 2, applications: ['shop-dev', 'shop-staging'] }],
      done: false,
      unmatchedCount: 3,
      unmatched: ['shop-prod-a', 'shop-prod-b', 'shop-prod-c'],
    });
  });

  test('with more than 1,000 Applications: no names, and only the first and last waves', () => {
    const elements = Array.from({ length: 1001 }, (_, index) => ({ name: `n-${index}`, env: 'prod' }));
    const { waves, ...shown } = planSet(set([step('prod', 1)], { generators: [{ list: { elements } }] }))
      .simulation as RollingSyncSimulation;
    expect(shown).toEqual({
      kind: 'rollingsync',
      applications: 1001,
      isStepwise: true,
      steps: [{ step: 1, count: 1001, maxUpdate: 1 }],
      done: true,
      unmatchedCount: 0,
      elided: 901,
    });
    expect([waves.length, waves[0], waves[49], waves[50], waves[99]]).toEqual([
      100,
      { wave: 1, count: 1 },
      { wave: 50, count: 1 },
      { wave: 952, count: 1 },
      { wave: 1001, count: 1 },
    ]);
  });
});

test('a step whose Applications have all synced in an earlier step opens nothing until that step is done', () => {
  const plan = planSet(set([stepOver(['dev', 'staging'], 1), step('dev'), step('prod')]));
  expect(plan.simulation).toMatchObject({
    waves: [
      { applications: ['shop-dev'] },
      { applications: ['shop-staging'] },
      { applications: ['shop-prod-a', 'shop-prod-b', 'shop-prod-c'] },
    ],
    done: true,
  });
});

test('up to Argo CD 3.2 the rollout deadlocks at the step with an Application of two steps, although others of it have synced', () => {
  const steps = [stepOver(['dev', 'staging']), step('prod'), step('staging')];
  const plan = planSet(set(steps), [FLAG], { versions: { 'argo-cd': '3.2.6' } });
  expect(plan.simulation).toMatchObject({
    waves: [{ applications: ['shop-dev'] }],
    done: false,
    halted: { step: 1, reason: 'overlapping-steps' },
  });
});

test('a maxUpdate of 0 has no effect in a step that selects nothing', () => {
  const plan = planSet(set([step('qa', 0), step('dev'), step('staging', 0), step('prod')]));
  expect(plan.simulation).toMatchObject({
    waves: [{ applications: ['shop-dev'] }],
    done: false,
    halted: { step: 3, reason: 'zero-max-update' },
  });
});

test('all steps with a maxUpdate of 0 are reported at once', () => {
  const findZeroSteps = (steps: readonly object[]) => planSet(set(steps)).findings.filter(({ code }) => code === 'argo-cd/zero-max-update');

  expect(findZeroSteps([step('dev', 0), step('staging', '0%'), step('qa', 0), step('prod')])).toMatchObject([
    {
      path: 'spec.strategy.rollingSync.steps[0].maxUpdate',
      message:
        'maxUpdate of step 1 lets nothing sync: the rollout deadlocks there, with 5 Applications not synced. Step 2 lets nothing sync either.',
      help: 'Write at least 1 or delete maxUpdate, in each of these steps.',
    },
  ]);
  const [three] = findZeroSteps([step('dev', 0), step('staging', 0), step('prod', 0)]);
  expect(getSuggestedFix(zeroMaxUpdate, three!)!.edits).toEqual([
    { op: 'set', path: 'spec.strategy.rollingSync.steps[0].maxUpdate', value: 1 },
    { op: 'set', path: 'spec.strategy.rollingSync.steps[1].maxUpdate', value: 1 },
    { op: 'set', path: 'spec.strategy.rollingSync.steps[2].maxUpdate', value: 1 },
  ]);
  expect([three]).toMatchObject([
    {
      message: expect.stringMatching('with 5 Applications not synced. Steps 2 and 3 let nothing sync either.$'),
      data: { otherSteps: [2, 3] },
    },
  ]);
});

test('an unknown field is dropped, and a field of the wrong type leads to a refusal', () => {
  const unknown = planSet(set([{ ...step('dev'), maxUpdates: 1 }, stepOver(['staging', 'prod'])]));
  expect(unknown.simulation).toMatchObject({ waves: [{ count: 1 }, { count: 4 }], done: true });
  expect(otherFindings(unknown).slice(0, 1)).toMatchObject([
    { code: 'input/unknown-field', severity: 'warning', path: 'spec.strategy.rollingSync.steps[0].maxUpdates' },
  ]);
  const refused = planSet(set([{ ...step('dev'), maxUpdates: 1 }, { matchExpressions: 'env' }]));
  expect({ ...refused, findings: otherFindings(refused) }).toMatchObject({
    system: 'argo-cd',
    resource: { kind: 'ApplicationSet', name: 'shop' },
    strategy: null,
    provenance: [],
    simulation: null,
    findings: [
      { code: 'input/wrong-type', severity: 'error', path: 'spec.strategy.rollingSync.steps[1].matchExpressions' },
      { code: 'input/unknown-field', severity: 'warning', path: 'spec.strategy.rollingSync.steps[0].maxUpdates' },
    ],
  });
});

test('unmatched Applications are described by labels if each step checks only one label', () => {
  const unmatchedLabelsOf = (steps: readonly object[]) =>
    planSet(set(steps)).findings.find(({ code }) => code === 'argo-cd/unmatched-applications')!.data.unmatchedLabels;
  const ofShop = { key: 'app', operator: 'NotIn', values: ['shop'] };
  expect(unmatchedLabelsOf([step('dev'), step('staging')])).toEqual([{ key: 'env', values: ['dev', 'staging'] }]);
  expect(
    unmatchedLabelsOf([step('dev'), { matchExpressions: [{ key: 'env', operator: 'In', values: ['staging'] }, ofShop] }]),
  ).toBeUndefined();
  expect(unmatchedLabelsOf([{ matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }])).toBeUndefined();
});

test.each([
  ['5', 'a number', [{ op: 'set', path: 'spec.strategy.rollingSync.steps[0].maxUpdate', value: 5 }]],
  [
    '999999999',
    'the largest number that is converted',
    [{ op: 'set', path: 'spec.strategy.rollingSync.steps[0].maxUpdate', value: 999_999_999 }],
  ],
  ['1234567890', 'more than nine digits', undefined],
  ['5x', 'a number with a suffix', undefined],
  ['x5', 'a number with a prefix', undefined],
  ['', 'nothing', undefined],
])('the fix for maxUpdate %j, %s, is: %j', (maxUpdate, _what, edits) => {
  const finding = planSet(set([step('dev', maxUpdate)])).findings.find(({ code }) => code === quotedMaxUpdate.code)!;
  expect(getSuggestedFix(quotedMaxUpdate, finding)?.edits).toEqual(edits);
});

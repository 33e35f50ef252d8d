import { parseAllDocuments } from 'yaml';
import { applyEdits } from '../../../src/core/findings/suggested-fix';
import { getSuggestedFix } from '../../../src/core/findings/finding';
import type { Finding } from '../../../src/core/findings/finding';
import { collectFindings } from '../../../src/core/document/plan-document';
import { planManifests } from '../../../src/headless';
import { KUBERAY_RULES } from '../../../src/systems/kuberay/rules';

/** Returns the version of an example, if its first line names one: `# rolloutkit plan --versions kuberay=1.6 llm.yaml`. */
function versionIn(text: string): string {
  return /--versions kuberay=(\S+)/.exec(text)?.[1] ?? '1.7';
}

function objectsIn(text: string): object[] {
  return parseAllDocuments(text).map((document) => document.toJS() as object);
}

function findingsOf(objects: readonly object[], text: string): readonly Finding[] {
  return collectFindings(planManifests(objects, { versions: { kuberay: versionIn(text) } }));
}

function codesOf(text: string): string[] {
  return findingsOf(objectsIn(text), text).map(({ code }) => code);
}

/** Rules of this system. Rules that extend a shared rule are tested with the example of the shared rule. */
const OWN = KUBERAY_RULES.filter(({ isExtension }) => !isExtension);

describe.each(OWN)('$code', ({ code, example, fixedExample }) => {
  test('its example triggers only this rule', () => {
    expect(codesOf(example)).toEqual([code]);
  });

  test('its fixed example has no finding', () => {
    expect(codesOf(fixedExample)).toEqual([]);
  });
});

const OPTIONS = 'spec.upgradeStrategy.clusterUpgradeOptions';
const ADVISED = OWN.flatMap((rule) => {
  const objects = objectsIn(rule.example);
  const [finding] = findingsOf(objects, rule.example);
  const advice = getSuggestedFix(rule, finding!);
  return advice ? [{ code: rule.code, example: rule.example, objects, advice }] : [];
});

test('the suggested fixes of the examples', () => {
  expect(ADVISED.map(({ code, advice }) => [code, advice])).toEqual([
    [
      'kuberay/zero-surge',
      {
        edits: [
          { op: 'set', path: `${OPTIONS}.maxSurgePercent`, value: 20 },
          { op: 'set', path: `${OPTIONS}.stepSizePercent`, value: 20 },
        ],
        needsDecision: true,
      },
    ],
    ['kuberay/zero-step', { edits: [{ op: 'set', path: `${OPTIONS}.stepSizePercent`, value: 20 }], needsDecision: true }],
    ['kuberay/step-exceeds-surge', { edits: [{ op: 'set', path: `${OPTIONS}.stepSizePercent`, value: 20 }], needsDecision: true }],
    [
      'kuberay/autoscaling-required',
      { edits: [{ op: 'set', path: 'spec.rayClusterConfig.enableInTreeAutoscaling', value: true }], needsDecision: true },
    ],
    ['kuberay/interval-required', { edits: [{ op: 'set', path: `${OPTIONS}.intervalSeconds`, value: 60 }], needsDecision: true }],
    ['kuberay/surge-below-one-pod', { edits: [{ op: 'set', path: `${OPTIONS}.maxSurgePercent`, value: 34 }], needsDecision: true }],
    [
      'kuberay/min-replicas-above-surge',
      { edits: [{ op: 'set', path: 'spec.rayClusterConfig.workerGroupSpecs[0].minReplicas', value: 1 }], needsDecision: true },
    ],
  ]);
});

test.each(ADVISED)('$code: its example has no finding after the suggested fix', ({ objects, example, advice }) => {
  const [service, ...others] = objects;
  expect(findingsOf([applyEdits(service!, advice.edits), ...others], example)).toEqual([]);
});

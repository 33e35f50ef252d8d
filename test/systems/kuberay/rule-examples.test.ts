import { parseAllDocuments } from 'yaml';
import { applyEdits } from '../../../src/core/suggested-fix';
import { getSuggestedFix } from '../../../src/core/finding';
import type { Finding } from '../../../src/core/finding';
import { collectFindings } from '../../../src/core/plan-document';
import { planManifests } from '../../../src/headless';
import { KUBERAY_RULES } from '../../../src/systems/kuberay/rules';

/** The version that an example is for, where its first line names one: `# rolloutkit plan --versions kuberay=1.6 llm.yaml`. */
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

/** Of what KubeRay says under the codes of others, their own examples are run. */
const OWN = KUBERAY_RULES.filter(({ isExtension }) => !isExtension);

describe.each(OWN)('$code', ({ code, example, fixedExample }) => {
  test('its example makes it fire, and nothing else', () => {
    expect(codesOf(example)).toEqual([code]);
  });

  test('the same made right has no finding', () => {
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

test('what the examples are advised, where an edit helps', () => {
  expect(ADVISED.map(({ code, advice }) => [code, advice])).toEqual([
    [
      'kuberay/zero-surge',
      {
        edits: [
          { op: 'set', path: `${OPTIONS}.maxSurgePercent`, value: 20 },
          { op: 'set', path: `${OPTIONS}.stepSizePercent`, value: 20 },
        ],
        decision: true,
      },
    ],
    ['kuberay/zero-step', { edits: [{ op: 'set', path: `${OPTIONS}.stepSizePercent`, value: 20 }], decision: true }],
    ['kuberay/step-exceeds-surge', { edits: [{ op: 'set', path: `${OPTIONS}.stepSizePercent`, value: 20 }], decision: true }],
    [
      'kuberay/autoscaling-required',
      { edits: [{ op: 'set', path: 'spec.rayClusterConfig.enableInTreeAutoscaling', value: true }], decision: true },
    ],
    ['kuberay/interval-required', { edits: [{ op: 'set', path: `${OPTIONS}.intervalSeconds`, value: 60 }], decision: true }],
    ['kuberay/surge-below-one-pod', { edits: [{ op: 'set', path: `${OPTIONS}.maxSurgePercent`, value: 34 }], decision: true }],
    [
      'kuberay/min-replicas-above-surge',
      { edits: [{ op: 'set', path: 'spec.rayClusterConfig.workerGroupSpecs[0].minReplicas', value: 1 }], decision: true },
    ],
  ]);
});

test.each(ADVISED)('$code: its example has no finding any more once it is edited as advised', ({ objects, example, advice }) => {
  const [service, ...others] = objects;
  expect(findingsOf([applyEdits(service!, advice.edits), ...others], example)).toEqual([]);
});

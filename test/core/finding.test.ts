import { toFieldPath, ROOT_PATH } from '../../src/core/manifest/field-path';
import { listFindingFiles, formatFindingLine, defineMessage, defineRule, getDefaultSeverity } from '../../src/core/findings/finding';
import type { Finding } from '../../src/core/findings/finding';
import { collectFindings, summarizePlan } from '../../src/core/document/plan-document';
import type { PlannedRollout } from '../../src/core/document/rollout';

const tooBig = defineRule({
  code: 'toys/too-big',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires: 'A toy is too big.',
  why: 'It fits in no box.',
  fix: 'Make it smaller.',
  example: 'size: 3\n',
  fixedExample: 'size: 1\n',
  messages: {
    size: defineMessage<{ readonly size: number; readonly largest?: number }>({
      text: ({ size }) => `size is ${size}.`,
      help: ({ largest }) => (largest === undefined ? undefined : `Write ${largest} or less.`),
      sample: { size: 3 },
    }),
    weight: defineMessage<{ readonly grams: number }>({ text: ({ grams }) => `It weighs ${grams} g.`, sample: { grams: 9 } }),
  },
});

describe('a rule creates a finding', () => {
  test('with message and help from the data, and the usual severity', () => {
    expect(tooBig.createFinding('size', { path: toFieldPath`spec.size`, data: { size: 3, largest: 1 } })).toEqual({
      code: 'toys/too-big',
      severity: 'warning',
      messageId: 'size',
      data: { size: 3, largest: 1 },
      path: 'spec.size',
      message: 'size is 3.',
      help: 'Write 1 or less.',
    });
  });

  test('without help if the message has none', () => {
    expect(tooBig.createFinding('size', { path: toFieldPath`spec.size`, data: { size: 3 } })).not.toHaveProperty('help');
    expect(tooBig.createFinding('weight', { path: toFieldPath`spec`, data: { grams: 9 } })).not.toHaveProperty('help');
  });

  test('with the severity and the source of the occurrence, if given', () => {
    expect(
      tooBig.createFinding('weight', { path: ROOT_PATH, data: { grams: 9 }, severity: 'error', source: { file: 'a', line: 1 } }),
    ).toMatchObject({ severity: 'error', path: '', source: { file: 'a', line: 1 } });
  });

  test('and recognizes its own findings', () => {
    const finding = tooBig.createFinding('size', { path: toFieldPath`spec.size`, data: { size: 3 } });
    expect([tooBig.matches(finding), tooBig.matches(finding, 'size'), tooBig.matches(finding, 'weight')]).toEqual([true, true, false]);
    expect(tooBig.matches({ code: 'toys/too-small', messageId: 'size' })).toBe(false);
  });
});

test('the first of several severities is the usual one', () => {
  expect([getDefaultSeverity({ severity: 'error' }), getDefaultSeverity({ severity: ['info', 'warning', 'error'] })]).toEqual([
    'error',
    'info',
  ]);
});

test('a finding line has its code, path, message and help, if present', () => {
  expect(formatFindingLine(tooBig.createFinding('size', { path: toFieldPath`spec.size`, data: { size: 3, largest: 1 } }))).toBe(
    '[toys/too-big] spec.size: size is 3. Write 1 or less.',
  );
  expect(formatFindingLine(tooBig.createFinding('weight', { path: ROOT_PATH, data: { grams: 9 } }))).toBe('[toys/too-big] It weighs 9 g.');
});

function one(severity: Finding['severity']): Finding {
  return tooBig.createFinding('weight', { path: ROOT_PATH, data: { grams: 9 }, severity });
}

function rollout(findings: readonly Finding[]): PlannedRollout {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  return { system: 'kubernetes', resource, strategy: null, provenance: [], simulation: null, findings };
}

test('the summary counts the findings of the input and of every rollout, each once', () => {
  const rollouts = [rollout([one('error'), one('info')]), rollout([one('warning')])];
  expect(summarizePlan({ rollouts, notPlanned: [], findings: [one('error')] })).toEqual({
    rollouts: 2,
    notPlanned: 0,
    errors: 2,
    warnings: 1,
    infos: 1,
    suppressed: 0,
  });
  expect(collectFindings({ rollouts, findings: [one('error')] }).map(({ severity }) => severity)).toEqual([
    'error',
    'error',
    'info',
    'warning',
  ]);
});

test('the files of a finding are the file of its source and those in alsoIn', () => {
  const finding = tooBig.createFinding('size', { path: ROOT_PATH, data: { size: 3 } });
  const source = { file: 'a.yaml', line: 1 };
  expect(listFindingFiles(finding)).toEqual([]);
  expect(listFindingFiles({ ...finding, source })).toEqual(['a.yaml']);
  expect(listFindingFiles({ ...finding, source, data: { ...finding.data, alsoIn: ['b.yaml', 'c.yaml'] } })).toEqual([
    'a.yaml',
    'b.yaml',
    'c.yaml',
  ]);
});

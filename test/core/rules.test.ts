import { toFieldPath } from '../../src/core/manifest/field-path';
import { getSuggestedFix } from '../../src/core/findings/finding';
import { ignoreWithoutReason } from '../../src/core/rules/ignore-without-reason';
import { createKustomizationFinding } from '../../src/core/rules/kustomization';
import { createProgramMissingFinding } from '../../src/core/rules/not-rendered';
import { createSkippedFinding } from '../../src/core/rules/skipped';
import { createTooNewFieldFinding, unknownField, checkUnknownField } from '../../src/core/rules/unknown-field';
import { unreadable } from '../../src/core/rules/unreadable';
import { createWrongTypeFinding } from '../../src/core/rules/wrong-type';
import { factsOf } from '../facts';

const ROOT = toFieldPath``;

test('a finding about a file or folder is at its first line; one about a missing program has no source', () => {
  const facts = factsOf([
    createKustomizationFinding({ folder: 'overlays/prod' }, 'overlays/prod/kustomization.yaml', 'info'),
    createSkippedFinding('deploy/web.yaml', 'link', 'info'),
    createSkippedFinding('deploy/pipe', 'pipe', 'error'),
    createProgramMissingFinding({ programs: ['helm'], folders: 2 }),
  ]);
  expect(facts.map(({ code, messageId, path, source, data }) => ({ code, messageId, path, source, data }))).toEqual([
    {
      code: 'input/kustomization',
      messageId: 'notBuilt',
      path: ROOT,
      source: { file: 'overlays/prod/kustomization.yaml', line: 1 },
      data: { folder: 'overlays/prod' },
    },
    {
      code: 'input/skipped',
      messageId: 'link',
      path: ROOT,
      source: { file: 'deploy/web.yaml', line: 1 },
      data: { file: 'deploy/web.yaml' },
    },
    {
      code: 'input/skipped',
      messageId: 'special',
      path: ROOT,
      source: { file: 'deploy/pipe', line: 1 },
      data: { file: 'deploy/pipe', entry: 'pipe' },
    },
    { code: 'input/not-rendered', messageId: 'programMissing', path: ROOT, source: undefined, data: { programs: ['helm'], folders: 2 } },
  ]);
});

describe('unknown fields', () => {
  const path = toFieldPath`spec.strategy`;
  const knownFields = ['maxSurge', 'maxUnavailable'];

  test('are reported one by one, with a similar name; a value that is not a map has none', () => {
    expect(factsOf(checkUnknownField({ maxSurge: 1, max_surge: 2, other: 3 }, path, knownFields, 'the operator'))).toEqual([
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'unknown',
        path: 'spec.strategy.max_surge',
        data: { parentPath: path, field: 'max_surge', reader: 'the operator', nearest: 'maxSurge', knownFields },
      },
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'unknown',
        path: 'spec.strategy.other',
        data: { parentPath: path, field: 'other', reader: 'the operator', knownFields },
      },
    ]);
    expect([checkUnknownField({ maxSurge: 1 }, path, knownFields), checkUnknownField('maxSurge', path, knownFields)]).toEqual([[], []]);
  });

  test('are renamed to a similar name: automatically if the letters are the same, otherwise by decision', () => {
    const suggestedFixes = (field: string) =>
      checkUnknownField({ [field]: 1 }, path, knownFields).map((finding) => getSuggestedFix(unknownField, finding));
    expect(suggestedFixes('max-surge')).toEqual([
      { edits: [{ op: 'rename', path: 'spec.strategy.max-surge', to: 'maxSurge' }], needsDecision: false },
    ]);
    expect(suggestedFixes('maxSurg')).toEqual([
      { edits: [{ op: 'rename', path: 'spec.strategy.maxSurg', to: 'maxSurge' }], needsDecision: true },
    ]);
    expect(suggestedFixes('colour')).toEqual([undefined]);
  });

  test('of a later version are reported with both versions', () => {
    const problem = { kind: 'too-new', path: toFieldPath`spec.strategy.pause`, value: 1, since: '0.16' } as const;
    expect(createTooNewFieldFinding(problem, 'fleet', '0.15')).toMatchObject({
      messageId: 'tooNew',
      path: 'spec.strategy.pause',
      data: { field: 'pause', product: 'Fleet', option: 'fleet', version: '0.15', since: '0.16' },
    });
  });
});

test('a kind is named with its article', () => {
  const helpFor = (kind: string) =>
    ignoreWithoutReason.createFinding('noReasonOnPods', {
      path: toFieldPath`metadata.annotations`,
      data: { entry: 'kubernetes/outage', kind },
    }).help;
  expect([helpFor('RayService'), helpFor('InferenceService')]).toEqual([
    'Suppress it in rolloutkit.yaml or a baseline: an annotation on a RayService reaches its pods, and changing it rolls them.',
    'Suppress it in rolloutkit.yaml or a baseline: an annotation on an InferenceService reaches its pods, and changing it rolls them.',
  ]);
});

test('a plan that omits only findings reports that', () => {
  const [id] = Object.entries(unreadable.messages).find(([, { sample }]) => 'omittedOutput' in sample)!;
  const omittedOutput = { budget: 'output-megabytes', rollouts: 0, findings: 2 };
  const { message } = unreadable.createFinding(id as never, { path: ROOT, data: { limit: 200, omittedOutput } as never });
  expect(message).toBe('The plan omits 2 findings: it would be larger than 200 megabytes.');
});

test('a field of the wrong type is reported with the kind of its object if it is given', () => {
  const problem = { path: toFieldPath`spec.replicas`, value: 'three', expected: 'int32' } as const;
  expect(createWrongTypeFinding(problem, { kind: 'Deployment' }).message).toBe(
    'replicas of a Deployment is "three", but the API requires a whole number here and refuses the entire object.',
  );
  expect(createWrongTypeFinding(problem).message).toBe(
    'replicas is "three", but the API requires a whole number here and refuses the entire object.',
  );
});

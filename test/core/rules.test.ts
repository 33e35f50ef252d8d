import { toFieldPath } from '../../src/core/field-path';
import { getSuggestedFix } from '../../src/core/finding';
import { ignoreWithoutReason } from '../../src/core/rules/ignore-without-reason';
import { createKustomizationFinding } from '../../src/core/rules/kustomization';
import { createProgramMissingFinding } from '../../src/core/rules/not-rendered';
import { createSkippedFinding } from '../../src/core/rules/skipped';
import { createTooNewFieldFinding, unknownField, checkUnknownField } from '../../src/core/rules/unknown-field';
import { unreadable } from '../../src/core/rules/unreadable';
import { createWrongTypeFinding } from '../../src/core/rules/wrong-type';
import { factsOf } from '../facts';

const WHOLE = toFieldPath``;

test('what is said of a file or a folder stands at its first line, and of a program that is absent nowhere', () => {
  const facts = factsOf([
    createKustomizationFinding({ folder: 'overlays/prod' }, 'overlays/prod/kustomization.yaml'),
    createSkippedFinding('deploy/web.yaml', 'link'),
    createSkippedFinding('deploy/pipe', 'pipe'),
    createProgramMissingFinding({ programs: ['helm'], folders: 2 }),
  ]);
  expect(facts.map(({ code, messageId, path, source, data }) => ({ code, messageId, path, source, data }))).toEqual([
    {
      code: 'input/kustomization',
      messageId: 'notBuilt',
      path: WHOLE,
      source: { file: 'overlays/prod/kustomization.yaml', line: 1 },
      data: { folder: 'overlays/prod' },
    },
    {
      code: 'input/skipped',
      messageId: 'link',
      path: WHOLE,
      source: { file: 'deploy/web.yaml', line: 1 },
      data: { file: 'deploy/web.yaml' },
    },
    {
      code: 'input/skipped',
      messageId: 'special',
      path: WHOLE,
      source: { file: 'deploy/pipe', line: 1 },
      data: { file: 'deploy/pipe', entry: 'pipe' },
    },
    { code: 'input/not-rendered', messageId: 'programMissing', path: WHOLE, source: undefined, data: { programs: ['helm'], folders: 2 } },
  ]);
});

describe('fields that are not known', () => {
  const path = toFieldPath`spec.strategy`;
  const known = ['maxSurge', 'maxUnavailable'];

  test('are told one by one, with the name that is near; what is no map has none', () => {
    expect(factsOf(checkUnknownField({ maxSurge: 1, max_surge: 2, other: 3 }, path, known, 'the operator'))).toEqual([
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'unknown',
        path: 'spec.strategy.max_surge',
        data: { parentPath: path, field: 'max_surge', reader: 'the operator', nearest: 'maxSurge', knownFields: known },
      },
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'unknown',
        path: 'spec.strategy.other',
        data: { parentPath: path, field: 'other', reader: 'the operator', knownFields: known },
      },
    ]);
    expect([checkUnknownField({ maxSurge: 1 }, path, known), checkUnknownField('maxSurge', path, known)]).toEqual([[], []]);
  });

  test('are given the name that is near: at once where the letters are the same, else by choice', () => {
    const advised = (field: string) =>
      checkUnknownField({ [field]: 1 }, path, known).map((finding) => getSuggestedFix(unknownField, finding));
    expect(advised('max-surge')).toEqual([{ edits: [{ op: 'rename', path: 'spec.strategy.max-surge', to: 'maxSurge' }], decision: false }]);
    expect(advised('maxSurg')).toEqual([{ edits: [{ op: 'rename', path: 'spec.strategy.maxSurg', to: 'maxSurge' }], decision: true }]);
    expect(advised('colour')).toEqual([undefined]);
  });

  test('that a later version knows are told with both versions', () => {
    const problem = { kind: 'too-new', path: toFieldPath`spec.strategy.pause`, value: 1, since: '0.16' } as const;
    expect(createTooNewFieldFinding(problem, 'fleet', '0.15')).toMatchObject({
      messageId: 'tooNew',
      path: 'spec.strategy.pause',
      data: { field: 'pause', product: 'Fleet', option: 'fleet', version: '0.15', since: '0.16' },
    });
  });
});

test('a kind is told with the article that it takes', () => {
  const helpFor = (kind: string) =>
    ignoreWithoutReason.createFinding('noReasonOnPods', {
      path: toFieldPath`metadata.annotations`,
      data: { entry: 'kubernetes/outage', kind },
    }).help;
  expect([helpFor('RayService'), helpFor('InferenceService')]).toEqual([
    'Suppress it in rolloutkit.yaml or a baseline: an annotation of a RayService reaches its pods, and changing it rolls them.',
    'Suppress it in rolloutkit.yaml or a baseline: an annotation of an InferenceService reaches its pods, and changing it rolls them.',
  ]);
});

test('a plan without some findings alone says so', () => {
  const [id] = Object.entries(unreadable.messages).find(([, { sample }]) => 'without' in sample)!;
  const without = { budget: 'output-megabytes', rollouts: 0, findings: 2 };
  const { message } = unreadable.createFinding(id as never, { path: WHOLE, data: { limit: 200, without } as never });
  expect(message).toBe('The plan is without 2 findings: it would be larger than 200 megabytes.');
});

test('a field of another type is told with the kind of its object where the finding stands apart from it', () => {
  const problem = { path: toFieldPath`spec.replicas`, value: 'three', expected: 'int32' } as const;
  expect(createWrongTypeFinding(problem, { kind: 'Deployment' }).message).toBe(
    'replicas of a Deployment is "three", but the API wants a whole number here and refuses the whole object.',
  );
  expect(createWrongTypeFinding(problem).message).toBe(
    'replicas is "three", but the API wants a whole number here and refuses the whole object.',
  );
});

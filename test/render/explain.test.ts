import { renderExplanation } from '../../src/render/explain';
import { rolloutOf } from './plans';

test('a level above the winner that had a value did not apply, and the reason says why', () => {
  const rollout = rolloutOf(null, {
    provenance: [
      {
        field: 'maxSurge',
        value: '25%',
        layer: 'kserve-default',
        reason: 'the default deployment mode is Knative, not Standard.',
        overridden: [{ layer: 'platform-config', value: '10%' }],
      },
    ],
  });
  expect(renderExplanation({ rollouts: [rollout], findings: [] })).toMatchInlineSnapshot(`
"Deployment shop/web (kubernetes)

maxSurge
   LEVEL            VALUE  RESULT
   platform-config  10%    does not apply: the default deployment mode is Knative, not Standard.
>  kserve-default   25%    decides: the default deployment mode is Knative, not Standard.
"
`);
});

test('the levels of a system without a fixed order stand as they are given, the winner first', () => {
  const rollout = rolloutOf(null, {
    provenance: [
      {
        field: 'maxUnavailable',
        value: 1,
        layer: 'partition eu',
        reason: 'the partition has its own.',
        overridden: [{ layer: 'rollout-strategy', value: '10%' }],
      },
    ],
  });
  expect(renderExplanation({ rollouts: [rollout], findings: [] })).toMatchInlineSnapshot(`
"Deployment shop/web (kubernetes)

maxUnavailable
   LEVEL             VALUE  RESULT
>  partition eu      1      decides: the partition has its own.
   rollout-strategy  10%    loses to partition eu, a higher level
"
`);
});

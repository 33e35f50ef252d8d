import * as fc from 'fast-check';
import { findUntoleratedTaint, hasLabels } from '../../../src/cluster/capacity/nodes/node-affinity';
import type { NodeRules } from '../../../src/cluster/capacity/nodes/node-affinity';
import { scaleRuns } from '../../setup/scale-runs';

const RULES: NodeRules = { selector: [], tolerations: [], key: '' };
const key = fc.constantFrom('a', 'b', 'kubernetes.io/os', 'metadata.name');
const value = fc.constantFrom('1', '2', '');
const requirement = fc.record({
  key,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Other'),
  values: fc.uniqueArray(value).map((values) => new Set(values)),
});
const term = fc.array(requirement, { minLength: 1, maxLength: 3 });
const effect = fc.constantFrom('NoSchedule', 'NoExecute');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const toleration = fc.record({
  key: optional(key),
  operator: optional(fc.constantFrom('Exists', 'Equal', 'Other')),
  value: optional(value),
  effect: optional(effect),
});
const node = fc.record({
  labels: optional(fc.dictionary(key, value)),
  nodeName: optional(fc.constant('1')),
  taints: fc.array(fc.record({ key, value: optional(value), effect }), { maxLength: 3 }),
});

/** Traits without the fields that are undefined. */
const traitsOf = (drawn: object) => JSON.parse(JSON.stringify(drawn)) as Parameters<typeof hasLabels>[1];

test('many terms match the nodes that one of them matches', () => {
  fc.assert(
    fc.property(fc.array(term, { minLength: 16, maxLength: 20 }), node, (terms, drawn) => {
      const traits = traitsOf(drawn);
      expect(hasLabels({ ...RULES, terms }, traits)).toBe(terms.some((one) => hasLabels({ ...RULES, terms: [one] }, traits)));
    }),
    { numRuns: scaleRuns(400) },
  );
});

test('many tolerations tolerate the taints that one of them tolerates', () => {
  fc.assert(
    fc.property(fc.array(toleration, { minLength: 16, maxLength: 20 }), node, (tolerations, drawn) => {
      const traits = traitsOf(drawn);
      const isTolerated = (taint: object) =>
        tolerations.some(
          (one) => findUntoleratedTaint({ ...RULES, tolerations: [one] }, { ...traits, taints: [taint] as never }) === undefined,
        );
      const expected = traits.taints?.find((taint) => !isTolerated(taint));
      expect(findUntoleratedTaint({ ...RULES, tolerations }, traits)).toEqual(expected);
    }),
    { numRuns: scaleRuns(400) },
  );
});

/** Tests that an index by label finds every pod that a selector selects. */
import * as fc from 'fast-check';
import { ShapeIndex } from '../../../src/cluster/capacity/surroundings/label-index';
import { matchesLabelSelector } from '../../../src/core/values/label-selector';
import { scaleRuns } from '../../setup/scale-runs';

const key = fc.constantFrom('app', 'tier');
const value = fc.constantFrom('a', 'b', 'c');
const labels = fc.dictionary(key, value, { maxKeys: 2 });
const expression = fc.record({ key, operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'), values: fc.array(value) });
const selector = fc.oneof(
  fc.record({ matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) }, { requiredKeys: [] }),
  fc.constant(undefined),
);
const namespace = fc.constantFrom('shop', 'ops');

interface Pod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: object;
}

test('an index of pods finds those that a selector selects', () => {
  const pods = fc.array(fc.record({ namespace, labels, spec: fc.constant({}) }));
  fc.assert(
    fc.property(pods, selector, namespace, fc.boolean(), (all, selecting, own, isInOwnNamespace) => {
      const isSelected = (pod: Pod) => matchesLabelSelector(selecting, pod.labels) && (!isInOwnNamespace || pod.namespace === own);
      const found = new ShapeIndex<Pod>(all, (pod) => pod as never).findSelectable({ selector: selecting, isInOwnNamespace }, own);
      expect(found.filter(isSelected)).toEqual(all.filter(isSelected));
    }),
    { numRuns: scaleRuns(1_000) },
  );
});

test('a selector looks only at the pods with the rarest of its labels', () => {
  const pods = ['a', 'b', 'c'].map((app) => ({ namespace: 'shop', labels: { tier: 'web', app }, spec: {} }));
  const index = new ShapeIndex(pods, (pod) => pod);
  const found = index.findSelectable({ selector: { matchLabels: { tier: 'web', app: 'b' } }, isInOwnNamespace: true }, 'shop');
  expect(found.map((pod) => pod.labels.app)).toEqual(['b']);
});

import * as fc from 'fast-check';
import { isTooLarge, MAX_REQUEST_BYTES } from '../../src/plan/served-objects';
import { planManifests } from '../../src/plan/plan';
import { factsOf } from '../facts';
import { deployment } from '../workloads/plan';
import { scaleRuns } from '../setup/scale-runs';

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));

test('an object above the size limit of API requests is one error, and the others are planned', () => {
  const large = deployment({ template: { metadata: { annotations: { notes: 'x'.repeat(MAX_REQUEST_BYTES) } } } }, { name: 'large' });
  const { rollouts, findings } = planManifests([large, deployment({}, { name: 'web' })]);
  expect(rollouts.map(({ resource }) => resource.name)).toEqual(['web']);
  expect(factsOf(findings)).toEqual([
    {
      code: 'input/unreadable',
      severity: 'error',
      messageId: 'too-large',
      data: { resource: 'Deployment large', bytes: 3_145_728 },
      object: { kind: 'Deployment', name: 'large' },
      path: '',
    },
  ]);
});

test('an object that is not planned is not checked', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x'.repeat(MAX_REQUEST_BYTES) } };
  expect(planManifests([configMap]).findings).toEqual([]);
});

test('the limit is that of a request that contains only the object, to the byte', () => {
  const of = (length: number) => ({ a: 'x'.repeat(length) });
  const most = MAX_REQUEST_BYTES - bytesOf(of(0));
  expect([isTooLarge(of(most)), isTooLarge(of(most + 1))]).toEqual([false, true]);
});

test('no object that fits into a request is reported, whatever it contains', () => {
  const filled = fc.tuple(fc.object({ withNullPrototype: false }), fc.integer({ min: -40, max: 40 })).map(([object, more]) => {
    const value = { object, filler: '' };
    return { ...value, filler: 'x'.repeat(MAX_REQUEST_BYTES - bytesOf(value) + more) };
  });
  const isTrue = fc.property(filled, (value) => !isTooLarge(value) || bytesOf(value) > MAX_REQUEST_BYTES);
  expect(fc.check(isTrue, { numRuns: scaleRuns(60) })).toMatchObject({ failed: false });
});

test('counting stops at the limit', () => {
  const items = Array.from({ length: 500_000 }, () => ({ a: [1, 2] }));
  const unread = {
    get a(): unknown {
      throw new Error('an item beyond the limit was read');
    },
  };
  expect(isTooLarge({ items: [...items, unread] })).toBe(true);
});

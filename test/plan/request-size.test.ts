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

test.each(['é', '漢', '😀', '\n', '"', '\\', '\0'])('a character that has several bytes in JSON counts as such: %j', (character) => {
  const of = (length: number, filler = 0) => ({ a: character.repeat(length), b: 'x'.repeat(filler) });
  const bytes = bytesOf(of(1)) - bytesOf(of(0));
  const most = Math.floor((MAX_REQUEST_BYTES - bytesOf(of(0))) / bytes);
  const filler = MAX_REQUEST_BYTES - bytesOf(of(most));
  expect([isTooLarge(of(most, filler)), isTooLarge(of(most, filler + 1)), isTooLarge(of(most + 1))]).toEqual([false, true, true]);
});

test('each digit of a number counts', () => {
  const of = (length: number) => ({ a: Array.from({ length }, () => -2.2250738585072014e-308) });
  const most = Math.floor((MAX_REQUEST_BYTES - 7) / (bytesOf(of(2)) - bytesOf(of(1))));
  expect([isTooLarge(of(most)), isTooLarge(of(most + 1))]).toEqual([false, true]);
});

test('a field that is undefined does not count, because JSON leaves it out', () => {
  const of = (length: number) => ({ a: 'x'.repeat(length), b: undefined });
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

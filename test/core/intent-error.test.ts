import { IntentError, UnexpectedIntentError, withConstructPath } from '../../src/core/errors/intent-error';
import { testSafely } from '../../src/core/collections/safe-predicate';

class ToyError extends IntentError {}

function thrownBy(resolve: () => unknown): unknown {
  try {
    return withConstructPath(() => 'App/Toys', resolve);
  } catch (error) {
    return error;
  }
}

describe('an intent that cannot be carried out', () => {
  test('has a message with its place, if known, and its reason', () => {
    expect(new IntentError('size is 0: write 1')).toMatchObject({ message: 'size is 0: write 1', reason: 'size is 0: write 1' });
    expect(new IntentError('size is 0', 'App/Toys')).toMatchObject({
      message: 'App/Toys size is 0',
      reason: 'size is 0',
      place: 'App/Toys',
    });
  });

  test('throws the same class of error with its place', () => {
    const error = thrownBy(() => {
      throw new ToyError('size is 0');
    });
    expect(error).toBeInstanceOf(ToyError);
    expect(error).toMatchObject({ message: 'App/Toys size is 0', place: 'App/Toys' });
  });

  test('gets its place for any other error, which becomes the cause', () => {
    const cause = new TypeError('x is undefined');
    const error = thrownBy(() => {
      throw cause;
    });
    expect(error).toBeInstanceOf(UnexpectedIntentError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^App\/Toys .*x is undefined/), cause });
  });

  test('returns the result on success, without computing its place', () => {
    const place = () => {
      throw new Error('computed');
    };
    expect(withConstructPath(place, () => 3)).toBe(3);
  });
});

test('a predicate that throws is false', () => {
  expect([testSafely(() => true), testSafely(() => false)]).toEqual([true, false]);
  const proxy = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('computed');
      },
    },
  );
  expect(testSafely(() => proxy instanceof Error)).toBe(false);
});

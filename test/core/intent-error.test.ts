import { IntentError, UnexpectedIntentError, withConstructPath } from '../../src/core/intent-error';
import { testSafely } from '../../src/core/safe-predicate';

class ToyError extends IntentError {}

function thrownBy(settle: () => unknown): unknown {
  try {
    return withConstructPath(() => 'App/Toys', settle);
  } catch (error) {
    return error;
  }
}

describe('an intent that cannot be carried out', () => {
  test('is told by its reason, and behind its place where that is known', () => {
    expect(new IntentError('size is 0: write 1')).toMatchObject({ message: 'size is 0: write 1', reason: 'size is 0: write 1' });
    expect(new IntentError('size is 0', 'App/Toys')).toMatchObject({
      message: 'App/Toys size is 0',
      reason: 'size is 0',
      place: 'App/Toys',
    });
  });

  test('is refused with its place, as the error that it is', () => {
    const error = thrownBy(() => {
      throw new ToyError('size is 0');
    });
    expect(error).toBeInstanceOf(ToyError);
    expect(error).toMatchObject({ message: 'App/Toys size is 0', place: 'App/Toys' });
  });

  test('has its place beside whatever else is thrown, which stays its cause', () => {
    const cause = new TypeError('x is undefined');
    const error = thrownBy(() => {
      throw cause;
    });
    expect(error).toBeInstanceOf(UnexpectedIntentError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^App\/Toys .*x is undefined/), cause });
  });

  test('that can be gives what it settles, and nobody is asked for its place', () => {
    const place = () => {
      throw new Error('asked');
    };
    expect(withConstructPath(place, () => 3)).toBe(3);
  });
});

test('what throws when it is asked is nothing that one can be sure of', () => {
  const asked = (answer: () => boolean) => testSafely(answer);
  expect([asked(() => true), asked(() => false)]).toEqual([true, false]);
  const proxy = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('asked');
      },
    },
  );
  expect(asked(() => proxy instanceof Error)).toBe(false);
});

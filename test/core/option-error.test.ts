import { OptionError, withOptionErrors } from '../../src/core/option-error';
import { formatLengthMessage, formatPatternMessage } from '../../src/core/name-format-messages';

describe('what a function makes of what it is given', () => {
  const thrownFor = (error: unknown) => {
    try {
      withOptionErrors('diffPlans', 'plans', () => {
        throw error;
      });
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  };

  test('is given back', () => {
    expect(withOptionErrors('diffPlans', 'plans', () => 3)).toBe(3);
  });

  test('or an error in words of ours, as it is', () => {
    const own = new OptionError('diffPlans takes two plans, and not one');
    expect(thrownFor(own)).toBe(own);
  });

  test('or one that names the function, whatever else is thrown', () => {
    for (const error of [new TypeError('diffPlans is not iterable'), new Error('out of memory')]) {
      expect(thrownFor(error)).toBeInstanceOf(OptionError);
      expect(thrownFor(error)).toMatchObject({
        message: `diffPlans takes plans as rolloutkit and YAML give them: ${JSON.stringify(error.message)} is thrown`,
        cause: error,
      });
    }
  });
});

test('what the API server wants of a text is said in its words', () => {
  expect(formatLengthMessage(63)).toBe('must be no more than 63 characters');
  expect(formatPatternMessage('must be short', '[a-z]', 'a', 'b')).toBe(
    "must be short (e.g. 'a',  or 'b', regex used for validation is '[a-z]')",
  );
});

import { OptionError, withOptionErrors } from '../../src/core/errors/option-error';
import { formatLengthMessage, formatPatternMessage } from '../../src/core/errors/name-format-messages';

describe('a function with option errors', () => {
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

  test('returns its result', () => {
    expect(withOptionErrors('diffPlans', 'plans', () => 3)).toBe(3);
  });

  test('throws its own errors unchanged', () => {
    const own = new OptionError('diffPlans takes two plans, and not one');
    expect(thrownFor(own)).toBe(own);
  });

  test('throws an error that names the function for any other error', () => {
    for (const error of [new TypeError('diffPlans is not iterable'), new Error('out of memory')]) {
      expect(thrownFor(error)).toBeInstanceOf(OptionError);
      expect(thrownFor(error)).toMatchObject({
        message: `diffPlans requires plans as rolloutkit or a YAML parser returns them, but reading them throws ${JSON.stringify(error.message)}`,
        cause: error,
      });
    }
  });
});

test('requirements for a text are worded like in the API server', () => {
  expect(formatLengthMessage(63)).toBe('must be no more than 63 characters');
  expect(formatPatternMessage('must be short', '[a-z]', 'a', 'b')).toBe(
    "must be short (e.g. 'a',  or 'b', regex used for validation is '[a-z]')",
  );
});

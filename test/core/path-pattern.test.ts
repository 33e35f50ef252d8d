import * as fc from 'fast-check';
import { matchesPattern } from '../../src/core/sources/path-pattern';

test.each([
  ['apps', 'apps/web.yaml', true],
  ['apps/', 'apps/web.yaml', true],
  ['./apps', 'apps/web.yaml', true],
  ['apps/web.yaml', 'apps/web.yaml', true],
  ['apps/*.yaml', 'apps/web.yaml', true],
  ['apps/*.yaml', 'apps/shop/web.yaml', false],
  ['apps/**', 'apps/shop/web.yaml', true],
  ['**/testdata', 'a/b/testdata/x.yaml', true],
  ['**/testdata', 'testdata/x.yaml', true],
  ['**/*.yml', 'a/b.yaml', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z/q.yaml', true],
  ['we?.yaml', 'web.yaml', true],
  ['we?.yaml', 'we.yaml', false],
  ['*a*b*c', 'xxaxxbxxc', true],
  ['*a*b*c', 'xxaxxcxxb', false],
  ['app', 'apps/web.yaml', false],
  ['', 'web.yaml', false],
  ['[ab].yaml', 'a.yaml', false],
])('%s and %s match: %s', (pattern, path, matches) => {
  expect(matchesPattern(pattern, path)).toBe(matches);
});

test('a pattern without wildcards matches its own path and everything below it', () => {
  const name = fc.stringMatching(/^[a-c]{1,2}$/);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { minLength: 1, maxLength: 4 }), (pattern, path) => {
      const isAbove = pattern.length <= path.length && pattern.every((part, index) => part === path[index]);
      expect(matchesPattern(pattern.join('/'), path.join('/'))).toBe(isAbove);
    }),
  );
});

test('names with wildcards match like the equivalent regular expression', () => {
  const pattern = fc.stringMatching(/^[ab*?]{1,8}$/);
  const name = fc.stringMatching(/^[ab]{1,10}$/);
  fc.assert(
    fc.property(pattern, name, (stars, text) => {
      fc.pre(!stars.includes('**'));
      const expected = new RegExp(`^${stars.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
      expect(matchesPattern(stars, text)).toBe(expected);
    }),
  );
});

test('hostile patterns match quickly', () => {
  const started = process.hrtime.bigint();
  expect(matchesPattern(`${'*a'.repeat(500)}b`, 'a'.repeat(5000))).toBe(false);
  expect(matchesPattern(`${'**/'.repeat(500)}x`, 'a/'.repeat(2000))).toBe(false);
  expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(5);
});

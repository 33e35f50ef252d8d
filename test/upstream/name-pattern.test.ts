import { compileNamePattern } from '../../src/systems/fleet/name-pattern';
import { recorded } from './recording';

interface Case {
  readonly pattern: string;
  readonly name: string;
  readonly outcome: 'match' | 'no match' | 'bad pattern';
}

const cases = recorded('go-filepath-match') as readonly Case[];

test('a pattern matches the same names as filepath.Match', () => {
  expect(cases.filter(({ outcome }) => outcome === 'match').length).toBeGreaterThan(100);
  expect(cases.filter(({ outcome }) => outcome === 'bad pattern').length).toBeGreaterThan(100);
  expect(cases.filter(({ pattern, name, outcome }) => compileNamePattern(pattern)(name) !== (outcome === 'match'))).toEqual([]);
});

test('many stars take a number of steps proportional to the pattern length times the name length', () => {
  expect(compileNamePattern('*a'.repeat(1_000))('a'.repeat(999))).toBe(false);
  expect(compileNamePattern(`${'*a'.repeat(1_000)}b`)('a'.repeat(2_000))).toBe(false);
  expect(compileNamePattern('*a'.repeat(1_000))('a'.repeat(2_000))).toBe(true);
});

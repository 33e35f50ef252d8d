import { HelmIgnore } from '../../src/input/helm/helm-ignore';

test.each([
  ['b', false],
  ['b'.repeat(1_000_000), true],
])('a class of a pattern that takes long to compare with all characters of a name leaves out further files', (letters, isIgnored) => {
  const ignore = new HelmIgnore(`*[${letters}]x\n`);
  expect(ignore.ignores(`templates/${'a'.repeat(250)}`)).toBe(isIgnored);
  expect(ignore.ignores('templates/web.yaml')).toBe(isIgnored);
});

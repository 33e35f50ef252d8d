import { containsSecretText, isSecretKey, isSecretName } from '../../src/core/manifest/secret-name';

test.each([
  ['DB_PASSWORD', true],
  ['apiKey', true],
  ['GITHUB_TOKEN', true],
  ['LOG_LEVEL', false],
  ['', false],
  [['DB_PASSWORD'], false],
  [undefined, false],
  [3, false],
])('the value of the variable %j is secret: %p', (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret);
});

test('the value of a key with a secret suffix is secret, and so is a file that assigns one', () => {
  expect(['db.password', 'passwordPolicy', 'secretName', 'accessKey'].map(isSecretKey)).toEqual([true, false, false, true]);
  expect(['password: x', 'password:', 'kind: Secret', 'kind: Secrets', 'H4sIAAAA', 'level: info'].map(containsSecretText)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});

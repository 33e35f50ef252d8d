import { parseManagedFields } from '../../../src/change/apiserver/field-set';

test('managed fields that the API server cannot have written, as in a file, are those of nobody', () => {
  const written = { 'f:ports': { 'k:{"port":80}': { '.': {} }, 'v:"a"': {} } };
  const hostile = { 'f:ports': { ...written['f:ports'], 'k:{"name":': {}, 'k:': {}, 'k:null': {}, 'v:[': {} } };
  expect(parseManagedFields(hostile)).toEqual(parseManagedFields(written));
});

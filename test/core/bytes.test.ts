import * as fc from 'fast-check';
import { encodeBase64, decodeBase64, countUtf8Bytes } from '../../src/core/values/bytes';

test('length, base64 and decoded base64 of a text are the same as in Node.js', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = Buffer.from(text, 'utf8');
      expect(countUtf8Bytes(text)).toBe(bytes.length);
      expect(encodeBase64(text)).toBe(bytes.toString('base64'));
      expect(decodeBase64(bytes.toString('base64'))).toBe(bytes.toString('utf8'));
    }),
  );
});

test.each([
  ['a cut character', 'f09f98', '\ufffd\ufffd\ufffd'],
  ['a cut character before a complete one', 'e282c3a9', '\ufffd\ufffdé'],
  ['a character in too many bytes', 'c0af', '\ufffd\ufffd'],
  ['half a surrogate pair', 'eda0bd', '\ufffd\ufffd\ufffd'],
  ['a character beyond Unicode', 'f4908080', '\ufffd\ufffd\ufffd\ufffd'],
  ['single bytes', '41ff42', 'A\ufffdB'],
])('each byte that is not part of a character becomes U+FFFD, as in kubectl: %s', (_, bytes, text) => {
  expect(decodeBase64(Buffer.from(bytes, 'hex').toString('base64'))).toBe(text);
});

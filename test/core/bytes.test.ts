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

test('bytes that are not UTF-8 become U+FFFD', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bytes = Buffer.from(array);
      expect(decodeBase64(bytes.toString('base64'))).toBe(bytes.toString('utf8'));
    }),
  );
});

import * as fc from 'fast-check';
import { encodeBase64, decodeBase64, countUtf8Bytes } from '../../src/core/bytes';

test('a text has the length, the base64 and the text of base64 that Node gives it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = Buffer.from(text, 'utf8');
      expect(countUtf8Bytes(text)).toBe(bytes.length);
      expect(encodeBase64(text)).toBe(bytes.toString('base64'));
      expect(decodeBase64(bytes.toString('base64'))).toBe(bytes.toString('utf8'));
    }),
  );
});

test('bytes that are no UTF-8 become U+FFFD', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (given) => {
      const bytes = Buffer.from(given);
      expect(decodeBase64(bytes.toString('base64'))).toBe(bytes.toString('utf8'));
    }),
  );
});

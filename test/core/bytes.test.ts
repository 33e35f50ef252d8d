import * as fc from 'fast-check';
import { base64Of, textOfBase64, utf8Length } from '../../src/core/bytes';

test('a text has the length, the base64 and the text of base64 that Node gives it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = Buffer.from(text, 'utf8');
      expect(utf8Length(text)).toBe(bytes.length);
      expect(base64Of(text)).toBe(bytes.toString('base64'));
      expect(textOfBase64(bytes.toString('base64'))).toBe(bytes.toString('utf8'));
    }),
  );
});

test('bytes that are no UTF-8 become U+FFFD', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (given) => {
      const bytes = Buffer.from(given);
      expect(textOfBase64(bytes.toString('base64'))).toBe(bytes.toString('utf8'));
    }),
  );
});

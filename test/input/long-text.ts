/** A document of more characters than are held of a large input, and than a text has from which objects are set aside. */
export const LONG_DOCUMENT = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n  text: ${'x'.repeat(8_000_001)}\n`;

import * as pulumi from '@pulumi/pulumi';
import { extractOutputs, formatOutputPlaceholders } from '../../src/pulumi/opaque-outputs';

interface Props {
  readonly labels: Readonly<Record<string, string>>;
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

const secret = pulumi.output('secret');

/** Returns props with a secret in one field, and user text in another. */
function opaque(text: string) {
  return extractOutputs<Props>({ labels: { app: text }, env: [{ name: 'TOKEN', value: secret as unknown as string }] });
}

describe('the value of a secret is only in its own field', () => {
  test.each(['rolloutkit-known-later-0-by-pulumi', 'rolloutkit-known-later-0', 'rolloutkit-known-later-0000000000000000-0z'])(
    'text such as %s is not a placeholder',
    (text) => {
      const { props, restore } = opaque(text);
      const made = restore(props);
      expect(made.labels.app).toBe(text);
      expect(made.env[0]!.value).toBe(secret);
      expect(formatOutputPlaceholders(props)).toEqual({ labels: { app: text }, env: [{ name: 'TOKEN', value: 'output<string>' }] });
    },
  );

  test('a placeholder is a name that the API server accepts', () => {
    expect(opaque('web').props.env[0]!.value).toMatch(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/);
  });

  test('text around a placeholder is shown unchanged', () => {
    const { props } = opaque('web');
    const later = props.env[0]!.value;
    expect(formatOutputPlaceholders(`a ${later} b ${later}`)).toBe('a output<string> b output<string>');
  });
});

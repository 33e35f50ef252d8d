import type { FieldPath } from '../../../core/field-path';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { findTokenPaths } from '../serve-config';

interface TokenData {
  readonly field: string;
}

/** Values of a Serve config that are not known when its text is written. */
export const kuberayWrongType = extendRule(wrongType, {
  token: defineMessage<TokenData>({
    text: ({ field }) => `${field} is a token that is resolved at synth, but a Serve config is one text, which is written before that.`,
    help: () => 'Write the plain value.',
    sample: { field: 'serveConfig.applications[0].name' },
  }),
});

/** The places of a Serve config that hold a token. */
export function checkKuberayWrongType(config: unknown, path: FieldPath): Finding[] {
  return findTokenPaths(config, path).map((tokenPath) =>
    kuberayWrongType.createFinding('token', { path: tokenPath, data: { field: tokenPath } }),
  );
}

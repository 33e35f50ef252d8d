import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { findTokenPaths } from '../serve-config';

interface TokenData {
  readonly field: string;
}

/** Rule about Serve config values that are not known when its text is written. */
export const kuberayWrongType = extendRule(wrongType, {
  token: defineMessage<TokenData>({
    text: ({ field }) => `${field} is a token that is resolved at synth, but a Serve config is plain text that is written before synth.`,
    help: () => 'Use the plain value instead of a token.',
    sample: { field: 'serveConfig.applications[0].name' },
  }),
});

/** Reports the fields of a Serve config that contain a token. */
export function checkKuberayWrongType(config: unknown, path: FieldPath): Finding[] {
  return findTokenPaths(config, path).map((tokenPath) =>
    kuberayWrongType.createFinding('token', { path: tokenPath, data: { field: tokenPath } }),
  );
}

import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { tokensIn } from '../serve-config';

interface TokenData {
  readonly field: string;
}

/** Values of a Serve config that are not known when its text is written. */
export const tokenInText = partOf(wrongType, {
  token: message<TokenData>({
    text: ({ field }) => `${field} is a token that is resolved at synth, but a Serve config is one text, which is written before that.`,
    help: () => 'Write the plain value.',
    sample: { field: 'serveConfig.applications[0].name' },
  }),
});

/** The places of a Serve config that hold a token. */
export function tokenFindings(config: unknown, path: FieldPath): Finding[] {
  return tokensIn(config, path).map((place) => tokenInText.finding('token', { path: place, data: { field: place } }));
}

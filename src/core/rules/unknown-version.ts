import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { PRODUCTS, getProduct, compareToKnownRange } from '../versions';
import type { Versions } from '../versions';

interface RangeData {
  readonly product: string;
  readonly version: string;
  /** The oldest version whose behaviour is known. */
  readonly oldest: string;
  /** The newest one. */
  readonly newest: string;
  /** What a later one is planned with beside what the newest does. @default - nothing */
  readonly unreleasedFeature?: string;
}

/** A version whose behaviour is not known. */
export const unknownVersion = defineRule({
  code: 'input/unknown-version',
  since: '0.1.0',
  severity: 'info',
  fires: 'The plan is made for a version that is later than the newest whose behaviour is known, or earlier than the oldest.',
  why: 'The plan assumes that it behaves as the nearest known version, which may not be so.',
  fix: 'Compare the release notes of that version, or name a known one: `--versions kubernetes=1.34`.',
  example: `# rolloutkit plan --versions kubernetes=1.99 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  fixedExample: `# rolloutkit plan --versions kubernetes=1.34 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  messages: {
    later: defineMessage<RangeData>({
      text: ({ product, version, oldest, newest, unreleasedFeature }) =>
        `${product} ${version} is later than the versions whose behaviour is known, ${oldest} to ${newest}: the plan is that of ${newest}` +
        `${unreleasedFeature === undefined ? '' : `, with ${unreleasedFeature} as the next one is to have it`}.`,
      help: ({ product, newest }) => `Compare the release notes since ${newest}, or name a known version: --versions ${product}=${newest}.`,
      sample: { product: 'kubernetes', version: '1.99', oldest: '1.21', newest: '1.37' },
      variants: [
        { product: 'kserve', version: '0.21', oldest: '0.15', newest: '0.20', unreleasedFeature: 'the strategy of an LLMInferenceService' },
      ],
    }),
    earlier: defineMessage<RangeData>({
      text: ({ product, version, oldest, newest }) =>
        `${product} ${version} is earlier than the versions whose behaviour is known, ${oldest} to ${newest}: the plan is that of ${oldest}.`,
      help: ({ product, oldest }) => `Compare the release notes up to ${oldest}, or name a known version: --versions ${product}=${oldest}.`,
      sample: { product: 'kubernetes', version: '1.16', oldest: '1.21', newest: '1.37' },
    }),
  },
});

/** Says of each product whether its version is one whose behaviour is known. */
export function checkUnknownVersion(versions: Versions): Finding[] {
  return PRODUCTS.flatMap((product) => {
    const version = versions[product];
    const rangeSide = compareToKnownRange(product, version);
    if (rangeSide === undefined) return [];
    const { oldest, newest, unreleasedFeature } = getProduct(product);
    const data = { product, version, oldest, newest };
    if (rangeSide === 'earlier') return unknownVersion.createFinding('earlier', { path: ROOT_PATH, data });
    return unknownVersion.createFinding('later', {
      path: ROOT_PATH,
      data: { ...data, ...(unreleasedFeature !== undefined && { unreleasedFeature }) },
    });
  });
}

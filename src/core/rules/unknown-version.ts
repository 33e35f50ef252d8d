import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { PRODUCTS, getProduct, compareToKnownRange } from '../values/versions';
import type { Versions } from '../values/versions';

interface RangeData {
  readonly product: string;
  readonly version: string;
  /** Oldest version whose behaviour is known. */
  readonly oldest: string;
  /** Newest version whose behaviour is known. */
  readonly newest: string;
  /** Feature that a later version is planned with in addition to those of the newest. @default - nothing */
  readonly unreleasedFeature?: string;
}

/** A version whose behaviour is not known. */
export const unknownVersion = defineRule({
  code: 'input/unknown-version',
  since: '0.1.0',
  severity: 'info',
  fires: 'The plan is made for a version later than the newest, or earlier than the oldest, whose behaviour is known.',
  why: 'The plan assumes that it behaves like the nearest known version, which may be wrong.',
  fix: 'Compare the release notes of that version, or name a known one: `--versions kubernetes=1.36`.',
  example: `# rolloutkit plan --versions kubernetes=1.99 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  fixedExample: `# rolloutkit plan --versions kubernetes=1.36 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  messages: {
    later: defineMessage<RangeData>({
      text: ({ product, version, oldest, newest, unreleasedFeature }) =>
        `${product} ${version} is later than the versions whose behaviour is known, ${oldest} to ${newest}: it is planned like ${newest}` +
        `${unreleasedFeature === undefined ? '' : `, with ${unreleasedFeature} as prepared for the next release`}.`,
      help: ({ product, newest }) => `Compare the release notes since ${newest}, or name a known version: --versions ${product}=${newest}.`,
      sample: { product: 'kubernetes', version: '1.99', oldest: '1.21', newest: '1.37' },
      variants: [
        { product: 'kserve', version: '0.21', oldest: '0.15', newest: '0.20', unreleasedFeature: 'the strategy of an LLMInferenceService' },
      ],
    }),
    patch: defineMessage<RangeData>({
      text: ({ product, version, oldest, newest }) =>
        `${product} ${version} is a later patch release of ${newest}, the newest of the versions whose behaviour is known, ${oldest} to ${newest}: it is planned like ${newest}.`,
      help: ({ newest }) => `Compare the release notes since ${newest}.`,
      sample: { product: 'kserve', version: '0.20.1', oldest: '0.15', newest: '0.20' },
    }),
    earlier: defineMessage<RangeData>({
      text: ({ product, version, oldest, newest }) =>
        `${product} ${version} is earlier than the versions whose behaviour is known, ${oldest} to ${newest}: it is planned like ${oldest}.`,
      help: ({ product, oldest }) => `Compare the release notes up to ${oldest}, or name a known version: --versions ${product}=${oldest}.`,
      sample: { product: 'kubernetes', version: '1.16', oldest: '1.21', newest: '1.37' },
    }),
  },
});

/** Returns a finding for each product whose version is outside the range with known behaviour. */
export function checkUnknownVersion(versions: Versions): Finding[] {
  return PRODUCTS.flatMap((product) => {
    const version = versions[product];
    const rangeSide = compareToKnownRange(product, version);
    if (rangeSide === undefined) return [];
    const { oldest, newest, unreleasedFeature } = getProduct(product);
    const data = { product, version, oldest, newest };
    if (rangeSide !== 'later') return unknownVersion.createFinding(rangeSide, { path: ROOT_PATH, data });
    return unknownVersion.createFinding('later', {
      path: ROOT_PATH,
      data: { ...data, ...(unreleasedFeature !== undefined && { unreleasedFeature }) },
    });
  });
}

import { message, rule } from '../finding';

interface LaterData {
  readonly product: string;
  readonly version: string;
  /** The newest version whose behaviour is known. */
  readonly newest: string;
}

/** A version whose behaviour is not known. */
export const unknownVersion = rule({
  code: 'input/unknown-version',
  since: '0.1.0',
  severity: 'info',
  fires: 'The plan is made for a version that is later than the newest whose behaviour is known.',
  why: 'The plan assumes that it behaves as the newest known version, which may not be so.',
  fix: 'Compare the release notes of that version, or name a known one: `--versions kubernetes=1.34`.',
  example: `# rolloutkit plan --versions kubernetes=1.99 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  fixed: `# rolloutkit plan --versions kubernetes=1.34 web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  messages: {
    later: message<LaterData>({
      text: ({ product, version, newest }) =>
        `${product} ${version} is later than ${newest}, the newest version whose behaviour is known: the plan is that of ${newest}.`,
      help: ({ product, newest }) => `Compare the release notes since ${newest}, or name a known version: --versions ${product}=${newest}.`,
      sample: { product: 'kubernetes', version: '1.99', newest: '1.37' },
    }),
  },
});

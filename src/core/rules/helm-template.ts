import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { VALID_DEPLOYMENT } from './examples';

interface ChartData {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
  /** Number of templates that contain Helm actions. */
  readonly templates: number;
}

/** A Helm chart that is not rendered. */
export const helmTemplate = defineRule({
  code: 'input/helm-template',
  since: '0.1.0',
  severity: ['info', 'error'],
  fires:
    'A folder contains a Helm chart, whose templates are not YAML until Helm renders them (reported once per chart). ' +
    'With `--policy` or `--require-planned` it is an error.',
  why: 'The rendered result depends on the values of the release, so the templates are not planned.',
  fix: 'Plan what Helm renders with the values of the release: `helm template CHART | rolloutkit check -`.',
  example: `# rolloutkit plan chart
# chart/Chart.yaml
apiVersion: v2
name: web
# chart/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
`,
  fixedExample: `# helm template chart | rolloutkit plan -
${VALID_DEPLOYMENT}`,
  messages: {
    notRendered: defineMessage<ChartData>({
      text: ({ chart, templates }) =>
        `${chart} is a Helm chart that is not rendered: ${templates === 1 ? '1 template is' : `${templates} templates are`} not planned.`,
      help: ({ chart }) =>
        `Plan what Helm renders, with the values of the release: helm template ${chart} | rolloutkit check -, or --render`,
      sample: { chart: 'charts/web', templates: 3 },
      variants: [{ chart: 'charts/web', templates: 1 }],
    }),
  },
});

/** Creates the finding for a Helm chart that is not rendered. */
export function createHelmTemplateFinding(data: ChartData, severity: 'info' | 'error'): Finding {
  const source = { file: `${data.chart}/Chart.yaml`, line: 1 };
  return helmTemplate.createFinding('notRendered', { path: ROOT_PATH, data, source, severity });
}

import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { VALID_DEPLOYMENT } from './examples';

interface ChartData {
  /** The folder of the chart, as reached from the PATH given. */
  readonly chart: string;
  /** Its templates that hold instructions of Helm. */
  readonly templates: number;
}

/** A Helm chart that is not rendered. */
export const helmTemplate = defineRule({
  code: 'input/helm-template',
  since: '0.1.0',
  severity: 'info',
  fires: 'A folder holds a Helm chart, whose templates are no YAML before Helm has rendered them; once a chart.',
  why: 'What a template becomes depends on the values of the release, so it is not planned.',
  fix: 'Plan what Helm renders: `helm template CHART | rolloutkit check -`, with the values of the release.',
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

/** Says of a chart that it is not rendered. */
export function createHelmTemplateFinding(data: ChartData): Finding {
  const source = { file: `${data.chart}/Chart.yaml`, line: 1 };
  return helmTemplate.createFinding('notRendered', { path: ROOT_PATH, data, source });
}

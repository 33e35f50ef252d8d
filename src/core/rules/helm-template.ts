import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { joinTruncatedNames, truncateNames } from '../text/text-format';
import { VALID_DEPLOYMENT } from './examples';

interface PlainChartData {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
}

interface ChartData extends PlainChartData {
  /** Number of templates that contain Helm actions. */
  readonly templates: number;
}

/** What Helm applies with a chart, although the files of the input do not show it. */
export interface ChartDependencies {
  /** Dependencies that are not in the folder of the chart, and archives of charts. */
  readonly missing: readonly string[];
  /** Dependencies in the input that the values of the release switch on or off. */
  readonly conditional: readonly string[];
}

type DependenciesData = PlainChartData & ChartDependencies;

/** Describes the dependencies of a chart: those that are not planned, and those that may be planned although Helm does not apply them. */
function describeDependencies({ missing, conditional }: ChartDependencies): string {
  return [
    ...(missing.length > 0 ? [`${joinTruncatedNames(truncateNames(missing))} ${missing.length === 1 ? 'is' : 'are'} not planned`] : []),
    ...(conditional.length > 0
      ? [`the values of the release decide whether Helm applies ${joinTruncatedNames(truncateNames(conditional))}`]
      : []),
  ].join(', and ');
}

/** Says how to plan what Helm renders. */
function helpRender({ chart }: PlainChartData): string {
  return `Plan what Helm renders, with the values of the release: helm template ${chart} | rolloutkit check -, or --render`;
}

/** A Helm chart that is not rendered. */
export const helmTemplate = defineRule({
  code: 'input/helm-template',
  since: '0.1.0',
  severity: ['info', 'error'],
  fires:
    'A folder contains a Helm chart that is not rendered (reported once per chart). The finding says what is not planned: templates that are not YAML until Helm renders them, ' +
    'and dependencies in another repository, in an archive, or switched on and off by values. ' +
    'With `--policy` or `--require-planned` each chart that is not rendered is one error, whatever it contains.',
  why:
    'The rendered result depends on the values of the release, so templates with actions are not planned. ' +
    'Helm can also leave out files, read them otherwise than kubectl, or refuse a chart, and rolloutkit does not evaluate all of this.',
  fix: 'Plan what Helm renders with the values of the release: `helm template CHART | rolloutkit check -`.',
  example: `# rolloutkit plan chart
# chart/Chart.yaml
apiVersion: v2
name: web
version: 1.0.0
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
      help: helpRender,
      sample: { chart: 'charts/web', templates: 3 },
      variants: [{ chart: 'charts/web', templates: 1 }],
    }),
    plain: defineMessage<PlainChartData>({
      text: ({ chart }) =>
        `${chart} is a Helm chart that is not rendered: its files are read as they are, although Helm may read them otherwise.`,
      help: helpRender,
      sample: { chart: 'charts/web' },
    }),
    unknown: defineMessage<PlainChartData>({
      text: ({ chart }) =>
        `${chart} is a Helm chart whose files were read but not rendered, so what Helm makes of it is not known: its files without template actions are planned as they are.`,
      help: ({ chart }) =>
        `Plan what Helm renders, with the values of the release: helm template ${chart} | rolloutkit check -, or --render if the chart is trusted. Exclude the folder with --exclude if Helm does not apply it.`,
      sample: { chart: 'charts/web' },
    }),
    dependencies: defineMessage<DependenciesData>({
      text: (data) => `${data.chart} is a Helm chart that is not rendered: ${describeDependencies(data)}.`,
      help: ({ chart }) =>
        `Plan what Helm renders, with its dependencies and the values of the release: helm dependency build ${chart} && helm template ${chart} | rolloutkit check -`,
      sample: { chart: 'charts/web', missing: ['redis 18.1.0 of https://charts.example.com'], conditional: [] },
      variants: [
        {
          chart: 'charts/web',
          missing: ['redis 18.1.0 of https://charts.example.com', 'charts/web/charts/cache-1.0.0.tgz'],
          conditional: [],
        },
        { chart: 'charts/web', missing: [], conditional: ['cache'] },
        { chart: 'charts/web', missing: ['redis'], conditional: ['cache', 'queue'] },
      ],
    }),
  },
});

/** Reports whether a finding is about a chart that may have other objects than its files show. One without actions and dependencies usually has the same. */
export function mayChartDiffer(finding: Finding): boolean {
  return helmTemplate.matches(finding) && !helmTemplate.matches(finding, 'plain');
}

/** Creates the finding for a Helm chart with templates that are not rendered. @param file - its Chart.yaml */
export function createHelmTemplateFinding(data: ChartData, file: string): Finding {
  return helmTemplate.createFinding('notRendered', { path: ROOT_PATH, data, source: { file, line: 1 }, severity: 'info' });
}

/** Creates the finding for a Helm chart with dependencies that its files do not show. @param file - its Chart.yaml */
export function createChartDependenciesFinding(data: DependenciesData, file: string): Finding {
  return helmTemplate.createFinding('dependencies', { path: ROOT_PATH, data, source: { file, line: 1 }, severity: 'info' });
}

/** Creates the finding for a Helm chart whose files are planned as they are. @param file - its Chart.yaml */
export function createPlainChartFinding(chart: string, file: string): Finding {
  return helmTemplate.createFinding('plain', { path: ROOT_PATH, data: { chart }, source: { file, line: 1 }, severity: 'info' });
}

/** Creates the finding for a Helm chart that is not rendered although everything must be planned. @param file - its Chart.yaml */
export function createUnknownChartFinding(chart: string, file: string): Finding {
  return helmTemplate.createFinding('unknown', { path: ROOT_PATH, data: { chart }, source: { file, line: 1 }, severity: 'error' });
}

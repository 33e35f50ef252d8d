import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { joinTruncatedNames, pluralize, truncateNames } from '../text-format';
import { VALID_DEPLOYMENT } from './examples';

interface ChartData {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
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

/** Why Helm may refuse to load a chart. */
export interface ChartFault {
  /** File of the chart, relative to its folder. */
  readonly file: string;
  /** Field of the Chart.yaml. Absent if the file is missing, or cannot be read as a map. */
  readonly field?: string;
}

/** What decides whether Helm refuses a chart, and is not evaluated. */
export interface ChartCondition {
  /** File of the chart, relative to its folder. */
  readonly file: string;
  /** The kubeVersion of the Chart.yaml. @default - the file is another one */
  readonly kubeVersion?: string;
}

/** Describes what Helm may refuse in a chart. */
function describeFault(file: string, field: string | undefined): string {
  if (field !== undefined) return `${field} of ${file} is missing, invalid or not a field of Helm`;
  if (file === '.helmignore') return `${file} contains a pattern that is not valid, **, or a line of more than 64 KiB`;
  return `${file} is missing, or is not a map without duplicate keys`;
}

interface FaultData extends ChartFault {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
}

interface ConditionData extends ChartCondition {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
}

interface RefusedVersionData {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
  readonly kubeVersion: string;
  /** Version of Kubernetes: `1.36`. */
  readonly version: string;
}

interface DependenciesData extends ChartDependencies {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
}

/** Describes the dependencies of a chart: those that are not planned, and those that may be planned although Helm does not apply them. */
function describeDependencies({ missing, conditional }: ChartDependencies): string {
  return [
    ...(missing.length > 0 ? [`${joinTruncatedNames(truncateNames(missing))} ${missing.length === 1 ? 'is' : 'are'} not planned`] : []),
    ...(conditional.length > 0
      ? [`the values of the release decide whether Helm applies ${joinTruncatedNames(truncateNames(conditional))}`]
      : []),
  ].join(', and ');
}

/** A Helm chart that is not rendered. */
export const helmTemplate = defineRule({
  code: 'input/helm-template',
  since: '0.1.0',
  severity: ['info', 'warning', 'error'],
  fires:
    'A folder contains a Helm chart, whose templates are not YAML until Helm renders them (reported once per chart), ' +
    'or whose dependencies are in another repository, in an archive, or switched on and off by values. ' +
    'A chart that Helm may refuse to load is a warning: its Chart.yaml has no name or version, an invalid value or a field that Helm does not know, its values.yaml is no map, or a folder in charts/ is no chart. ' +
    'So is one whose kubeVersion does not accept the version of the plan. A values.schema.json, notes and partials with actions, and a kubeVersion that is not evaluated, may make Helm refuse a chart too, which is an info. ' +
    'With `--policy` or `--require-planned` it is an error.',
  why: 'The rendered result depends on the values of the release, so the templates are not planned.',
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
      help: ({ chart }) =>
        `Plan what Helm renders, with the values of the release: helm template ${chart} | rolloutkit check -, or --render`,
      sample: { chart: 'charts/web', templates: 3 },
      variants: [{ chart: 'charts/web', templates: 1 }],
    }),
    actions: defineMessage<ChartData>({
      text: ({ chart, templates }) =>
        `${chart} is a Helm chart that is not rendered: what the actions in ${pluralize(templates, 'template')} make of it is not planned.`,
      help: ({ chart }) =>
        `Plan what Helm renders, with the values of the release: helm template ${chart} | rolloutkit check -, or --render`,
      sample: { chart: 'charts/web', templates: 3 },
      variants: [{ chart: 'charts/web', templates: 1 }],
    }),
    notLoaded: defineMessage<FaultData>({
      text: ({ chart, file, field }) =>
        `Helm may refuse to load the chart ${chart}: ${describeFault(file, field)}. Its files are planned as if Helm rendered them.`,
      help: ({ chart }) => `Mend what helm lint ${chart} reports.`,
      sample: { chart: 'charts/web', file: 'Chart.yaml', field: 'version' },
      variants: [
        { chart: 'charts/web', file: 'values.yaml' },
        { chart: 'charts/web', file: '.helmignore' },
      ],
    }),
    wrongVersion: defineMessage<RefusedVersionData>({
      text: ({ chart, kubeVersion, version }) =>
        `Helm refuses the chart ${chart} on Kubernetes ${version}, because its kubeVersion is ${JSON.stringify(kubeVersion)}. Its files are planned as if Helm rendered them.`,
      help: () => 'Mend the kubeVersion, or name the version of the cluster with --versions.',
      sample: { chart: 'charts/web', kubeVersion: '<1.30', version: '1.36' },
    }),
    notEvaluated: defineMessage<ConditionData>({
      text: ({ chart, file, kubeVersion }) =>
        `Helm may refuse the chart ${chart} because of ${kubeVersion === undefined ? file : `its kubeVersion ${JSON.stringify(kubeVersion)}`}, which is not evaluated. Its files are planned as if Helm rendered them.`,
      help: ({ chart }) =>
        `Plan what Helm renders, with the values of the release: helm template ${chart} | rolloutkit check -, or --render`,
      sample: { chart: 'charts/web', file: 'values.schema.json' },
      variants: [{ chart: 'charts/web', file: 'Chart.yaml', kubeVersion: '~1.30' }],
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

/**
 * Creates the finding for a Helm chart that is not rendered. If every file must be planned, which makes it an error, those templates are planned
 * that are YAML without their actions.
 */
export function createHelmTemplateFinding(data: ChartData, severity: 'info' | 'error'): Finding {
  const source = { file: `${data.chart}/Chart.yaml`, line: 1 };
  return helmTemplate.createFinding(severity === 'error' ? 'actions' : 'notRendered', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for a Helm chart with dependencies that its files do not show. */
export function createChartDependenciesFinding(data: DependenciesData, severity: 'info' | 'error'): Finding {
  const source = { file: `${data.chart}/Chart.yaml`, line: 1 };
  return helmTemplate.createFinding('dependencies', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for a chart that Helm refuses on a version of Kubernetes. */
export function createWrongVersionFinding(data: RefusedVersionData, severity: 'warning' | 'error'): Finding {
  const source = { file: `${data.chart}/Chart.yaml`, line: 1 };
  return helmTemplate.createFinding('wrongVersion', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for a chart that Helm may refuse because of something that is not evaluated. */
export function createChartConditionFinding(data: ConditionData, severity: 'info' | 'error'): Finding {
  const source = { file: `${data.chart}/${data.file}`, line: 1 };
  return helmTemplate.createFinding('notEvaluated', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for a chart that Helm may refuse to load. */
export function createChartFaultFinding(data: FaultData, severity: 'warning' | 'error'): Finding {
  return helmTemplate.createFinding('notLoaded', {
    path: ROOT_PATH,
    data,
    source: { file: `${data.chart}/${data.file}`, line: 1 },
    severity,
  });
}

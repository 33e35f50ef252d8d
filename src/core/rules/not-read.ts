import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Source } from '../findings/finding';
import { pluralize } from '../text/text-format';
import { VALID_DEPLOYMENT } from './examples';

const ROLES = {
  'chart-template': 'it contains {{ and is a template of the Helm chart around it',
  expectation: 'its name, or a chainsaw test, declares it as what a test expects in the cluster',
  items: 'it has items, so kubectl reads it as a list and applies only the items',
  'local-config': 'it has the annotation config.kubernetes.io/local-config, and a kustomization lists its file, so kustomize drops it',
  patch: 'a kustomization or a test lists this file as a patch',
  'patch-object': 'it looks like a patch of a kustomization: it has $patch, or neither a selector nor containers',
  values: 'its name is that of a values file of the Helm chart around it',
} as const;

const UNRENDERED = {
  unlisted: '',
  crds: 'it is in crds/, which Helm creates with a new release and never changes',
  ignored: 'the .helmignore of the chart matches it, or Helm ignores it by default',
  library: 'its chart has the type library',
  outside: 'it is not in templates/',
  underscore: 'its name, or that of its chart in charts/, begins with _ or a dot',
} as const;

/** Reason why Helm does not render a file of a chart. */
export type UnrenderedReason = keyof typeof UNRENDERED;

/** Reports whether a file that Helm does not render for this reason is planned, since another tool may apply it. */
export function isPlannedUnrendered(reason: UnrenderedReason): boolean {
  return reason === 'outside' || reason === 'crds' || reason === 'unlisted';
}

interface UnrenderedData {
  /** Folder of the chart, relative to the given PATH. */
  readonly chart: string;
  readonly reason: UnrenderedReason;
  /** Whether the files are planned all the same, because the input sets nothing aside. */
  readonly isPlanned: boolean;
  /** Number of its files with planned kinds. */
  readonly files: number;
  /** First of these files. */
  readonly first: string;
  /** First object of this file. Absent if the file cannot be read, although kubectl may read it. */
  readonly resource?: string;
}

/** Reason why an object of the input is not planned although kubectl reads it. */
export type NotReadRole = keyof typeof ROLES;

interface ObjectData {
  /** Absent for an object that a program passes in. */
  readonly file?: string;
  /** First planned object of the file: `Deployment shop/web`. */
  readonly resource: string;
  /** Number of further objects of the file that are not planned for this reason. */
  readonly others: number;
  readonly role: NotReadRole;
}

interface FolderData {
  /** Hidden folder or `node_modules`, relative to the given PATH. */
  readonly folder: string;
  /** Number of its files with planned kinds. */
  readonly files: number;
  /** First of these files. */
  readonly first: string;
  /** First object of this file. Absent if the file cannot be read, although kubectl may read it. */
  readonly resource?: string;
}

interface ExcludedData {
  /** Configuration that excludes the files. */
  readonly configuration: string;
  /** Number of its files with planned kinds. */
  readonly files: number;
  /** First of these files. */
  readonly first: string;
  /** First object of this file. Absent if the file cannot be read, although kubectl may read it. */
  readonly resource?: string;
}

interface EndData {
  /** Line on which the document ends. */
  readonly line: number;
}

/** Describes what a file contains. */
function describeContent(resource: string | undefined): string {
  return resource ?? 'what cannot be read';
}

const HELP =
  'If it is applied, name the file as a PATH, or run with --require-planned or --policy, which plan every file. If it is not, exclude it with --exclude.';

/** A template is not planned even if it is named as a PATH. */
const TEMPLATE_HELP =
  'If kubectl applies it as it is, run with --require-planned or --policy, which plan every file that is YAML. Otherwise plan what helm template prints.';

const BUILD_HELP = 'Plan what kustomize builds: pipe it into rolloutkit check -, and exclude the patch with --exclude.';

/** Objects that kubectl would apply but that are set aside. */
export const notRead = defineRule({
  code: 'input/not-read',
  since: '0.1.0',
  severity: ['info', 'warning', 'error'],
  fires:
    'A file of a folder contains an object that plans read, and the input itself sets it aside: its name is that of a values file or of the expectation of a test, ' +
    'a kustomization lists it as a patch, or as a resource with the annotation `config.kubernetes.io/local-config`, it is a template of a chart, it is a file of a chart that Helm does not render, no kustomization lists it although it is in the folder of one, its folder is hidden or `node_modules`, or a configuration that was found excludes it. ' +
    'A file contains what may be an object after the end of a document and before the next line `---`, so kubectl drops it (a warning). ' +
    'With `--policy` or `--require-planned` such a file is planned, and only what remains set aside is an error.',
  why:
    '`kubectl apply --recursive` applies every file of a folder, whatever its name is and wherever it is listed. ' +
    'The author of a change decides the names of files, so a name must not hide an object from the reader of a plan.',
  fix: 'Name the file as a PATH, or run with `--require-planned`. Exclude files that are never applied with `--exclude`.',
  example: `# rolloutkit plan .
# tests/00-assert.yaml
${VALID_DEPLOYMENT}`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    object: defineMessage<ObjectData>({
      text: ({ file, resource, others, role }) =>
        `${resource}${others === 0 ? '' : ` and ${pluralize(others, 'further object')}`}${file === undefined ? '' : ` in ${file}`} ${others === 0 ? 'is' : 'are'} not planned: ${ROLES[role]}.`,
      help: ({ role }) => {
        if (role === 'items') return 'Delete items, or write the object as a document of its own.';
        if (role === 'local-config') return 'Remove the annotation if the object is applied.';
        if (role === 'chart-template') return TEMPLATE_HELP;
        return role === 'patch' || role === 'patch-object' ? BUILD_HELP : HELP;
      },
      sample: { file: 'tests/00-assert.yaml', resource: 'Deployment shop/web', others: 0, role: 'expectation' },
      variants: [
        { file: 'tests/00-assert.yaml', resource: 'Deployment shop/web', others: 2, role: 'expectation' },
        { file: 'values.yaml', resource: 'Deployment shop/web', others: 0, role: 'values' },
        { file: 'templates/web.yaml', resource: 'Deployment shop/web', others: 0, role: 'chart-template' },
        { file: 'replicas.yaml', resource: 'Deployment shop/web', others: 0, role: 'patch' },
        { file: 'replicas.yaml', resource: 'Deployment shop/web', others: 0, role: 'patch-object' },
        { file: 'web.yaml', resource: 'Deployment shop/web', others: 0, role: 'local-config' },
        { resource: 'Deployment shop/web', others: 0, role: 'items' },
      ],
    }),
    folder: defineMessage<FolderData>({
      text: ({ folder, files, first, resource }) => {
        const content = describeContent(resource);
        return `The folder ${folder} is not read, and ${files === 1 ? `its file ${first} contains ${content}` : `${files} of its files contain objects, such as ${first} with ${content}`}.`;
      },
      help: () => HELP,
      sample: { folder: '.deploy', files: 1, first: '.deploy/web.yaml', resource: 'Deployment shop/web' },
      variants: [
        { folder: 'node_modules', files: 12, first: 'node_modules/chart/web.yaml', resource: 'Deployment shop/web' },
        { folder: '.deploy', files: 1, first: '.deploy/web.yaml' },
      ],
    }),
    excluded: defineMessage<ExcludedData>({
      text: ({ configuration, files, first, resource }) =>
        `${configuration} excludes ${files === 1 ? `${first}, which contains ${describeContent(resource)}` : `${files} files that contain objects, such as ${first} with ${describeContent(resource)}`}.`,
      help: ({ configuration }) =>
        `If it is applied, delete the pattern from exclude in ${configuration}, or run with --no-config, --require-planned or --policy.`,
      sample: { configuration: 'rolloutkit.yaml', files: 1, first: 'tests/web.yaml', resource: 'Deployment shop/web' },
      variants: [
        { configuration: 'rolloutkit.yaml', files: 12, first: 'tests/web.yaml', resource: 'Deployment shop/web' },
        { configuration: 'rolloutkit.yaml', files: 1, first: 'tests/web.yaml' },
      ],
    }),
    afterEnd: defineMessage<EndData>({
      text: ({ line }) =>
        `kubectl reads nothing between line ${line} and the next line that begins with ---: the document ends there, at a line "..." or after a line break that is not LF.`,
      help: () => 'Begin a document with a line --- after LF or CR LF. Delete text that is not applied.',
      sample: { line: 12 },
    }),
    unrendered: defineMessage<UnrenderedData>({
      text: ({ chart, reason, isPlanned, files, first, resource }) => {
        const content = describeContent(resource);
        const what = files === 1 ? `${first} with ${content}` : `${files} files, such as ${first} with ${content}`;
        const result = isPlanned ? `planned as kubectl applies ${files === 1 ? 'it' : 'them'}` : 'not planned';
        if (reason === 'unlisted')
          return `The kustomization ${chart} does not list ${what}, so kustomize does not build ${files === 1 ? 'it' : 'them'}. ${files === 1 ? 'It is' : 'They are'} ${result}.`;
        return `Helm does not render ${what}, as part of the chart ${chart}: ${UNRENDERED[reason]}. ${files === 1 ? 'It is' : 'They are'} ${result}.`;
      },
      help: ({ isPlanned, reason }) =>
        reason === 'unlisted'
          ? 'If it is applied, list it in resources of the kustomization. If it is not, exclude it with --exclude.'
          : isPlanned
            ? 'Plan what helm template prints. If the file is not part of the chart, move it out of its folder.'
            : 'If kubectl applies it, name the file as a PATH, or move it out of the folder of the chart. If it is part of the chart, undo what keeps Helm from rendering it.',
      sample: {
        chart: 'charts/web',
        reason: 'ignored',
        isPlanned: false,
        files: 1,
        first: 'charts/web/templates/web.yaml',
        resource: 'Deployment shop/web',
      },
      variants: [
        {
          chart: 'charts/web',
          reason: 'underscore',
          isPlanned: false,
          files: 1,
          first: 'charts/web/templates/_web.yaml',
          resource: 'Deployment shop/web',
        },
        {
          chart: 'charts/web',
          reason: 'library',
          isPlanned: false,
          files: 2,
          first: 'charts/web/templates/web.yaml',
          resource: 'Deployment shop/web',
        },
        {
          chart: 'charts/web',
          reason: 'outside',
          isPlanned: true,
          files: 1,
          first: 'charts/web/web.yaml',
          resource: 'Deployment shop/web',
        },
        { chart: 'charts/web', reason: 'outside', isPlanned: true, files: 1, first: 'charts/web/web.yaml' },
        { chart: 'apps/web', reason: 'unlisted', isPlanned: true, files: 1, first: 'apps/web/web.yaml', resource: 'Deployment shop/web' },
      ],
    }),
  },
});

/** Creates the finding about objects that are set aside. @param source of the first object; none for an object that a program passes in */
export function createNotReadFinding(data: ObjectData, source: Source | undefined, severity: 'info' | 'error'): Finding {
  return notRead.createFinding('object', { path: ROOT_PATH, data, ...(source && { source }), severity });
}

/** Creates the finding about a folder that is not read. */
export function createUnreadFolderFinding(folder: string, data: Omit<FolderData, 'folder'>): Finding {
  return notRead.createFinding('folder', {
    path: ROOT_PATH,
    data: { folder, ...data },
    source: { file: data.first, line: 1 },
    severity: 'info',
  });
}

/** Creates the finding about files that a configuration of the input excludes. */
export function createExcludedFilesFinding(configuration: string, data: Omit<ExcludedData, 'configuration'>): Finding {
  return notRead.createFinding('excluded', {
    path: ROOT_PATH,
    data: { configuration, ...data },
    source: { file: data.first, line: 1 },
    severity: 'info',
  });
}

/** Creates the finding about text that kubectl drops because a document ends before it. */
export function createUnreadRestFinding(source: Source, severity: 'warning' | 'error'): Finding {
  return notRead.createFinding('afterEnd', { path: ROOT_PATH, data: { line: source.line }, source, severity });
}

/** Creates the finding about files of a chart that Helm does not render. */
export function createUnrenderedFinding(
  place: Pick<UnrenderedData, 'chart' | 'reason' | 'isPlanned'>,
  data: Pick<UnrenderedData, 'files' | 'first' | 'resource'>,
  severity: 'info' | 'error',
): Finding {
  return notRead.createFinding('unrendered', {
    path: ROOT_PATH,
    data: { ...place, ...data },
    source: { file: data.first, line: 1 },
    severity,
  });
}

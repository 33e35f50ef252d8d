import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Source } from '../findings/finding';
import { pluralize } from '../text/text-format';
import { VALID_DEPLOYMENT } from './examples';

export interface KustomizationData {
  /** Folder of the kustomization, relative to the given PATH. */
  readonly folder: string;
  /** Whether it only patches objects and contains none, so that it cannot be built by itself. */
  readonly patchesAlone?: true;
}

interface ArgoCdSourceData {
  readonly file: string;
}

interface AlteredObjectsData {
  /** `Kustomization flux-system/apps` */
  readonly object: string;
  readonly file: string;
  /** Field that changes the objects: `spec.patches`. */
  readonly field: string;
}

interface JsonnetData {
  /** `Application argocd/shop` */
  readonly object: string;
  readonly file: string;
}

/** Two objects that are planned in different namespaces, and the namespace into which both are put. */
export interface MergedNamespacesData {
  /** `ResourceQuota prod/pods` */
  readonly object: string;
  readonly other: string;
  readonly namespace: string;
}

interface UnreadSourceData {
  /** `Kustomization flux-system/apps` */
  readonly object: string;
  /** Field that names the folder: `spec.path`. */
  readonly field: string;
  readonly path: string;
}

/** Why kustomize refuses to build a kustomization. */
export interface RefusedEntries {
  readonly reason: 'listed-twice' | 'circle' | 'contained-twice' | 'in-both';
  /** The entry of the kustomization, or the first of two. */
  readonly first: string;
  /** The second entry with the same object. @default - the reason is about one entry */
  readonly second?: string;
  /** The object that is there twice. @default - the reason is not about an object */
  readonly resource?: string;
}

export interface RefusedBuildData extends RefusedEntries {
  readonly file: string;
}

interface MarkerChangeData {
  readonly file: string;
  /** Tool that reads it. */
  readonly tool: string;
  readonly change: 'added' | 'deleted' | 'changed';
}

interface IgnoredFilesData {
  /** The ignore file: `apps/.sourceignore`. */
  readonly file: string;
  /** Tool that reads it. */
  readonly tool: string;
  /** Number of files with planned kinds that it leaves out. */
  readonly files: number;
  /** First of these files. */
  readonly first: string;
  /** First object of this file. Absent if the file cannot be read. */
  readonly resource?: string;
}

/** Describes why a tool leaves out files. */
function describeIgnored(tool: string, files: number): string {
  if (tool === 'Argo CD') return 'the comment +argocd:skip-file-rendering';
  return files === 1 ? 'the name or the folder of the file' : 'their names or folders';
}

/** A kustomization that is not built. */
export const kustomization = defineRule({
  code: 'input/kustomization',
  since: '0.1.0',
  severity: ['info', 'warning', 'error'],
  fires:
    'A folder contains a kustomization that is not built and that does more than include files of the input and add labels, annotations and a namespace, and no other kustomization of the input includes it ' +
    '(reported once per kustomization), or it contains a file `.argocd-source.yaml` or `.argocd-source-APP.yaml`, which overrides the source of an Application, or a file `.sourceignore` or `.fleetignore`, with which Flux or Fleet leaves out manifests, or a manifest with a name or in a folder that one of them leaves out by default, if the input or `--apply` shows that tool, or one in a folder `templates` without a chart, which Fleet renders with Helm, or one with the comment `+argocd:skip-file-rendering`, which Argo CD skips. ' +
    'A kustomization that lists a file or a folder twice, two files or folders with the same object, or itself, or a file with a document that has no kind or no name, is a warning, since kustomize refuses to build it. ' +
    'A change that adds, deletes or edits such a file, a Chart.yaml or a `.helmignore` is a warning, and so is an annotation of an object with which kustomize renames it or other references, `internal.config.kubernetes.io/…`, one that only Helm reads, since it decodes `Metadata.Annotations` in any case, a ConfigMap argocd-cm with which Argo CD leaves out objects of the input, a field of an object that a merge key sets again, which kustomize does not read as kubectl does, and an object such as a ResourceQuota that a kustomization or a fleet.yaml puts into the namespace of others, but which is planned in another one. ' +
    'With `--policy` or `--require-planned` each is an error, and so is any field of a kustomization besides its files and its namespace, of a Kustomization, HelmRelease or source of Flux, of an Application, of a fleet.yaml or of a GitRepo that may make the tool apply other objects than the files show, a folder in which no file was read, a word such as `yes` without quotes in a file with a planned object that a kustomization lists, which kubectl reads as a boolean and kustomize as text, a text of a planned object that Flux fills in later, such as `${NAME:=x}` or a value that SOPS encrypts, a setting of a ConfigMap argocd-cm that may decide what Argo CD applies, or a file that Argo CD renders with Jsonnet.',
  why:
    'The result of a kustomization is what `kustomize build` prints. Without a build, its files are read as they are: an object in a folder of the input is planned ' +
    'there, with the labels and annotations that kustomizations add. Patches, and resources from outside the input, are not planned.',
  fix: 'Plan the result of the build: `kustomize build FOLDER | rolloutkit check -`, or `--render`.',
  example: `# rolloutkit plan overlays/prod
# overlays/prod/kustomization.yaml
resources: [../../base]
patches:
  - path: replicas.yaml
# overlays/prod/replicas.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5
`,
  fixedExample: `# kustomize build overlays/prod | rolloutkit plan -
${VALID_DEPLOYMENT}`,
  messages: {
    notBuilt: defineMessage<KustomizationData>({
      text: ({ folder, patchesAlone }) =>
        patchesAlone
          ? `${folder} is a kustomization without resources of its own that patches what another program renders, such as a Fleet chart: its patches are not planned.`
          : `${folder} is a kustomization that is not built: its files are planned as they are, without its patches and other changes, and without the resources that it includes from elsewhere.`,
      help: ({ folder, patchesAlone }) =>
        patchesAlone
          ? 'Plan what that program renders with these patches; kustomize by itself has nothing to patch.'
          : `Plan the result of the build: kustomize build ${folder} | rolloutkit check -, or --render`,
      sample: { folder: 'overlays/prod' },
      variants: [{ folder: 'overlays/prod', patchesAlone: true }],
    }),
    argoCdSource: defineMessage<ArgoCdSourceData>({
      text: ({ file }) =>
        `${file} overrides how Argo CD builds this folder, such as which files it applies: the files are planned without it.`,
      help: () => 'Plan what Argo CD renders, or delete the file if Argo CD does not apply this folder.',
      sample: { file: 'apps/.argocd-source.yaml' },
    }),
    alteredObjects: defineMessage<AlteredObjectsData>({
      text: ({ object, file, field }) =>
        `${object} in ${file} may make its tool apply other objects than the files show, with ${field}: the files are planned without it.`,
      help: () => 'Plan what the tool renders, or write the changes into the files.',
      sample: { object: 'Kustomization flux-system/apps', file: 'clusters/apps.yaml', field: 'spec.patches' },
    }),
    filledInLater: defineMessage<AlteredObjectsData>({
      text: ({ object, file, field }) =>
        `${object} in ${file} has a placeholder or an encrypted value in ${field}, which Flux fills in only after the check: the plan is not about what it applies.`,
      help: () => 'Plan the manifests with the values filled in, or write the value into the file.',
      sample: { object: 'Deployment shop/web', file: 'apps/web.yaml', field: 'spec.replicas' },
    }),
    jsonStream: defineMessage<Omit<AlteredObjectsData, 'field'>>({
      text: ({ object, file }) =>
        `${object} in ${file} follows another JSON object without --- between them: kubectl applies both, kustomize builds only the first, and Helm reads the annotations of the first for both.`,
      help: () => 'Write --- on a line between the objects.',
      sample: { object: 'Deployment shop/web', file: 'apps/all.json' },
    }),
    mergedField: defineMessage<AlteredObjectsData>({
      text: ({ object, file, field }) =>
        `${object} in ${file} has the field ${field} more than once, with a merge key (<<): kubectl and kustomize read different values.`,
      help: () => 'Write the field once, or only after the merge.',
      sample: { object: 'Deployment shop/web', file: 'apps/web.yaml', field: 'type' },
    }),
    booleanWord: defineMessage<Omit<AlteredObjectsData, 'field'>>({
      text: ({ object, file }) =>
        `${object} in ${file} has a word such as yes, no, on or off without quotes: kubectl reads it as a boolean, and kustomize as text.`,
      help: () => 'Write the word in quotes, or write true or false.',
      sample: { object: 'Deployment shop/web', file: 'apps/web.yaml' },
    }),
    patchDirective: defineMessage<AlteredObjectsData>({
      text: ({ object, file, field }) =>
        `${object} in ${file} has ${field}, a directive of a strategic merge patch: kubectl apply deletes or keeps parts of the live object because of it, and no other tool does.`,
      help: () => 'Delete it, and write the object as it should be.',
      sample: { object: 'Deployment shop/web', file: 'apps/web.yaml', field: '$patch' },
    }),
    unreadSource: defineMessage<UnreadSourceData>({
      text: ({ object, field, path }) =>
        `${object} makes its tool apply the folder ${path}, with ${field}, but no file was read there: its objects are not planned.`,
      help: () =>
        'Add the folder to the PATHs, and write its path without symbolic links and "..". If it is in another repository, plan it there.',
      sample: { object: 'Kustomization flux-system/apps', field: 'spec.path', path: './apps/prod' },
    }),
    jsonnet: defineMessage<JsonnetData>({
      text: ({ object, file }) => `${object} makes Argo CD render ${file} with Jsonnet: its objects are not planned.`,
      help: () => 'Plan what jsonnet prints, or move the file out of the folder if Argo CD does not render it.',
      sample: { object: 'Application argocd/shop', file: 'apps/web.jsonnet' },
    }),
    refusedBuild: defineMessage<RefusedBuildData>({
      text: ({ file, reason, first, second, resource }) => {
        const reasons = {
          'listed-twice': `it lists ${first} twice`,
          circle: `${first} contains it, or includes it again`,
          'contained-twice': `${first} contains ${resource} twice`,
          'in-both': `${first} and ${second} both contain ${resource}`,
        };
        return `kustomize refuses to build ${file}, since ${reasons[reason]}: the objects in the files are planned all the same.`;
      },
      help: ({ reason, first, second, resource }) =>
        reason === 'contained-twice'
          ? `Remove one of the two objects ${resource} from ${first}, or set no namespace that makes them the same.`
          : `Remove ${reason === 'listed-twice' ? `one of the two entries ${first}` : (second ?? first)} from resources.`,
      sample: { file: 'apps/kustomization.yaml', reason: 'listed-twice', first: 'web.yaml' },
      variants: [
        { file: 'apps/kustomization.yaml', reason: 'in-both', first: 'web.yaml', second: 'all.yaml', resource: 'Deployment shop/web' },
        { file: 'apps/kustomization.yaml', reason: 'contained-twice', first: 'web.yaml', resource: 'Deployment shop/web' },
        { file: 'apps/kustomization.yaml', reason: 'circle', first: '..' },
      ],
    }),
    unnamed: defineMessage<Pick<AlteredObjectsData, 'file'>>({
      text: ({ file }) =>
        `kustomize refuses ${file}, since this document is not an object with a kind and a name, and builds nothing of a kustomization that lists the file: the objects in the files are planned all the same.`,
      help: () => 'Write the kind and metadata.name of each object, or take the file out of the kustomization.',
      sample: { file: 'apps/web.yaml' },
    }),
    mergedNamespaces: defineMessage<MergedNamespacesData>({
      text: ({ object, other, namespace }) =>
        `A kustomization or a fleet.yaml puts ${object} and ${other} into the namespace ${namespace}: they are planned in different ones, so neither counts for the other.`,
      help: ({ namespace }) => `Write namespace: ${namespace} into both, or plan what the tool renders.`,
      sample: { object: 'ResourceQuota prod/pods', other: 'Deployment web', namespace: 'prod' },
    }),
    markerChange: defineMessage<MarkerChangeData>({
      text: ({ file, tool, change }) =>
        `${file} is ${change}, so ${tool} may apply other objects from its folder: only the objects in the files are compared.`,
      help: () => 'Compare what the tool renders from both sides.',
      sample: { file: 'apps/.helmignore', tool: 'Helm', change: 'changed' },
      variants: [
        { file: 'apps/Chart.yaml', tool: 'Helm', change: 'added' },
        { file: 'apps/kustomization.yaml', tool: 'kustomize', change: 'deleted' },
      ],
    }),
    ignoredFiles: defineMessage<IgnoredFilesData>({
      text: ({ file, tool, files, first, resource }) =>
        `${file} makes ${tool} leave out ${resource === undefined ? first : `${resource} in ${first}`}${files === 1 ? '' : ` and ${pluralize(files - 1, 'more file')}`}: what it leaves out is planned all the same.`,
      help: ({ tool }) => `Exclude with --exclude what ${tool} does not apply. If ${tool} does not apply this folder, delete the file.`,
      sample: { file: 'apps/.sourceignore', tool: 'Flux', files: 1, first: 'apps/web.yaml', resource: 'Deployment shop/web' },
      variants: [{ file: 'apps/.fleetignore', tool: 'Fleet', files: 3, first: 'apps/web.yaml' }],
    }),
    ignoredNames: defineMessage<Omit<IgnoredFilesData, 'file'>>({
      text: ({ tool, files, first, resource }) =>
        `${tool} leaves out ${resource === undefined ? first : `${resource} in ${first}`}${files === 1 ? '' : ` and ${pluralize(files - 1, 'more file')}`}, because of ${describeIgnored(tool, files)}: what it leaves out is planned all the same.`,
      help: ({ tool }) =>
        tool === 'Argo CD'
          ? 'Remove the comment if Argo CD applies this folder.'
          : `Rename or move the file if ${tool} applies this folder.`,
      sample: { tool: 'Flux', files: 1, first: 'apps/cloudbuild.yaml', resource: 'Deployment shop/web' },
      variants: [
        { tool: 'Fleet', files: 2, first: 'apps/.web.yaml', resource: 'Deployment shop/web' },
        { tool: 'Argo CD', files: 1, first: 'apps/web.yaml', resource: 'Deployment shop/web' },
      ],
    }),
    fleetTemplates: defineMessage<Omit<IgnoredFilesData, 'file' | 'tool'>>({
      text: ({ files, first, resource }) =>
        `Fleet renders ${resource === undefined ? first : `${resource} in ${first}`}${files === 1 ? '' : ` and ${pluralize(files - 1, 'more file')}`} with Helm if the folder that contains templates is a bundle: ${files === 1 ? 'it is' : 'they are'} planned as written.`,
      help: () => 'Rename the folder templates if Fleet applies it.',
      sample: { files: 1, first: 'apps/templates/web.yaml', resource: 'Deployment shop/web' },
      variants: [{ files: 2, first: 'apps/templates/web.yaml' }],
    }),
  },
});

/** Creates the finding for a kustomization that is not built. @param file of the kustomization */
export function createKustomizationFinding(data: KustomizationData, file: string, severity: 'info' | 'error'): Finding {
  return kustomization.createFinding('notBuilt', { path: ROOT_PATH, data, source: { file, line: 1 }, severity });
}

/** Creates the finding for a kustomization that kustomize refuses to build because of its entries. */
export function createRefusedBuildFinding(data: RefusedBuildData, severity: 'warning' | 'error'): Finding {
  return kustomization.createFinding('refusedBuild', { path: ROOT_PATH, data, source: { file: data.file, line: 1 }, severity });
}

/** Creates the finding for an object with which a tool applies other objects than the files of its folder show. */
export function createAlteredObjectsFinding(data: AlteredObjectsData, source: Source, severity: 'warning' | 'error'): Finding {
  return kustomization.createFinding('alteredObjects', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for an object with a directive, with which kubectl changes a live object in another way than the file shows. */
export function createPatchDirectiveFinding(data: AlteredObjectsData, source: Source): Finding {
  return kustomization.createFinding('patchDirective', { path: ROOT_PATH, data, source, severity: 'error' });
}

/** Creates the finding for an object with a text that Flux fills in after the check. */
export function createFilledInLaterFinding(data: AlteredObjectsData, source: Source): Finding {
  return kustomization.createFinding('filledInLater', { path: ROOT_PATH, data, source, severity: 'error' });
}

/** Creates the finding for an object that follows another one in a stream of JSON, which kustomize and Helm read in another way than kubectl. */
export function createJsonStreamFinding(data: Omit<AlteredObjectsData, 'field'>, source: Source, severity: 'warning' | 'error'): Finding {
  return kustomization.createFinding('jsonStream', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for an object with a field that kubectl and kustomize read from different places of a merge. */
export function createMergedFieldFinding(data: AlteredObjectsData, source: Source, severity: 'warning' | 'error'): Finding {
  return kustomization.createFinding('mergedField', { path: ROOT_PATH, data, source, severity });
}

/** Creates the finding for an object with a word that kubectl reads as a boolean, and kustomize as text. */
export function createBooleanWordFinding(data: Omit<AlteredObjectsData, 'field'>, source: Source): Finding {
  return kustomization.createFinding('booleanWord', { path: ROOT_PATH, data, source, severity: 'error' });
}

/** Creates the finding for two objects that are planned in different namespaces, and put into one. */
export function createMergedNamespacesFinding(
  data: MergedNamespacesData,
  source: Source | undefined,
  severity: 'warning' | 'error',
): Finding {
  return kustomization.createFinding('mergedNamespaces', { path: ROOT_PATH, data, severity, ...(source && { source }) });
}

/** Creates the finding for a document without a kind or a name in a file that a kustomization lists. */
export function createUnnamedFinding(source: Source, severity: 'warning' | 'error'): Finding {
  return kustomization.createFinding('unnamed', { path: ROOT_PATH, data: { file: source.file }, source, severity });
}

/** Creates the finding for an object that makes its tool apply a folder in which no file was read. */
export function createUnreadSourceFinding(data: UnreadSourceData, source: Source | undefined): Finding {
  return kustomization.createFinding('unreadSource', { path: ROOT_PATH, data, severity: 'error', ...(source && { source }) });
}

/** Creates the finding for a file that an object makes Argo CD render with Jsonnet. */
export function createJsonnetFinding(data: JsonnetData, source: Source | undefined): Finding {
  return kustomization.createFinding('jsonnet', { path: ROOT_PATH, data, severity: 'error', ...(source && { source }) });
}

/** Creates the finding for a file that a change adds, deletes or changes, and with which a tool decides what it applies. */
export function createMarkerChangeFinding(data: MarkerChangeData, severity: 'warning' | 'error'): Finding {
  return kustomization.createFinding('markerChange', { path: ROOT_PATH, data, source: { file: data.file, line: 1 }, severity });
}

/** Creates the finding for a file with which a tool leaves out others. */
export function createIgnoredFilesFinding(file: string, data: Omit<IgnoredFilesData, 'file'>, severity: 'info' | 'error'): Finding {
  return kustomization.createFinding('ignoredFiles', { path: ROOT_PATH, data: { file, ...data }, source: { file, line: 1 }, severity });
}

/** Creates the finding for files that a tool leaves out because of their names or folders. */
export function createIgnoredNamesFinding(data: Omit<IgnoredFilesData, 'file'>, severity: 'info' | 'error'): Finding {
  return kustomization.createFinding('ignoredNames', { path: ROOT_PATH, data, source: { file: data.first, line: 1 }, severity });
}

/** Creates the finding for files that Fleet renders with Helm although no chart is there. */
export function createFleetTemplatesFinding(data: Omit<IgnoredFilesData, 'file' | 'tool'>, severity: 'info' | 'error'): Finding {
  return kustomization.createFinding('fleetTemplates', { path: ROOT_PATH, data, source: { file: data.first, line: 1 }, severity });
}

/** Creates the finding for a file that overrides the source of an Application. */
export function createArgoCdSourceFinding(file: string, severity: 'info' | 'error'): Finding {
  return kustomization.createFinding('argoCdSource', { path: ROOT_PATH, data: { file }, source: { file, line: 1 }, severity });
}

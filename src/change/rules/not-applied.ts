import type { ApplyTool } from '../../core/document/change';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { pluralize } from '../../core/text/text-format';

interface NotAppliedData {
  /** `Deployment shop/web` */
  readonly object: string;
  readonly tool: ApplyTool;
  /** Name of the tool for messages. */
  readonly title: string;
}

interface MovedData extends NotAppliedData {
  /** `Application argocd/shop` */
  readonly by: string;
}

interface MovedFromSourceData extends MovedData {
  /** Another object that makes its tool apply the object: `Kustomization flux-system/web`. Absent if there is none. */
  readonly other?: string;
}

interface MovedOutData {
  readonly object: string;
  /** Folder of the chart or bundle. */
  readonly folder: string;
}

interface MovedInData extends MovedOutData {
  /** Folder of the bundle around it, which contains the file too. */
  readonly outer: string;
}

interface OtherRepositoryData {
  /** `Application argocd/shop` */
  readonly by: string;
  /** Name of the tool for messages. */
  readonly title: string;
  readonly objects: number;
  /** The first of them: `Deployment shop/web` */
  readonly first: string;
}

interface SuspendedData extends MovedData {
  /** Number of the objects that differ. `object` is the first. */
  readonly objects: number;
}

interface KeptData extends NotAppliedData {
  /** `Application argocd/shop` */
  readonly by: string;
  /** Number of the fields that keep their live value. */
  readonly fields: number;
  /** Path of the first of these fields. */
  readonly first: string;
}

function render(annotations: string): string {
  const web = (image: string, metadata: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop${metadata} }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
  return `# rolloutkit plan --apply flux --from old.yaml new.yaml
# old.yaml
${web('web:1', '')}# new.yaml
${web('web:2', annotations)}`;
}

const HELP = 'Remove it. If another tool applies the object, name it with --apply, such as --apply client for kubectl.';

/** A changed object that its tool leaves as it is, because an annotation or a label says so. */
export const notApplied = defineRule({
  code: 'change/not-applied',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires:
    'An object differs, and an annotation or a label makes the tool that applies it leave it as it is, or its Kustomization or HelmRelease of Flux is suspended, or an Application that comes with the change makes Argo CD keep its fields. Or its file moves into a folder that its Application does not read, out of a chart or a bundle, into a bundle inside of its own, or out of what a Kustomization of Flux or an Application with pruning applies, or one of these reads its folder from another repository.',
  why:
    'Flux does not update an object with the annotation or label kustomize.toolkit.fluxcd.io/ssa: IfNotPresent or Ignore, or kustomize.toolkit.fluxcd.io/reconcile: disabled. ' +
    'An object with config.kubernetes.io/local-config is not in what kustomize builds, so Flux deletes it if it prunes. ' +
    'The change is not planned, so it must not hide one that kubectl or another tool applies. It is an error for a workload that gets it with this change. ' +
    'An Application with ignoreDifferences and RespectIgnoreDifferences=true keeps fields in the same way; spec.replicas, which an autoscaler may own, is not reported.',
  fix: 'Remove the annotation or label from what should be updated, or name the tool that applies the object.',
  example: render(', annotations: { kustomize.toolkit.fluxcd.io/reconcile: disabled }'),
  fixedExample: render(''),
  messages: {
    becomesIgnored: defineMessage<NotAppliedData>({
      text: ({ object, title }) =>
        `A new annotation or label makes ${title} leave ${object} as it is. Its changes are not planned, but kubectl would apply them.`,
      help: () => HELP,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux' },
    }),
    becomesKept: defineMessage<KeptData>({
      text: ({ object, title, by, fields, first }) =>
        `${by}, which this change adds or alters, makes ${title} keep ${first}${fields === 1 ? '' : ` and ${pluralize(fields - 1, 'more field')}`} of ${object} as it is. The changes below it are not planned, but kubectl would apply them.`,
      help: ({ by }) =>
        `Change ${by} first, in a change of its own. If another tool applies the object, name it with --apply, such as --apply client for kubectl.`,
      sample: {
        object: 'Deployment shop/web',
        tool: 'argo-cd',
        title: 'Argo CD',
        by: 'Application argocd/shop',
        fields: 1,
        first: 'spec.template',
      },
      variants: [
        { object: 'StatefulSet db', tool: 'argo-cd', title: 'Argo CD', by: 'Application argocd/db', fields: 3, first: 'spec.template' },
      ],
    }),
    moved: defineMessage<MovedData>({
      text: ({ object, title, by }) =>
        `The file of ${object} is now in a folder below that of ${by}, which reads no folders below: ${title} does not apply it, and deletes it if it prunes.`,
      help: ({ by }) => `Move the file back, or set directory.recurse of ${by}.`,
      sample: { object: 'Deployment shop/web', tool: 'argo-cd', title: 'Argo CD', by: 'Application argocd/shop' },
    }),
    movedFromSource: defineMessage<MovedFromSourceData>({
      text: ({ object, title, by, other }) =>
        `${by} no longer applies ${object}, whose file moves or gets another name: ${title} deletes it${other === undefined ? '' : `, unless ${other} applies it first`}.`,
      help: ({ object, by }) =>
        `Move the file back, or first let ${by} keep ${object}, with its prune set to false, in a change of its own.`,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux', by: 'Kustomization flux-system/apps' },
      variants: [
        {
          object: 'Deployment shop/web',
          tool: 'argo-cd',
          title: 'Argo CD',
          by: 'Application argocd/shop',
          other: 'Application argocd/web',
        },
      ],
    }),
    movedOut: defineMessage<MovedOutData>({
      text: ({ object, folder }) =>
        `The file of ${object} is no longer part of ${folder}, which Helm or Fleet applies as one release: the release then lacks the object, so it is deleted unless another tool applies it.`,
      help: ({ folder }) => `Move the file back into ${folder}, or delete and create the object in two changes.`,
      sample: { object: 'Deployment shop/web', folder: 'charts/web' },
    }),
    movedIn: defineMessage<MovedInData>({
      text: ({ object, folder, outer }) =>
        `The file of ${object} is now also part of ${folder}, a bundle inside of ${outer}: Fleet applies the object with both, each upgrade takes it over, and it is deleted with either.`,
      help: ({ folder, outer }) => `Move the file back out of ${folder}, or exclude ${folder} from ${outer} with a .fleetignore.`,
      sample: { object: 'Deployment shop/web', folder: 'apps/web', outer: 'apps' },
    }),
    otherRepository: defineMessage<OtherRepositoryData>({
      text: ({ by, title, objects, first }) =>
        `${by} applied ${objects === 1 ? first : `${pluralize(objects, 'object')} of NEW, such as ${first},`} and reads another repository with this change. What that contains is not known: ${title} may change or delete ${objects === 1 ? 'it' : 'them'}, or leave ${objects === 1 ? 'it' : 'them'} as ${objects === 1 ? 'it is' : 'they are'}.`,
      help: ({ by }) => `Plan the folder of ${by} in that repository from the one that it applied before.`,
      sample: { by: 'Application argocd/shop', title: 'Argo CD', objects: 1, first: 'Deployment shop/web' },
      variants: [{ by: 'Kustomization flux-system/apps', title: 'Flux', objects: 2, first: 'Deployment shop/web' }],
    }),
    dropped: defineMessage<NotAppliedData>({
      text: ({ object, title }) =>
        `The annotation config.kubernetes.io/local-config makes kustomize, which ${title} runs, drop ${object}. ${title} does not apply it, and deletes it if it prunes.`,
      help: () => HELP,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux' },
    }),
    suspended: defineMessage<SuspendedData>({
      text: ({ object, by, objects }) =>
        `${by} is suspended: Flux applies ${objects === 1 ? `the change of ${object}` : `the changes of ${pluralize(objects, 'object')}, such as ${object},`} only once it is resumed.`,
      help: ({ by }) => `Resume ${by}. If another tool applies the objects, name it with --apply, such as --apply client for kubectl.`,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux', by: 'Kustomization flux-system/apps', objects: 1 },
      variants: [{ object: 'Deployment shop/web', tool: 'flux', title: 'Flux', by: 'Kustomization flux-system/apps', objects: 3 }],
    }),
    ignored: defineMessage<NotAppliedData>({
      text: ({ object, title }) =>
        `${object} differs, but an annotation or a label makes ${title} leave it as it is. Its changes are not planned, but kubectl would apply them.`,
      help: () => HELP,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux' },
    }),
  },
});

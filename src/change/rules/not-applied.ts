import type { ApplyTool } from '../../core/change';
import { defineMessage, defineRule } from '../../core/finding';

interface NotAppliedData {
  /** `Deployment shop/web` */
  readonly object: string;
  readonly tool: ApplyTool;
  /** Name of the tool for messages. */
  readonly title: string;
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

const HELP = 'Remove the annotation. If another tool applies the object, name it with --apply, such as --apply client for kubectl.';

/** A changed object that its tool leaves as it is, because an annotation says so. */
export const notApplied = defineRule({
  code: 'change/not-applied',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires: 'An object differs, and an annotation makes the tool that applies it leave it as it is.',
  why:
    'Flux does not update an object with the annotation kustomize.toolkit.fluxcd.io/ssa: IfNotPresent or Ignore, or kustomize.toolkit.fluxcd.io/reconcile: disabled. ' +
    'The change is not planned, so an annotation must not hide one that kubectl or another tool applies. It is an error for a workload that gets the annotation with this change.',
  fix: 'Remove the annotation from what should be updated, or name the tool that applies the object.',
  example: render(', annotations: { kustomize.toolkit.fluxcd.io/reconcile: disabled }'),
  fixedExample: render(''),
  messages: {
    becomesIgnored: defineMessage<NotAppliedData>({
      text: ({ object, title }) =>
        `A new annotation makes ${title} leave ${object} as it is. Its changes are not planned, but kubectl would apply them.`,
      help: () => HELP,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux' },
    }),
    ignored: defineMessage<NotAppliedData>({
      text: ({ object, title }) =>
        `${object} differs, but an annotation makes ${title} leave it as it is. Its changes are not planned, but kubectl would apply them.`,
      help: () => HELP,
      sample: { object: 'Deployment shop/web', tool: 'flux', title: 'Flux' },
    }),
  },
});

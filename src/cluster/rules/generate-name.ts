import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanContext } from '../context';

interface GenerateNameData {
  readonly kind: string;
  readonly generateName: string;
  /** Name of the tool: `kubectl apply`. */
  readonly tool: string;
}

const EXAMPLE = `apiVersion: apps/v1
kind: Deployment
metadata:
  generateName: web-
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web:1, readinessProbe: { tcpSocket: { port: 80 } } }]
`;

/** Reports an object whose name the API server is to generate, which an apply cannot find again. */
export const generateName = defineRule({
  code: 'kubernetes/generate-name',
  since: '0.1.0',
  severity: 'error',
  fires: 'An object that rolls out has generateName and no name, and its tool applies it by name.',
  why: 'An apply changes the object of a name. "kubectl apply" refuses generateName, and "kubectl create" makes another object each time.',
  fix: 'Write metadata.name.',
  example: EXAMPLE,
  fixedExample: EXAMPLE.replace('generateName: web-', 'name: web'),
  messages: {
    refused: defineMessage<GenerateNameData>({
      text: ({ kind, generateName: prefix, tool }) =>
        `This ${kind} has generateName "${prefix}" and no name, which ${tool} refuses: it finds an object by its name.`,
      help: () => 'Write metadata.name instead. "kubectl create" accepts generateName, but makes another object each time.',
      sample: { kind: 'Deployment', generateName: 'web-', tool: 'kubectl apply' },
    }),
  },
});

/** Tools that create such an object, each time another one. */
const CREATING_MODES: ReadonlySet<string> = new Set(['argocd', 'pulumi']);

/** Reports an object that rolls out and has generateName instead of a name. */
export function checkGenerateName(object: Manifest, context: PlanContext): Finding[] {
  const { name, generateName: prefix } = getFieldsAt(object, 'metadata');
  if (typeof prefix !== 'string' || prefix === '' || (typeof name === 'string' && name !== '')) return [];
  const applied = context.applierOf?.(object);
  if (applied && CREATING_MODES.has(applied.applier.mode)) return [];
  const path = toFieldPath`metadata.generateName`;
  const source = context.locate(object, path);
  const data = { kind: object.kind, generateName: prefix, tool: applied?.applier.title ?? 'kubectl apply' };
  return [generateName.createFinding('refused', { path, data, ...(source && { source }) })];
}

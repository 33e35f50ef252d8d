import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { annotationOf, getFieldsAt, groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Applier } from '../../appliers/applier';
import type { PlanContext } from '../context/context';

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
  fires:
    'An object has generateName and no name, and its tool applies it by name. For a built-in object that does not roll out, such as a Job, it is a warning.',
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

/** Annotation with which Argo CD creates an object at each sync. */
const HOOK_ANNOTATION = 'argocd.argoproj.io/hook';

/** API groups of objects that Kubernetes itself has. */
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(['', 'apps', 'autoscaling', 'batch', 'policy']);

/** Returns the prefix of an object without a name. */
function prefixOf(object: Manifest): string | undefined {
  const { name, generateName: prefix } = getFieldsAt(object, 'metadata');
  const isNamed = typeof name === 'string' && name !== '';
  return !isNamed && typeof prefix === 'string' && prefix !== '' ? prefix : undefined;
}

/** Returns the prefix of the name that the API server is to generate, if the tool refuses that; undefined otherwise. */
export function findRefusedPrefix(object: Manifest, applier: Applier | undefined): string | undefined {
  const isCreated = applier && CREATING_MODES.has(applier.mode);
  return isCreated || annotationOf(object, HOOK_ANNOTATION) !== undefined ? undefined : prefixOf(object);
}

/** Reports whether a tool creates another object at each apply, since it never finds the one that it created before. Pulumi remembers its objects. */
export function isCreatedEachTime(object: Manifest, { mode }: Applier): boolean {
  return mode === 'argocd' && prefixOf(object) !== undefined;
}

/**
 * Reports an object that has generateName instead of a name.
 *
 * @param rollsOut - whether a system plans it. Others may be meant for "kubectl create", so they are a warning
 */
export function checkGenerateName(object: Manifest, rollsOut: boolean, context: PlanContext): Finding[] {
  if (prefixOf(object) === undefined || (!rollsOut && !BUILT_IN_GROUPS.has(groupOf(object)))) return [];
  const applier = context.applierOf?.(object)?.applier;
  const prefix = findRefusedPrefix(object, applier);
  if (prefix === undefined) return [];
  const path = toFieldPath`metadata.generateName`;
  const source = context.locate(object, path);
  const data = { kind: object.kind, generateName: prefix, tool: applier?.title ?? 'kubectl apply' };
  return [
    generateName.createFinding('refused', { path, data, ...(!rollsOut && { severity: 'warning' as const }), ...(source && { source }) }),
  ];
}

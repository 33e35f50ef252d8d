import type { ApplyTool, AssumedApplier, ObjectChange, PlannedChange } from '../../core/document/change';
import { escapeForTerminal } from '../../core/text/escape-output';
import { MAX_LISTED_NAMES, pluralize } from '../../core/text/text-format';
import { formatResourceLabel } from '../findings/text-findings';

/** Names of tools in texts. */
const TOOL_NAMES: Readonly<Record<ApplyTool, string>> = {
  kubectl: 'kubectl apply',
  'kubectl-server-side': 'kubectl apply --server-side',
  'kubectl-replace': 'kubectl replace',
  'helm-3': 'Helm (client-side)',
  'helm-4': 'Helm 4',
  flux: 'a Flux Kustomization',
  'flux-helm': 'a Flux HelmRelease',
  'argo-cd': 'Argo CD',
  'argo-cd-server-side': 'Argo CD with ServerSideApply=true',
  fleet: 'Fleet',
  pulumi: 'Pulumi',
};

/** Formats which tools are assumed to apply the objects that differ, and why: `assumes that Helm 4 applies 3 objects (field manager "helm")`. */
export function formatAssumedAppliers({ objects }: PlannedChange): string[] {
  const counts = new Map<string, { readonly applier: AssumedApplier; count: number }>();
  for (const { applier, effect } of objects) {
    if (!applier || effect === 'none') continue;
    const known = counts.get(applier.tool);
    if (known) known.count++;
    else counts.set(applier.tool, { applier, count: 1 });
  }
  const assumed = [...counts.values()].map(({ applier: { tool, because }, count }) =>
    escapeForTerminal(`assumes that ${TOOL_NAMES[tool]} applies ${pluralize(count, 'object')} (${because}); --apply names another tool`),
  );
  return [...assumed, ...formatKeptFields(objects)];
}

/** Formats the live values that Argo CD keeps: `Argo CD keeps the live spec.replicas 1 of Deployment shop/web: its Application ignores this field`. */
function formatKeptFields(objects: readonly ObjectChange[]): string[] {
  const lines = objects.flatMap(({ resource, keeps = [] }) =>
    keeps.map(
      ({ path, value }) =>
        `Argo CD keeps the live ${escapeForTerminal(path)}${value === undefined ? '' : ` ${value}`} of ${formatResourceLabel(resource)}: its Application ignores this field`,
    ),
  );
  const omittedCount = lines.length - MAX_LISTED_NAMES;
  return omittedCount > 0 ? [...lines.slice(0, MAX_LISTED_NAMES), `Argo CD keeps ${omittedCount} more live values`] : lines;
}

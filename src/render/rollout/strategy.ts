import type { Provenance } from '../../core/document/provenance';
import type { CreatedObject, PlannedRollout } from '../../core/document/rollout';
import { escapeForTerminal, formatValueForTerminal } from '../../core/text/escape-output';
import { pluralizeOrNo } from '../../core/text/text-format';

/** Formats a field: `maxSurge 25%`. The value of a type needs no name. */
function formatField({ field, value }: Provenance): string {
  return field === 'type' ? formatValueForTerminal(value) : `${escapeForTerminal(field)} ${formatValueForTerminal(value)}`;
}

/** Formats the level that decides. Overridden levels with the same value changed nothing, so only `explain` lists them. */
function formatLevel({ layer, value, overridden }: Provenance): string {
  const differing = overridden.filter((level) => formatValueForTerminal(level.value) !== formatValueForTerminal(value));
  const over = differing.map((level) => `${escapeForTerminal(level.layer)} ${formatValueForTerminal(level.value)}`);
  return over.length === 0 ? escapeForTerminal(layer) : `${escapeForTerminal(layer)}, over ${over.join(' and ')}`;
}

/** Formats each field with the level that decided it. Consecutive fields decided by one level share its name. */
function formatProvenance(provenance: readonly Provenance[]): string {
  return provenance
    .map((entry, index) => {
      const level = formatLevel(entry);
      const next = provenance[index + 1];
      return next && formatLevel(next) === level ? formatField(entry) : `${formatField(entry)} (${level})`;
    })
    .join(', ');
}

const CUSTOMIZATION_LAYER = 'target-customization';

/** Formats `customized: large on 3 clusters`. `explain` lists the clusters. */
function formatCustomizations(customizations: readonly Provenance[]): string {
  const counts = new Map<string, number>();
  for (const { value } of customizations) {
    const name = Array.isArray(value) ? value.map(formatValueForTerminal).join(' + ') : formatValueForTerminal(value);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].map(([name, count]) => `${name} on ${pluralizeOrNo(count, 'cluster')}`);
  return names.length === 0 ? '' : `; customized: ${names.join(', ')}`;
}

/** Text of a rollout whose object the API server, a webhook or the controller refuses. The finding says why. */
export const REFUSED_TEXT = 'refused: see the error';

/** Reports whether an object is refused, so that it has neither a strategy nor a simulation. No error about an upgrade is a refusal. */
export function isRefused({ strategy, simulation, findings }: PlannedRollout): boolean {
  return (
    strategy === null && simulation === null && findings.some(({ code, severity }) => severity === 'error' && !code.startsWith('upgrade/'))
  );
}

/** Formats the strategy on one line, with the levels that decided it. */
export function formatRolloutStrategy(rollout: PlannedRollout): string {
  const { strategy, provenance, simulation } = rollout;
  if (isRefused(rollout)) return REFUSED_TEXT;
  const customizations = provenance.filter(({ layer }) => layer === CUSTOMIZATION_LAYER);
  const fields = provenance.filter(({ layer }) => layer !== CUSTOMIZATION_LAYER);
  if (fields.length > 0) return `${formatProvenance(fields)}${formatCustomizations(customizations)}`;
  if (simulation?.kind === 'revision') return 'a new Revision replaces the old one';
  return strategy === null ? 'no strategy' : formatValueForTerminal(strategy);
}

/** Formats a created object: `creates Deployment models/iris-predictor with 4 replicas`. */
export function formatCreatedObject({ kind, namespace, name, replicas }: CreatedObject): string {
  const path = escapeForTerminal(namespace === undefined ? name : `${namespace}/${name}`);
  return `creates ${escapeForTerminal(kind)} ${path}${replicas === undefined ? '' : ` with ${pluralizeOrNo(replicas, 'replica')}`}`;
}

/** Reports whether another controller replaces the pods of a rollout, which a finding says, so that there are no rows. */
export function isRunByOther({ findings }: PlannedRollout): boolean {
  return findings.some(({ code, messageId }) => code === 'kubernetes/other-owner' && messageId === 'kruise');
}

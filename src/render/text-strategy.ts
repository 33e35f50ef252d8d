import type { Provenance } from '../core/provenance';
import type { Created, PlannedRollout } from '../core/rollout';
import { visible, visibleValue } from '../core/visible';
import { countedOrNo } from '../core/words';

/** `maxSurge 25%`; a type says what it is by itself. */
function fieldText({ field, value }: Provenance): string {
  return field === 'type' ? visibleValue(value) : `${visible(field)} ${visibleValue(value)}`;
}

/** A level that lost with the same value changed nothing, so only `explain` names it. */
function levelText({ layer, value, overridden }: Provenance): string {
  const differing = overridden.filter((level) => visibleValue(level.value) !== visibleValue(value));
  const over = differing.map((level) => `${visible(level.layer)} ${visibleValue(level.value)}`);
  return over.length === 0 ? visible(layer) : `${visible(layer)}, over ${over.join(' and ')}`;
}

/** Each field with the level that decided it; neighbours that one level decided share its name. */
function provenanceText(provenance: readonly Provenance[]): string {
  return provenance
    .map((entry, index) => {
      const level = levelText(entry);
      const next = provenance[index + 1];
      return next && levelText(next) === level ? fieldText(entry) : `${fieldText(entry)} (${level})`;
    })
    .join(', ');
}

const CUSTOMIZATION = 'target-customization';

/** `customized: large on 3 clusters`; which clusters those are, `explain` tells. */
function customizationText(customizations: readonly Provenance[]): string {
  const counts = new Map<string, number>();
  for (const { value } of customizations) {
    const name = Array.isArray(value) ? value.map(visibleValue).join(' + ') : visibleValue(value);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].map(([name, count]) => `${name} on ${countedOrNo(count, 'cluster')}`);
  return names.length === 0 ? '' : `; customized: ${names.join(', ')}`;
}

/** The strategy on one line, with who decided it. */
export function strategyText({ strategy, provenance, simulation }: PlannedRollout): string {
  const customizations = provenance.filter(({ layer }) => layer === CUSTOMIZATION);
  const fields = provenance.filter(({ layer }) => layer !== CUSTOMIZATION);
  if (fields.length > 0) return `${provenanceText(fields)}${customizationText(customizations)}`;
  if (simulation?.kind === 'revision') return 'a new Revision, replaced as a whole';
  return strategy === null ? 'no strategy' : visibleValue(strategy);
}

/** `creates Deployment models/iris-predictor with 4 replicas`. */
export function createdText({ kind, namespace, name, replicas }: Created): string {
  const path = visible(namespace === undefined ? name : `${namespace}/${name}`);
  return `creates ${visible(kind)} ${path}${replicas === undefined ? '' : ` with ${countedOrNo(replicas, 'replica')}`}`;
}

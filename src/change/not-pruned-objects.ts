import { APPLIER_BY_MODE } from '../appliers/detect-applier';
import type { Applier } from '../appliers/applier';
import { isLive } from '../appliers/live-object';
import { ROOT_PATH } from '../core/field-path';
import type { Finding } from '../core/finding';
import { addToGroup } from '../core/group-by';
import { describeObject } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { helmTemplate } from '../core/rules/helm-template';
import { kustomization } from '../core/rules/kustomization';
import { notRead } from '../core/rules/not-read';
import { detectByFolder, isKeptByApplier } from '../plan/appliers-in-view';
import { isIncomplete } from './comparison-findings';
import { incompleteInformation } from './rules/incomplete-information';
import type { EvaluatedChange } from './steps/evaluate-effects';

/** Tools that delete what a release no longer contains, whatever their settings are. */
const PRUNING_MODES: ReadonlySet<Applier['mode']> = new Set(['helm', 'helm4', 'fleet', 'pulumi']);

/** Reports whether NEW may contain further objects, in what is not read of it. */
function mayContainMore(findings: readonly Finding[]): boolean {
  const isOpen = (finding: Finding) =>
    helmTemplate.matches(finding) ||
    kustomization.matches(finding) ||
    (notRead.matches(finding) && !notRead.matches(finding, 'unrendered'));
  return isIncomplete(findings) || findings.some(isOpen);
}

/** Reports the manifests of OLD that NEW lacks and that their tool deletes, although the plan keeps them. */
export function collectNotPruned({ kept, options, old, next, versions }: EvaluatedChange): Finding[] {
  if (kept.length === 0 || options.prune || mayContainMore(next.findings ?? [])) return [];
  const byTool = new Map<string, Manifest[]>();
  for (const object of kept) {
    const applied = options.apply ? { applier: APPLIER_BY_MODE[options.apply] } : detectByFolder(old.textOf?.(object)?.unit, versions);
    if (!applied || !PRUNING_MODES.has(applied.applier.mode) || isLive(object) || isKeptByApplier(object, applied)) continue;
    addToGroup(byTool, applied.applier.title, object);
  }
  return [...byTool].map(([tool, objects]) => {
    const data = { tool, objects: objects.length, first: describeObject(objects[0]!) };
    return incompleteInformation.createFinding('not-pruned', { path: ROOT_PATH, data, severity: 'warning' });
  });
}

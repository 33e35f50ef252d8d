import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { getValueAt } from '../../../core/manifest/manifest';
import { renderInferenceService } from './examples';

interface TrafficData {
  /** Percentage of the requests that the newest revision gets. */
  readonly percent: number;
  /** Percentage that the other revision gets. */
  readonly rest: number;
}

interface RevisionsData extends TrafficData {
  readonly newest: string;
  readonly other: string;
}

const SPLIT = (percent: number) => renderInferenceService({ predictor: [`canaryTrafficPercent: ${percent}`] });

function buildExample(before: number, after: number): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${SPLIT(before)}# new.yaml
${SPLIT(after)}`;
}

const REVISIONS: RevisionsData = { percent: 0, rest: 100, newest: 'iris-predictor-00002', other: 'iris-predictor-00001' };

/** Reports who gets the requests once a canaryTrafficPercent changes without a new revision. */
export const canaryTraffic = defineRule({
  code: 'kserve/canary-traffic',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires: 'A change of a service in mode Knative sets canaryTrafficPercent below 100 and creates no revision.',
  why:
    'KServe gives the newest revision this percentage and the rest to the revision that was rolled out last. If that is the newest revision itself, because it was promoted, ' +
    'KServe rolls back: the rest goes to the revision before it, whose pods may have been scaled down to 0. Their requests wait until pods have started, and the newest revision keeps its pods. ' +
    'Source: KServe v0.15 to v0.20, ksvc_reconciler.go, `createKnativeService`, and inference_service_status.go, `PropagateStatus`.',
  fix: 'Read `status.components` of the service to see which revision was rolled out last. To undo a promoted version, apply its old template.',
  example: buildExample(20, 0),
  fixedExample: buildExample(20, 20),
  messages: {
    running: defineMessage<RevisionsData>({
      text: ({ percent, rest, newest, other }) => `Revision ${newest} gets ${percent}% of the requests, and ${other} gets ${rest}%.`,
      help: () => 'Nothing needs to be done. Both revisions keep their pods until canaryTrafficPercent is 100 or removed.',
      sample: REVISIONS,
    }),
    rollback: defineMessage<RevisionsData>({
      text: ({ percent, rest, newest, other }) =>
        `Revision ${newest} was promoted already, so KServe rolls back: it keeps ${percent}% of the requests and its pods, and ${other}, whose pods may be scaled down to 0, gets ${rest}%.`,
      help: () => 'Apply the old template instead: a new revision is ready before it gets requests.',
      sample: REVISIONS,
    }),
    unknown: defineMessage<TrafficData>({
      text: ({ percent, rest }) =>
        `The newest revision gets ${percent}% of the requests. The other ${rest}% go to the revision that was rolled out last, or to the one before if the newest was promoted already.`,
      help: () => 'Read status.components of the service in the cluster, or pass it as OLD.',
      sample: { percent: 0, rest: 100 },
    }),
  },
});

/** Returns the name of a revision in the status of a component. */
function revisionOf(status: unknown, component: string, field: string): string | undefined {
  const name = getValueAt(status, 'components', component, field);
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/**
 * Reports whether a component may have a revision besides the newest one, for a share of its requests.
 *
 * @param status status of the live service; undefined for a manifest
 */
export function mayHaveOlderRevision(component: string, status: unknown): boolean {
  const [newest, rolledOut, previous] = ['latestReadyRevision', 'latestRolledoutRevision', 'previousRolledoutRevision'].map((field) =>
    revisionOf(status, component, field),
  );
  return newest === undefined || newest !== rolledOut || previous !== undefined;
}

/**
 * Reports who gets the requests of a component.
 *
 * @param status status of the live service; undefined for a manifest
 */
export function checkCanaryTraffic(component: string, path: FieldPath, percent: unknown, status: unknown): Finding[] {
  if (!isInt32(percent) || percent < 0 || percent >= 100) return [];
  const occurrence = { path: appendToPath(path, 'canaryTrafficPercent') };
  const data = { percent, rest: 100 - percent };
  const newest = revisionOf(status, component, 'latestReadyRevision');
  const rolledOut = revisionOf(status, component, 'latestRolledoutRevision');
  if (newest === undefined || rolledOut === undefined)
    return [canaryTraffic.createFinding('unknown', { ...occurrence, severity: 'info', data })];
  if (newest !== rolledOut)
    return [canaryTraffic.createFinding('running', { ...occurrence, severity: 'info', data: { ...data, newest, other: rolledOut } })];
  const previous = revisionOf(status, component, 'previousRolledoutRevision');
  // Without an earlier revision, both shares reach the newest one.
  if (previous === undefined) return [];
  return [canaryTraffic.createFinding('rollback', { ...occurrence, severity: 'warning', data: { ...data, newest, other: previous } })];
}

import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { writeServiceWithTraffic } from './examples';
import { TRAFFIC_PATH } from '../service';
import type { KnativeService } from '../service';

/** A new Revision of a service gets no requests. */
export const pinnedTraffic = defineRule({
  code: 'knative/pinned-traffic',
  since: '0.1.0',
  severity: 'info',
  fires: 'The traffic of a Service of Knative names Revisions only, and not the newest one.',
  why: 'A change creates a Revision and starts its pods until it is ready. No request reaches it, so it scales to zero, and the old Revisions keep serving until traffic changes.',
  fix: 'Add a target with latestRevision: true, or name the new Revision once it is ready.',
  example: writeServiceWithTraffic(2, '{ revisionName: hello-00001, percent: 100 }'),
  fixedExample: writeServiceWithTraffic(2, '{ latestRevision: true, percent: 10 }', '{ revisionName: hello-00001, percent: 90 }'),
  messages: {
    pinned: defineMessage<object>({
      text: () => 'Traffic names no latest Revision, so a new Revision starts its pods and gets no requests until traffic names it.',
      help: () => 'Add a target with latestRevision: true, or name the new Revision once it is ready.',
      sample: {},
    }),
  },
});

/** Reports traffic that leaves the newest Revision out. */
export function checkPinnedTraffic({ targetsLatest }: KnativeService): Finding[] {
  return targetsLatest ? [] : [pinnedTraffic.createFinding('pinned', { path: TRAFFIC_PATH, data: {} })];
}

import { getFieldsAt, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { countPodsOfJob } from '../capacity/other-pods';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { JOB_KINDS } from '../kinds/context-kinds';

/** Pods of a Job or CronJob while it runs. */
export interface JobPods {
  readonly object: Manifest;
  readonly template: Fields;
  /** Pods that run at once. */
  readonly pods: number;
}

/** Reports whether a tool runs an object as a hook, but not while it upgrades: the pods of a Service may not exist then. */
function runsOutsideUpgrades(object: Manifest, { applierOf }: PlanContext): boolean {
  return applierOf?.(object)?.applier.hookOf?.(object)?.runsOnUpgrade === false;
}

function toJobPods(object: Manifest, job: Fields): JobPods {
  return { object, template: getFieldsAt(job, 'spec', 'template'), pods: countPodsOfJob(job) };
}

/** Lists the Jobs and CronJobs that run pods: none that is suspended or finished, and no hook that an upgrade does not run. */
export const listJobs = memoizePerPlan((context): readonly JobPods[] => {
  const jobs = context.all(JOB_KINDS.job).map((object) => toJobPods(object, object));
  const cronJobs = context
    .all(JOB_KINDS.cronJob)
    .filter((object) => getValueAt(object, 'spec', 'suspend') !== true)
    .map((object) => toJobPods(object, getFieldsAt(object, 'spec', 'jobTemplate')));
  return [...jobs, ...cronJobs].filter(({ object, pods }) => pods > 0 && !runsOutsideUpgrades(object, context));
});

/** Reports whether a container of a template has a readiness probe, so that its pods may never be ready. */
export function hasReadinessProbe(template: Fields): boolean {
  return getListAt(template, 'spec', 'containers').some((container) => getValueAt(container, 'readinessProbe') !== undefined);
}

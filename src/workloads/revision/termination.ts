import type { PlanContext } from '../../cluster/context/context';
import { isInt32 } from '../../core/values/int-or-percent';
import type { RequestTermination } from '../../core/document/request-termination';
import { knativeConfigOf } from './config';

/**
 * Returns how long a running request lives: the timeout of a request is the grace period of its pod, too. queue-proxy ends only after its requests,
 * and the preStop hook of the server waits for queue-proxy. Undefined if neither the Revision nor the input has the timeout.
 *
 * Source: Knative 1.21, pkg/reconciler/revision/resources/deploy.go and pkg/queue/sharedmain/main.go.
 *
 * @param timeout - seconds that the Revision sets
 */
export function computeRevisionTermination(timeout: unknown, context: PlanContext): RequestTermination | undefined {
  const seconds = isInt32(timeout) && timeout > 0 ? timeout : knativeConfigOf(context).timeoutSeconds;
  return seconds === undefined ? undefined : { requestSeconds: seconds, preStopSeconds: 0, drainSeconds: seconds, graceSeconds: seconds };
}

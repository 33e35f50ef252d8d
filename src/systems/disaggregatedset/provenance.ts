import { at } from '../../core/field-path';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { describeValue } from '../../core/seen';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';
import { ROLE_DEFAULTS } from './disaggregated-set';

/** What holds of a limit that is not written, by whether its configuration is there. */
const LEFT_OUT = {
  maxSurge: { byCrd: LWS_DEFAULTS.maxSurge, byController: ROLE_DEFAULTS.surge },
  maxUnavailable: { byCrd: LWS_DEFAULTS.maxUnavailable, byController: ROLE_DEFAULTS.unavailable },
} as const;

function limitProvenance(role: unknown, index: number, limit: keyof typeof LEFT_OUT): Provenance {
  const { rollingUpdateConfiguration: configuration } = fieldsAt(role, 'spec', 'rolloutStrategy');
  const field = `${String(fieldsAt({ role }, 'role').name)}.${limit}`;
  const path = at`spec.roles[${index}].spec.rolloutStrategy.rollingUpdateConfiguration`;
  const { byCrd, byController } = LEFT_OUT[limit];
  const decided = (value: unknown, layer: string, reason: string): Provenance => ({ field, value, layer, reason, overridden: [] });
  if (!isFields(configuration)) return decided(byController, 'lws-default', `${path} is not set; the controller takes ${byController}.`);
  const written = configuration[limit];
  if (written !== undefined && written !== null) return decided(written, 'user', `${path}.${limit} is set.`);
  return decided(byCrd, 'lws-default', `${path}.${limit} is not set; the CRD of DisaggregatedSet fills in ${describeValue(byCrd)}.`);
}

/**
 * Who decided the limits of each role, in the order of the roles; their fields are named `prefill.maxSurge` and the like.
 *
 * Source: lws 0.9.0 config/crd/bases/disaggregatedset.x-k8s.io_disaggregatedsets.yaml and pkg/controllers/disaggregatedset/executor.go.
 */
export function roleProvenance(object: Manifest): Provenance[] {
  return listAt(object, 'spec', 'roles').flatMap((role, index) =>
    (['maxSurge', 'maxUnavailable'] as const).map((limit) => limitProvenance(role, index, limit)),
  );
}

import { toFieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { describeValue } from '../../core/text/display-value';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';
import { ROLE_DEFAULTS } from './disaggregated-set';
import { toSafeText } from '../../core/text/value-text';

/** Defaults of a limit that is not set, with and without a rollingUpdateConfiguration. */
const LIMIT_DEFAULTS = {
  maxSurge: { byCrd: LWS_DEFAULTS.maxSurge, byController: ROLE_DEFAULTS.surge },
  maxUnavailable: { byCrd: LWS_DEFAULTS.maxUnavailable, byController: ROLE_DEFAULTS.unavailable },
} as const;

function buildLimitProvenance(role: unknown, index: number, limit: keyof typeof LIMIT_DEFAULTS): Provenance {
  const { rollingUpdateConfiguration: configuration } = getFieldsAt(role, 'spec', 'rolloutStrategy');
  const field = `${toSafeText(getFieldsAt({ role }, 'role').name)}.${limit}`;
  const path = toFieldPath`spec.roles[${index}].spec.rolloutStrategy.rollingUpdateConfiguration`;
  const { byCrd, byController } = LIMIT_DEFAULTS[limit];
  const buildProvenance = (value: unknown, layer: string, reason: string): Provenance => ({ field, value, layer, reason, overridden: [] });
  if (!isFields(configuration))
    return buildProvenance(byController, 'lws-default', `${path} is not set; the controller uses ${byController}.`);
  const configured = configuration[limit];
  if (configured !== undefined && configured !== null) return buildProvenance(configured, 'user', `${path}.${limit} is set.`);
  return buildProvenance(
    byCrd,
    'lws-default',
    `${path}.${limit} is not set; the CRD of DisaggregatedSet fills in ${describeValue(byCrd)}.`,
  );
}

/**
 * Builds the provenance of the limits of each role, in role order. Fields are named like `prefill.maxSurge`.
 *
 * Source: lws 0.9.0 config/crd/bases/disaggregatedset.x-k8s.io_disaggregatedsets.yaml and pkg/controllers/disaggregatedset/executor.go.
 */
export function buildRoleProvenance(object: Manifest): Provenance[] {
  return getListAt(object, 'spec', 'roles').flatMap((role, index) =>
    (['maxSurge', 'maxUnavailable'] as const).map((limit) => buildLimitProvenance(role, index, limit)),
  );
}

import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, getListAt, isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { minScaleOf } from './rollout';
import { readKnativeService, revisionNameOf, hasOtherRoutedRevisions } from './service';
import type { KnativeService } from './service';

const DEFAULT_TIMEOUT_SECONDS = 300;

/**
 * Returns the template as Knative's webhook stores it: with the defaults that it fills in, so that spelling out a default changes nothing.
 *
 * Source: knative/serving pkg/apis/serving/v1/revision_defaults.go, `SetDefaults`.
 */
function withDefaults({ template, podSpec }: KnativeService): Fields {
  const containers = getListAt(podSpec, 'containers').filter(isFields);
  const named = containers.map((container, index) => ({
    ...container,
    name: container.name || (containers.length === 1 ? 'user-container' : `user-container-${index}`),
  }));
  return {
    metadata: { annotations: {}, labels: {}, ...dropEmpty(getFieldsAt(template, 'metadata')) },
    spec: {
      containerConcurrency: 0,
      timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
      enableServiceLinks: false,
      ...dropEmpty(podSpec),
      containers: named,
    },
  };
}

function dropEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** Returns what traffic and metadata of a service decide, which no Revision contains. */
function settingsOf({ object }: KnativeService): unknown {
  const { template: _, ...others } = getFieldsAt(object, 'spec');
  return others;
}

/**
 * Computes the effect of a change of a service. Every difference in its template creates a Revision, also that of an annotation.
 *
 * Source: knative/serving pkg/reconciler/configuration/configuration.go; pkg/apis/serving/v1/service_validation.go.
 */
export function computeKnativeEffect(old: ObjectInContext, next: ObjectInContext): SystemEffect {
  const [before, after] = [old, next].map(({ object }) => readKnativeService(object)) as [KnativeService, KnativeService];
  const replicas = { old: minScaleOf(before, old.context), next: minScaleOf(after, next.context) };
  const isSame = isDeepEqual(withDefaults(before), withDefaults(after));
  if (isSame) {
    const isUnchanged = isDeepEqual(settingsOf(before), settingsOf(after));
    if (hasOtherRoutedRevisions({ old, next })) return { effect: 'unknown', replicas };
    return { effect: isUnchanged ? 'none' : 'settings', replicas };
  }
  const name = revisionNameOf(after);
  if (name !== undefined && name === revisionNameOf(before)) {
    const message = 'Saw the following changes without a name change (-current +new)';
    return { effect: 'refused', refusal: { path: 'spec.template.metadata.name', message } };
  }
  if (!after.targetsLatest) {
    return { effect: 'held', heldUntil: 'traffic names the new Revision', replicas: { ...replicas, next: replicas.old } };
  }
  return { effect: replicas.old === replicas.next ? 'roll' : 'roll-and-scale', replicas };
}

import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import type { TemplateEquality } from '../../cluster/context/context';
import { toStoredForm } from './stored-form';
import { isTemplateEqual } from './template-equality';

/** Returns a pod template with the defaults of the API server. */
function applyTemplateDefaults(template: Fields, versions: Versions): Fields {
  return getFieldsAt(
    toStoredForm({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { template } }, versions),
    'spec',
    'template',
  );
}

/** Creates the template comparison of a controller that fills in the same defaults as the API server. */
export function createTemplateEquality(versions: Versions): TemplateEquality {
  return (before, after) =>
    isTemplateEqual('Deployment', applyTemplateDefaults(before, versions), applyTemplateDefaults(after, versions), versions);
}

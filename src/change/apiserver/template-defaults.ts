import { getFieldsAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import type { TemplateEquality } from '../../cluster/context';
import { toStoredForm } from './stored-form';
import { isTemplateEqual } from './template-equality';

/** A pod template with what the API server fills in of it, wherever it stands. */
function applyTemplateDefaults(template: Fields, versions: Versions): Fields {
  return getFieldsAt(
    toStoredForm({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { template } }, versions),
    'spec',
    'template',
  );
}

/** How a controller compares pod templates that fills in itself what the API server would. */
export function createTemplateEquality(versions: Versions): TemplateEquality {
  return (before, after) =>
    isTemplateEqual('Deployment', applyTemplateDefaults(before, versions), applyTemplateDefaults(after, versions), versions);
}

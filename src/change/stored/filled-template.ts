import { fieldsAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import type { TemplateEquality } from '../../cluster/context';
import { storedForm } from './stored-form';
import { templateEqual } from './template-equal';

/** A pod template with what the API server fills in of it, wherever it stands. */
function filledTemplate(template: Fields, versions: Versions): Fields {
  return fieldsAt(
    storedForm({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { template } }, versions),
    'spec',
    'template',
  );
}

/** How a controller compares pod templates that fills in itself what the API server would. */
export function templateEquality(versions: Versions): TemplateEquality {
  return (before, after) => templateEqual('Deployment', filledTemplate(before, versions), filledTemplate(after, versions), versions);
}

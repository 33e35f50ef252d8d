import { INPUT_CATALOGUE, inputFinding } from '../../src/core/catalogue';
import { nameOf, namespaceOf } from '../../src/core/manifest';
import { resourceOf } from '../../src/core/rollout';
import type { RolloutSystem } from '../../src/cluster/context';

/** Plans every object of kind Widget as refused, with one finding on `spec.size`; complains about the first Gadget. */
export const widgetSystem: RolloutSystem = {
  name: 'baw',
  catalogue: INPUT_CATALOGUE,
  recognises: ({ kind }) => kind === 'Widget',
  plan: (object) => [
    {
      system: 'baw',
      resource: resourceOf(object, nameOf(object), namespaceOf(object)),
      strategy: null,
      provenance: [],
      simulation: null,
      findings: [inputFinding('input/unknown-field', { path: 'spec.size', message: `${nameOf(object)} has a size.` })],
    },
  ],
  contextFindings: (context) =>
    context
      .ofKind('toys', 'Gadget')
      .slice(0, 1)
      .map((gadget) => inputFinding('input/unknown-field', { path: 'spec', message: 'A gadget.', source: context.locate(gadget, 'spec') })),
};

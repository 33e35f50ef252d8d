import { at } from '../../src/core/field-path';
import { message, rule } from '../../src/core/finding';
import { nameOf, namespaceOf } from '../../src/core/manifest';
import { resourceOf } from '../../src/core/rollout';
import type { RolloutSystem } from '../../src/cluster/context';

/** What there is to say of Widgets and Gadgets. */
export const sized = rule({
  code: 'baw/sized',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A toy has a size.',
  why: 'It takes room.',
  fix: 'Delete the size.',
  example: 'apiVersion: toys/v1\nkind: Widget\nspec:\n  size: 3\n',
  fixed: 'apiVersion: toys/v1\nkind: Widget\n',
  messages: {
    widget: message<{ readonly name: string }>({ text: ({ name }) => `${name} has a size.`, sample: { name: 'one' } }),
    gadget: message<object>({ text: () => 'A gadget.', sample: {} }),
  },
});

/** Plans every object of kind Widget as refused, with one finding on `spec.size`; complains about the first Gadget. */
export const widgetSystem: RolloutSystem = {
  name: 'baw',
  rules: () => [sized],
  recognises: ({ kind }) => kind === 'Widget',
  plan: (object) => [
    {
      system: 'baw',
      resource: resourceOf(object, nameOf(object), namespaceOf(object)),
      strategy: null,
      provenance: [],
      simulation: null,
      findings: [sized.finding('widget', { path: at`spec.size`, data: { name: nameOf(object) } })],
    },
  ],
  effects: 'unknown',
  contextFindings: (context) =>
    context.objects
      .filter(({ kind }) => kind === 'Gadget')
      .slice(0, 1)
      .map((gadget) => sized.finding('gadget', { path: at`spec`, data: {}, source: context.locate(gadget, 'spec') })),
};

import { toFieldPath } from '../../src/core/manifest/field-path';
import { defineMessage, defineRule } from '../../src/core/findings/finding';
import { nameOf, namespaceOf } from '../../src/core/manifest/manifest';
import { toResourceRef } from '../../src/core/document/rollout';
import type { RolloutSystem } from '../../src/cluster/context/context';

/** The rule about Widgets and Gadgets. */
export const sized = defineRule({
  code: 'baw/sized',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A toy has a size.',
  why: 'It takes room.',
  fix: 'Delete the size.',
  example: 'apiVersion: toys/v1\nkind: Widget\nspec:\n  size: 3\n',
  fixedExample: 'apiVersion: toys/v1\nkind: Widget\n',
  messages: {
    widget: defineMessage<{ readonly name: string }>({ text: ({ name }) => `${name} has a size.`, sample: { name: 'one' } }),
    gadget: defineMessage<object>({ text: () => 'A gadget.', sample: {} }),
  },
});

/** Plans every Widget as refused, with one finding on `spec.size`, and reports the first Gadget. */
export const widgetSystem: RolloutSystem = {
  name: 'baw',
  rules: () => [sized],
  recognises: ({ kind }) => kind === 'Widget',
  plan: (object) => [
    {
      system: 'baw',
      resource: toResourceRef(object, nameOf(object), namespaceOf(object)),
      strategy: null,
      provenance: [],
      simulation: null,
      findings: [sized.createFinding('widget', { path: toFieldPath`spec.size`, data: { name: nameOf(object) } })],
    },
  ],
  effects: 'unknown',
  contextFindings: (context) =>
    context.objects
      .filter(({ kind }) => kind === 'Gadget')
      .slice(0, 1)
      .map((gadget) => sized.createFinding('gadget', { path: toFieldPath`spec`, data: {}, source: context.locate(gadget, 'spec') })),
};

import { defineMessage, defineRule } from '../../core/findings/finding';
import { pluralize } from '../../core/text/text-format';

interface DuplicateData {
  /** Objects that OLD contains more than once. */
  readonly objects: number;
  /** The first of them, formatted for a message. */
  readonly first: string;
}

const OLD_EXAMPLE = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { mode: fast }
`;

/** Objects that OLD contains more than once. */
export const duplicateOldObject = defineRule({
  code: 'change/duplicate-old-object',
  since: '0.1.0',
  severity: 'info',
  fires: 'OLD contains an object more than once in one folder, or a live object in two dumps or folders. It is reported once per run.',
  why: 'An object exists once, however many files show it. Counted twice, it would have twice the pods, and one copy would look as if NEW lacked it.',
  fix: 'Pass files of OLD that do not overlap, or ignore this finding: the last copy counts. Copies in separate folders may be for separate clusters, so each of them is compared with one of NEW.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}---
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('fast', 'slow')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('fast', 'slow')}`,
  messages: {
    objects: defineMessage<DuplicateData>({
      text: ({ objects, first }) =>
        objects === 1
          ? `OLD has ${first} more than once. Only the last copy counts.`
          : `OLD has ${pluralize(objects, 'object')} more than once, the first is ${first}. Only the last copy of each counts.`,
      help: () => 'Pass files that do not overlap as OLD.',
      sample: { objects: 1, first: 'Deployment shop/web' },
      variants: [{ objects: 3, first: 'Deployment shop/web' }],
    }),
  },
});

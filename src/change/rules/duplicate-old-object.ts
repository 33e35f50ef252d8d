import { defineMessage, defineRule } from '../../core/finding';
import { pluralize } from '../../core/text-format';

interface DuplicateData {
  /** Objects of OLD that are given more than once. */
  readonly objects: number;
  /** The first of them, as a message names it. */
  readonly first: string;
}

const OLD_EXAMPLE = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { mode: fast }
`;

/** Which one counts. */
const EFFECTIVE_OBJECT_TEXT = 'as the one in the file that NEW has too, or else as the last one';

/** Objects of OLD that stand there more than once. */
export const duplicateOldObject = defineRule({
  code: 'change/duplicate-old-object',
  since: '0.1.0',
  severity: 'info',
  fires: 'OLD holds an object more than once in one unit, or a live object in two dumps: once a run.',
  why: 'An object is there once, whatever files show it. Counted twice it would have twice the pods, and one of the two would look as if NEW lacked it.',
  fix: 'Name the files of OLD that do not overlap, or leave it: the one in the file that NEW has too counts, or else the last.',
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
          ? `OLD has ${first} more than once: it counts once, ${EFFECTIVE_OBJECT_TEXT}.`
          : `OLD has ${pluralize(objects, 'object')} more than once, the first is ${first}: each counts once, ${EFFECTIVE_OBJECT_TEXT}.`,
      help: () => 'Name files that do not overlap as OLD.',
      sample: { objects: 1, first: 'Deployment shop/web' },
      variants: [{ objects: 3, first: 'Deployment shop/web' }],
    }),
  },
});

import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding, Source } from '../finding';
import { VALID_DEPLOYMENT } from './examples';

interface TemplateData {
  readonly file: string;
  /** How many of its documents are no YAML before the template is filled in. */
  readonly documents: number;
}

interface YttData {
  readonly file: string;
}

/** A template that belongs to no Helm chart. */
export const template = defineRule({
  code: 'input/template',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A file of a folder, in no Helm chart, stops being YAML where a template of Go, Helm, helmfile, Jinja or Ansible puts something in: `{{` or `{%`; once a file. ' +
    'On standard input and in a file given by name it is `input/unreadable`. Likewise a file with an object whose values ytt puts in, from comments that begin with `#@`.',
  why: 'What a template becomes is up to the program that fills it in, so it is not planned. No cluster takes it as it stands.',
  fix: 'Plan what that program makes of it, through a pipe: `… | rolloutkit check -`. `--exclude` leaves the template out.',
  example: `# rolloutkit plan .
# templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ name }}
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notFilledIn: defineMessage<TemplateData>({
      text: ({ file, documents }) =>
        `${file} is a template of another program: ${documents === 1 ? '1 document is' : `${documents} documents are`} no YAML before it is filled in, and not planned.`,
      help: () => 'Plan what that program makes of it: pipe that into rolloutkit check -, and leave the template out with --exclude.',
      sample: { file: 'web.tmpl.yaml', documents: 2 },
      variants: [{ file: 'web.tmpl.yaml', documents: 1 }],
    }),
    ytt: defineMessage<YttData>({
      text: ({ file }) => `${file} is a template of ytt, which puts in what stands in its comments: without that it is not planned.`,
      help: () => 'Plan what ytt makes of it: ytt -f FOLDER | rolloutkit check -, and leave the template out with --exclude.',
      sample: { file: 'config/web.yaml' },
    }),
  },
});

/** Says of a file that it is a template. @param source of the first place that is not YAML */
export function createTemplateFinding(data: TemplateData, source: Source): Finding {
  return template.createFinding('notFilledIn', { path: ROOT_PATH, data, source });
}

/** Says of a file that ytt fills it in. */
export function createYttFinding(file: string): Finding {
  return template.createFinding('ytt', { path: ROOT_PATH, data: { file }, source: { file, line: 1 } });
}

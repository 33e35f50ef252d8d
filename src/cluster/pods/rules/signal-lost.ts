import { appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import { parseContainerCommand } from '../../services/command-words';
import { getGraceSeconds } from '../../services/termination';
import type { ContainerAtPath, LocatedTemplate } from '../../rollout/located-template';
import { renderServer } from './examples';

interface SignalData {
  /** The shell: `sh`. */
  readonly shell: string;
  /** Whether the script evaluates a text, so that any shell stays in front of the server. */
  readonly isEvaluated: boolean;
  readonly graceSeconds: number;
}

/** Reports servers that a shell hides from SIGTERM. */
export const signalLost = defineRule({
  code: 'kubernetes/signal-lost',
  since: '0.1.0',
  severity: 'info',
  fires: 'A container that serves requests runs a script with `sh -c`, or with `eval`, and without `exec`.',
  why:
    'The kubelet sends SIGTERM to the first process of a container. A shell that waits for its command passes no signal on: the server never stops by itself, ' +
    'and is killed with its requests once the grace period is over. Debian and Ubuntu use dash as `sh`, which stays in front of its command; bash replaces itself with the last one. ' +
    '`exec` replaces every shell.',
  fix: 'Write `exec` in front of the server, or list its words in `command`.',
  example: renderServer(`image: model:1
          command: [sh, -c, "node server.js"]`),
  fixedExample: renderServer(`image: model:1
          command: [sh, -c, "exec node server.js"]`),
  messages: {
    shell: defineMessage<SignalData>({
      text: ({ shell, isEvaluated, graceSeconds }) =>
        isEvaluated
          ? `${shell} -c with eval and without exec: the server never gets SIGTERM and is killed after ${graceSeconds} s.`
          : `${shell} -c without exec: where ${shell} is dash, as in Debian, the server never gets SIGTERM and is killed after ${graceSeconds} s.`,
      help: () => 'Write exec in front of the server, or list its words in command.',
      sample: { shell: 'sh', isEvaluated: false, graceSeconds: 30 },
      variants: [{ shell: 'bash', isEvaluated: true, graceSeconds: 60 }],
    }),
  },
});

/** Scripts that pass signals on, or that are no server. */
const HANDLES_SIGNALS = /\b(?:exec|trap|tini|dumb-init|sleep)\b/;

function checkContainer({ value, path }: ContainerAtPath, graceSeconds: number): Finding[] {
  const command = parseContainerCommand(value);
  const { shell, script = '' } = command ?? {};
  const isEvaluated = /\beval\b/.test(script);
  if (shell === undefined || HANDLES_SIGNALS.test(script) || (shell === 'bash' && !isEvaluated)) return [];
  if (getListAt(value, 'ports').length === 0) return [];
  return [signalLost.createFinding('shell', { path: appendToPath(path, 'command'), data: { shell, isEvaluated, graceSeconds } })];
}

/** Reports the containers of a template whose server a shell hides. In a shared process namespace the shell is not the first process. */
export function checkSignalLost({ template, containers, controlsTermination }: LocatedTemplate): Finding[] {
  const isShared = getValueAt(template.spec, 'shareProcessNamespace') === true || getValueAt(template.spec, 'hostPID') === true;
  if (isShared || controlsTermination) return [];
  const graceSeconds = getGraceSeconds(template.spec);
  return containers.flatMap((container) => checkContainer(container, graceSeconds));
}

/** Beginning of an expression in a Go, Helm or Jinja template. */
const TEMPLATE_MARK = /\{[{%]/;
/** A line that is an instruction of such a template, not a value: `{{- if .Values.on }}`, `{% for x in y %}`. */
const INSTRUCTION = /^\s*(?:\{%|\{\{-?\s*(?:if|range|with|end|define|block|include|template|else|\/\*|\$\w+\s*:=))/;

/**
 * Text that may be a template. If it is not valid YAML, reports whether the template syntax is the cause:
 * an instruction on or before the line of the error, or an expression on this line.
 */
export class TemplateText {
  private readonly lines: readonly string[];
  private readonly firstInstruction: number;

  constructor(text: string) {
    this.lines = text.split('\n');
    const index = this.lines.findIndex((line) => INSTRUCTION.test(line));
    this.firstInstruction = index < 0 ? Infinity : index + 1;
  }

  /** @param line - line of the error, counted from 1 */
  isCauseAt(line: number): boolean {
    return this.firstInstruction <= line || TEMPLATE_MARK.test(this.lines[line - 1] ?? '');
  }
}

/** A ytt annotation: `#@ data.values.name` after a key, `#@data/values` and `#@ if …` on a line of their own. */
const YTT_ANNOTATION = /(?:^|\s)#@(?:\s|[a-z]+\/)/;
const OBJECT_START = /^apiVersion:/m;

/** Reports whether a text is an object for ytt. Its values are in comments, which YAML ignores. */
export function isYtt(text: string): boolean {
  return YTT_ANNOTATION.test(text) && OBJECT_START.test(text);
}

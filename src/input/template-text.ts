/** What stands where a template of Go, Helm or Jinja puts a value. */
const TEMPLATE_MARK = /\{[{%]/;
/** A line that is an instruction of such a template, and no value: `{{- if .Values.on }}`, `{% for x in y %}`. */
const INSTRUCTION = /^\s*(?:\{%|\{\{-?\s*(?:if|range|with|end|define|block|include|template|else|\/\*|\$\w+\s*:=))/;

/** Says of a place at which a text stops being YAML whether a template is why: an instruction there or before it, or a value to be put in. */
export class TemplateText {
  private readonly lines: readonly string[];
  private readonly firstInstruction: number;

  constructor(text: string) {
    this.lines = text.split('\n');
    const index = this.lines.findIndex((line) => INSTRUCTION.test(line));
    this.firstInstruction = index < 0 ? Infinity : index + 1;
  }

  /** @param line - counted from 1 */
  isCauseAt(line: number): boolean {
    return this.firstInstruction <= line || TEMPLATE_MARK.test(this.lines[line - 1] ?? '');
  }
}

/** An annotation of ytt: `#@ data.values.name` behind a key, `#@data/values` and `#@ if …` on a line of its own. */
const YTT_ANNOTATION = /(?:^|\s)#@(?:\s|[a-z]+\/)/;
const OBJECT_START = /^apiVersion:/m;

/** Is a text an object of ytt, whose values stand in comments, so that for YAML they are not there? */
export function isYtt(text: string): boolean {
  return YTT_ANNOTATION.test(text) && OBJECT_START.test(text);
}

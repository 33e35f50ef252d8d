import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import type { Text } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { Finding } from '../src/core/findings/finding';

/** A pane for editing YAML. */
export interface Editor {
  /** Returns its text. */
  text(): string;
  /** Shows another file, with a new history. */
  show(text: string): void;
  /** Marks the lines of findings. */
  mark(findings: readonly Finding[]): void;
  /** Moves the cursor to a line, counted from 1, and focuses the pane. */
  goTo(line: number, column: number): void;
}

/** Returns the offset of a line and column, both counted from 1. */
function offsetOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + Math.max(column - 1, 0), at.to);
}

function diagnosticOf(doc: Text, { source, severity, code, message, help }: Finding): Diagnostic[] {
  if (!source) return [];
  const from = offsetOf(doc, source.line, source.column ?? 1);
  return [{ from, to: doc.lineAt(from).to, severity, source: code, message: help === undefined ? message : `${message}\n${help}` }];
}

/**
 * Creates an editor in an element.
 *
 * @param label - label for screen readers
 * @param changed - called after each edit of the user
 */
export function editorIn(parent: HTMLElement, label: string, changed: () => void): Editor {
  let isShowing = false;
  const extensions = [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    yaml(),
    syntaxHighlighting(classHighlighter),
    lintGutter(),
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged && !isShowing) changed();
    }),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  return {
    text: () => view.state.doc.toString(),
    show(text) {
      isShowing = true;
      view.setState(EditorState.create({ doc: text, extensions }));
      isShowing = false;
    },
    mark(findings) {
      view.dispatch(
        setDiagnostics(
          view.state,
          findings.flatMap((finding) => diagnosticOf(view.state.doc, finding)),
        ),
      );
    },
    goTo(line, column) {
      const anchor = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
  };
}

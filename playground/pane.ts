import type { Finding } from '../src/core/findings/finding';
import { filesDropped } from './dropped';
import { editorIn } from './editor';
import { element } from './element';
import type { TypedFile } from './engine';

/** One side of the playground: some files and the editor that shows one of them. */
export interface Pane {
  files(): readonly TypedFile[];
  put(files: readonly TypedFile[]): void;
  setHidden(isHidden: boolean): void;
  /** Marks the findings about the shown file, and those about other files when they are shown. */
  mark(findings: readonly Finding[]): void;
  /** Shows a line of one of the files. Returns false if it has no such file. */
  goTo(file: string, line: number, column: number): boolean;
}

/**
 * Creates the pane of one side of the page.
 *
 * @param side - `old` or `new`, the prefix of the ids of its elements
 * @param changed - called after each edit of the user
 * @param failed - called for files that could not be read
 */
export function paneOf(side: 'old' | 'new', label: string, changed: () => void, failed: (reason: string) => void): Pane {
  const root = element('div', `${side}-pane`);
  const names = element('div', `${side}-files`);
  let all: TypedFile[] = [{ name: `${side}.yaml`, text: '' }];
  let shown = 0;
  let findings: readonly Finding[] = [];
  const editor = editorIn(element('div', `${side}-editor`), label, () => {
    keep();
    changed();
  });

  function keep(): void {
    all = all.map((file, index) => (index === shown ? { ...file, text: editor.text() } : file));
  }

  function marked(): void {
    editor.mark(findings.filter(({ source }) => source?.file === all[shown]!.name));
  }

  function show(index: number): void {
    shown = index;
    editor.show(all[index]!.text);
    [...names.children].forEach((button, at) => button.setAttribute('aria-pressed', String(at === index)));
    marked();
  }

  function put(files: readonly TypedFile[]): void {
    all = files.length > 0 ? [...files] : [{ name: `${side}.yaml`, text: '' }];
    names.hidden = all.length < 2;
    names.replaceChildren(
      ...all.map(({ name }, index) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = name;
        button.addEventListener('click', () => show(index));
        return button;
      }),
    );
    show(0);
  }

  async function take(dropped: DataTransfer): Promise<void> {
    const files = await filesDropped(dropped);
    if (files.length === 0) return failed('there is no .yaml, .yml or .json file in what was dropped');
    put(files);
    changed();
  }

  root.addEventListener('dragover', (event) => {
    event.preventDefault();
    root.classList.add('over');
  });
  root.addEventListener('dragleave', () => root.classList.remove('over'));
  root.addEventListener(
    'drop',
    (event) => {
      root.classList.remove('over');
      if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      take(event.dataTransfer).catch((error: unknown) => failed(`a file could not be read: ${String(error)}`));
    },
    true,
  );
  put(all);

  return {
    files: () => all,
    put,
    setHidden: (isHidden) => (root.hidden = isHidden),
    mark(newFindings) {
      findings = newFindings;
      marked();
    },
    goTo(file, line, column) {
      const index = all.findIndex(({ name }) => name === file);
      if (index < 0) return false;
      if (index !== shown) show(index);
      editor.goTo(line, column);
      return true;
    },
  };
}

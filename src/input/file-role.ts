import type { InputFile } from './discovered-file';
import { fileTextOf, includesWord } from './file-content';
import { isYtt } from './template-text';
import { isPlannedUnrendered } from '../core/rules/not-read';
import type { NotReadRole } from '../core/rules/not-read';

/** Reports whether Helm must render a file before it is YAML. */
export function isHelmTemplate({ content, place }: InputFile): boolean {
  return place?.chart !== undefined && includesWord(content, '{{');
}

/** Reports whether a file in a folder is a ytt template. */
function isYttFile({ content, given }: InputFile): boolean {
  return given?.as === 'folder' && includesWord(content, '#@') && isYtt(fileTextOf(content));
}

/** Reports whether a file contains the expectations of a test. A file that is given by name is planned all the same. */
function isExpectationFile({ place, given }: InputFile): boolean {
  return place?.isExpectation === true && given?.as === 'folder';
}

/** Reports whether a file of a folder is part of a chart, but Helm does not render it. */
export function isUnrendered({ place, given }: InputFile): boolean {
  return place?.unrendered !== undefined && given?.as === 'folder';
}

/** Returns the role that sets a file aside. Its name, its content or the files around it give it the role. */
export function detectRole(file: InputFile): NotReadRole | 'ytt' | 'unrendered' | undefined {
  if (isUnrendered(file) && !isPlannedUnrendered(file.place!.unrendered!.reason)) return 'unrendered';
  if (isHelmTemplate(file)) return 'chart-template';
  if (isYttFile(file)) return 'ytt';
  if (isExpectationFile(file)) return 'expectation';
  return file.place?.isPatch ? 'patch' : undefined;
}

import { toSafeText } from '../../../core/text/value-text';
import type { CheckedContainer } from './checked-pod';

export function joinQuoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

export function chooseNumber(count: number, one: string, several: string): string {
  return count === 1 ? one : several;
}

export function formatContainers(containers: readonly CheckedContainer[]): string {
  return `${chooseNumber(containers.length, 'container', 'containers')} ${joinQuoted(containers.map(({ name }) => name))}`;
}

export function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns texts without repetitions, sorted as Go sorts strings. */
export function sortUnique(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted(compareBytes);
}

/** Returns a value as text; empty for one that is no text. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a list of an arbitrary value as texts. */
export function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(toSafeText) : [];
}

export function containerFieldOf([first]: readonly CheckedContainer[], ...names: readonly string[]): (string | number)[] {
  return [...first!.path, ...names];
}

import { isFields } from '../../core/manifest';
import { pluralize, truncateText } from '../../core/text-format';

const MAX_CHARACTERS = 500;
/** Maximum number of items of one list or map, and of values in all of them. */
const MAX_ITEMS = 100;
const MAX_VALUES = 1000;

/** Shortens a value that a plan repeats, so that one object does not make it as large as the input: its texts, lists and maps. */
export function shortenValue(value: unknown): unknown {
  let values = 0;
  const shorten = (inner: unknown): unknown => {
    values++;
    if (typeof inner === 'string') return truncateText(inner, MAX_CHARACTERS);
    if (typeof inner !== 'object' || inner === null) return inner;
    const entries = Object.entries(inner);
    const kept: [string, unknown][] = [];
    for (const [name, each] of entries.slice(0, MAX_ITEMS)) {
      if (values >= MAX_VALUES) break;
      kept.push([truncateText(name, MAX_CHARACTERS), shorten(each)]);
    }
    const omitted = entries.length - kept.length;
    const note = pluralize(omitted, 'further value');
    if (!isFields(inner)) return [...kept.map(([, each]) => each), ...(omitted > 0 ? [`… ${note}`] : [])];
    return Object.fromEntries(omitted > 0 ? [...kept, ['…', note]] : kept);
  };
  return shorten(value);
}

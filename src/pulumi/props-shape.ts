import { isFields } from '../core/manifest';
import { describeValue } from '../core/shape';

/** The props that must be maps, and whether they may be left out. */
export type MapProps = Readonly<Record<string, 'required' | 'optional'>>;

/** What is no map although it must be one, which JavaScript and casts can bring; one line each. */
export function misshapen(props: unknown, maps: MapProps): string[] {
  if (!isFields(props)) return [`the props are ${describeValue(props)}; write a map.`];
  return Object.entries(maps).flatMap(([name, need]) => {
    const value = props[name];
    if (isFields(value) || (value === undefined && need === 'optional')) return [];
    return [`${name} is ${describeValue(value)}; write a map${need === 'optional' ? ', or leave it out' : ''}.`];
  });
}

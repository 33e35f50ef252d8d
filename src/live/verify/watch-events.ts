import { checkTimeNow } from '../../core/budget/deadline';
import { isFields, isManifest } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** One event of `kubectl get --watch --output-watch-events --output=json`. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Manifest;
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

const OTHER_TYPES: ReadonlySet<unknown> = new Set(['BOOKMARK', 'ERROR']);

/** Error of a text that is not a stream of watch events. */
export class EventStreamError extends Error {
  override readonly name = 'EventStreamError';
}

const QUOTE = '"';

/** Maximum length of an event. An object has 3 MiB at most, and kubectl indents it. */
const MAX_EVENT_LENGTH = 64_000_000;

/**
 * Splits a text that arrives in parts into the JSON objects that it is made of, and parses each. kubectl prints them one after another, each
 * over several lines.
 */
export class EventReader {
  private text = '';
  private position = 0;
  private depth = 0;
  private isInString = false;
  private start = -1;

  /** Returns the events that a further part completes. @throws EventStreamError for a text that is not JSON */
  read(part: string): WatchEvent[] {
    this.text += part;
    const events: WatchEvent[] = [];
    for (; this.position < this.text.length; this.position++) {
      const character = this.text[this.position]!;
      if (this.isInString) {
        if (character === '\\') this.position++;
        else if (character === QUOTE) this.isInString = false;
      } else if (character === QUOTE) this.isInString = this.depth > 0;
      else if (character === '{' && this.depth++ === 0) this.start = this.position;
      else if (character === '}' && --this.depth === 0) for (const event of this.complete()) events.push(event);
      else if (this.depth === 0 && character.trim() !== '') throw new EventStreamError(`"${character}" is between two events`);
    }
    if (this.depth === 0) this.drop(this.position);
    if (this.text.length > MAX_EVENT_LENGTH) throw new EventStreamError('an event has more than 64 million characters');
    return events;
  }

  private complete(): WatchEvent[] {
    checkTimeNow();
    const text = this.text.slice(this.start, this.position + 1);
    this.drop(this.position + 1);
    this.position = -1;
    return parseEvent(text);
  }

  private drop(length: number): void {
    this.text = this.text.slice(length);
    this.position = 0;
    this.start = -1;
  }
}

function parseEvent(text: string): WatchEvent[] {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new EventStreamError('an event is not JSON');
  }
  // An expired watch (410 Gone) ends with an ERROR, and begins again. Its object is a Status.
  if (isFields(event) && OTHER_TYPES.has(event.type)) return [];
  if (!isFields(event) || !isManifest(event.object)) throw new EventStreamError('an object is not an event with a type and an object');
  return EVENT_TYPES.has(event.type) ? [{ type: event.type as WatchEvent['type'], object: event.object }] : [];
}

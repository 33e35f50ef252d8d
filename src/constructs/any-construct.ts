import { Construct } from 'constructs';

/** Is a value a construct? A Proxy may throw when it is asked. */
export function isConstruct(given: unknown): boolean {
  try {
    return Construct.isConstruct(given);
  } catch {
    return false;
  }
}

/**
 * Makes each look at the clock an hour later than the one before if a function of this file of `src` runs, so that its work exceeds any number
 * of seconds. Returns a function that restores the clock.
 */
export function delayClockIn(file: string): () => void {
  const read = process.hrtime.bigint.bind(process.hrtime);
  const framesBefore = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  let hours = 0n;
  const clock = jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => {
    if (new Error().stack!.includes(`/src/${file}:`)) hours += 1n;
    return read() + hours * 3_600_000_000_000n;
  });
  return () => {
    clock.mockRestore();
    Error.stackTraceLimit = framesBefore;
  };
}

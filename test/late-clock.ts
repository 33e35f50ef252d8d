/**
 * Makes each look at the clock an hour later than the one before if a function of this file of `src` runs, so that its work exceeds any number
 * of seconds. Returns a function that restores the clock.
 *
 * @param seconds - how much later it is instead
 */
export function delayClockIn(file: string, seconds = 3_600): () => void {
  const read = process.hrtime.bigint.bind(process.hrtime);
  const readDate = Date.now.bind(Date);
  const framesBefore = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  let looks = 0;
  const countSeconds = (): number => seconds * (new Error().stack!.includes(`/src/${file}:`) ? ++looks : looks);
  const clock = jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => read() + BigInt(countSeconds()) * 1_000_000_000n);
  const date = jest.spyOn(Date, 'now').mockImplementation(() => readDate() + countSeconds() * 1_000);
  return () => {
    clock.mockRestore();
    date.mockRestore();
    Error.stackTraceLimit = framesBefore;
  };
}

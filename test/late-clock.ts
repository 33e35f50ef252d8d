/**
 * Makes each look at the clock an hour later than the one before if a function of this file of `src` runs, so that its work exceeds any number
 * of seconds. Returns a function that restores the clock.
 */
export function delayClockIn(file: string): () => void {
  const read = process.hrtime.bigint.bind(process.hrtime);
  const readDate = Date.now.bind(Date);
  const framesBefore = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  let hours = 0n;
  const countHours = (): bigint => (new Error().stack!.includes(`/src/${file}:`) ? ++hours : hours);
  const clock = jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => read() + countHours() * 3_600_000_000_000n);
  const date = jest.spyOn(Date, 'now').mockImplementation(() => readDate() + Number(countHours()) * 3_600_000);
  return () => {
    clock.mockRestore();
    date.mockRestore();
    Error.stackTraceLimit = framesBefore;
  };
}

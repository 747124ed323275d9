/** Where lines about the work go; one line each, without the newline. */
export type Report = (line: string) => void;

/** Runs a step and reports it with its duration, or that it failed. */
export async function step<T>(report: Report, title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    const result = await work();
    report(`${title}: ${seconds()} s`);
    return result;
  } catch (error) {
    report(`${title}: failed after ${seconds()} s`);
    throw error;
  }
}

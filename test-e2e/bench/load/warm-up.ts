import { cpuByProcess, totalCpuSince } from '../processes';
import type { BenchSystem } from '../systems/system';
import { STREAMED, WHOLE } from '../test-bed';
import { offer } from './wrk';

const CONNECTIONS = 16;
/** Of whole answers, and then of streams, in one step. */
const STEP_SECONDS = 5;
/** A step that costs less than this part of the cheapest before it still gains from being compiled. */
const CHEAPER = 0.95;
/** The machine drifts: one step without a gain says little. */
const STEPS_WITHOUT_GAIN = 2;

/**
 * Offers whole answers and streams in turn until a request of neither kind becomes cheaper, for
 * `seconds` at most: V8 compiles a program piece by piece as it is used, a large one for
 * longer. What fails here fails where it counts.
 */
export async function warmUp(system: BenchSystem, seconds: number): Promise<void> {
  if (seconds < 2 * STEP_SECONDS) return void (await costOf(system, WHOLE, seconds));
  const cheapest = { whole: Number.POSITIVE_INFINITY, stream: Number.POSITIVE_INFINITY };
  let without = 0;
  for (let used = 0; used < seconds && without < STEPS_WITHOUT_GAIN; used += 2 * STEP_SECONDS) {
    const whole = await costOf(system, WHOLE, STEP_SECONDS);
    const stream = await costOf(system, STREAMED, STEP_SECONDS);
    const gains = whole < cheapest.whole * CHEAPER || stream < cheapest.stream * CHEAPER;
    cheapest.whole = Math.min(cheapest.whole, whole);
    cheapest.stream = Math.min(cheapest.stream, stream);
    without = gains ? 0 : without + 1;
  }
}

/** CPU of a request, µs; infinite when the load failed. */
async function costOf(system: BenchSystem, body: string, seconds: number): Promise<number> {
  const { url, headers } = system;
  const before = cpuByProcess(system);
  try {
    const { requests } = await offer({ url, headers, body, connections: CONNECTIONS, seconds });
    return totalCpuSince(system, before) / requests;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

import type { Random } from '../random';

/** Token counts as the vendor tells them; undefined when it tells none. */
export interface ScriptedUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** Of the completion, what was thought. */
  readonly reasoning: number;
  /** Of the prompt and of the completion, what was audio. */
  readonly promptAudio: number;
  readonly completionAudio: number;
}

/** The behaviour of a vendor in one call. */
export interface VendorScript {
  /** It fails before its first event; another channel may be tried. */
  readonly failsAtOnce: boolean;
  readonly firstEventMs: number;
  /** Answers that each come to an end of their own. */
  readonly choices: number;
  /** Tokens in each delta. */
  readonly deltas: readonly number[];
  readonly gapsMs: readonly number[];
  /** Whole with [DONE], whole without it, broken off, broken after its finish frame, or silent. */
  readonly ending: 'done' | 'end' | 'broken' | 'brokenAfterFinish' | 'hangs';
  readonly usage: ScriptedUsage | undefined;
  /** A stream tells its usage first as well: what is said of the prompt is final then. */
  readonly countsPromptFirst: boolean;
}

interface ScriptProfile {
  readonly frameGapMs: number;
  /** Share of answers that are not as they should be. */
  readonly hostileShare: number;
}

const DELTAS_MAX = 5;
const TOKENS_PER_DELTA_MAX = 7;
const LONG_PROMPT_TOKENS = 300;
const THOUGHT_TOKENS_MAX = 5;

/** What else a vendor counts for a request, by what it asks for. */
interface Counted {
  readonly choices: number;
  /** Of a prompt that has more than its text. */
  readonly promptTokensMore: number;
  /** Vectors are generated of nothing. */
  readonly generates: boolean;
}

function usageOf(
  random: Random,
  text: number,
  { generates, promptTokensMore }: Counted,
  hostile: boolean,
): ScriptedUsage | undefined {
  const reasoning = generates && random.chance(0.3) ? random.int(1, THOUGHT_TOKENS_MAX) : 0;
  const completion = text + reasoning;
  const prompt = random.int(6, 30) + random.int(0, promptTokensMore);
  const cached = random.chance(0.3) ? random.int(0, prompt) : 0;
  const cacheWrite = random.chance(0.3) ? random.int(0, prompt - cached) : 0;
  // By the counts and not by chance: a further draw would make another schedule of each seed.
  const promptAudio = prompt % 3 === 0 ? prompt - 2 : 0;
  const completionAudio = prompt % 3 === 0 ? Math.min(completion, 2) : 0;
  const audio = { promptAudio, completionAudio };
  const plain = { prompt, completion, cached, cacheWrite, reasoning, ...audio };
  if (!hostile) return random.chance(0.85) ? plain : undefined;
  return random.pick<ScriptedUsage | undefined>([
    undefined,
    { ...plain, completion: 0 },
    { ...plain, completion: -5 },
    { ...plain, completion: 1_000_000 },
    { ...plain, prompt: Number.NaN },
    // Believable, and more than was reserved.
    { ...plain, prompt: LONG_PROMPT_TOKENS },
    // Believable, and less than was counted while it came.
    { ...plain, prompt: 1, completion: 1 },
  ]);
}

/** A vendor's behaviour by chance. */
export function createVendorScript(
  random: Random,
  profile: ScriptProfile,
  counted: Counted,
): VendorScript {
  const { choices, generates } = counted;
  const hostile = random.chance(profile.hostileShare);
  const deltas = Array.from({ length: generates ? random.int(0, DELTAS_MAX) : 0 }, () =>
    random.int(1, TOKENS_PER_DELTA_MAX * choices),
  );
  const completion = deltas.reduce((sum, tokens) => sum + tokens, 0);
  const gap = () => random.int(0, profile.frameGapMs);
  return {
    failsAtOnce: random.chance(hostile ? 0.3 : 0.03),
    firstEventMs: gap(),
    choices,
    deltas,
    gapsMs: deltas.map(gap),
    ending: hostile
      ? random.pick(['done', 'end', 'broken', 'brokenAfterFinish', 'hangs'] as const)
      : 'done',
    usage: usageOf(random, completion, counted, hostile),
    countsPromptFirst: random.chance(0.5),
  };
}

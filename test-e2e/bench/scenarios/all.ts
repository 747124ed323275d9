import type { Scenario } from '../test-bed';
import { badVendors } from './bad-vendors';
import { choose } from './choose';
import { consolePaint } from './console';
import { floods } from './floods';
import { growth } from './growth';
import { limits } from './limits';
import { longPrompts } from './long-prompts';
import { prompts } from './prompts';
import { soak } from './soak';
import { speed } from './speed';
import { start } from './start';
import { storeCommands } from './store-commands';
import { streams } from './streams';
import { tails } from './tails';

/** Every scenario by the name that the command line gives it. */
export const SCENARIOS = {
  speed,
  tails,
  streams500: streams,
  prompts,
  floods,
  soak,
  growth,
  choose,
  start,
  limits,
  console: consolePaint,
  store: storeCommands,
  'long-prompts': longPrompts,
  'bad-vendors': badVendors,
} as const satisfies Readonly<Record<string, Scenario>>;

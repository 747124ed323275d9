import type { Scenario } from '../test-bed';
import { badVendors } from './bad-vendors';
import { besideLongPrompts } from './beside-long-prompts';
import { choose } from './choose';
import { consolePaint } from './console';
import { floods } from './floods';
import { growth } from './growth';
import { limits } from './limits';
import { prompts } from './prompts';
import { soak } from './soak';
import { speed } from './speed';
import { start } from './start';
import { store } from './store';
import { streams500 } from './streams500';
import { tails } from './tails';

/** Every scenario by the name that the command line gives it. */
export const SCENARIOS = {
  speed,
  tails,
  streams500,
  prompts,
  floods,
  soak,
  growth,
  choose,
  start,
  limits,
  console: consolePaint,
  store,
  'beside-long-prompts': besideLongPrompts,
  'bad-vendors': badVendors,
} as const satisfies Readonly<Record<string, Scenario>>;

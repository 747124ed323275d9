import { sendRequest } from './client';
import type { CompletionInstance } from './completion-host';
import { addCredit, type Credit, firstCredit, planCredits } from './credits';
import { type Encounters, encountersOf } from './encounters';
import { checkEverything } from './final-checks';
import { NO_PLANT, type Plant } from './plant';
import { createProfile, type Profile } from './profile';
import { createRandom } from './random';
import { createReplicaSet } from './replica-set';
import { comeToRest, runningRequests } from './rest';
import { createTrouble } from './trouble';
import { createProbe, createRequest, type ModelRequest } from './workload';
import { createWorld, type World, type WorldParts } from './world';

/** What one schedule showed. */
export interface ScheduleResult {
  readonly seed: number;
  /** Empty when every rule held. */
  readonly violations: readonly string[];
  readonly steps: number;
  readonly encounters: Encounters;
}

/** How a schedule may differ from what its seed says. */
export interface ScheduleOptions {
  readonly plant?: Plant;
  /** Changes the profile, for schedules that look for something rare. */
  readonly direct?: (profile: Profile) => Profile;
  readonly createStore?: WorldParts['createStore'];
  readonly trace?: (line: string) => void;
}

/** Trouble goes on for a while when every request has ended: records are still under way. */
const STEPS_AFTER_LAST = 200;
const STEPS_PER_LOOK = 20;
/** How long the gateway looks for an instance that is ready, and how often. */
const ARRIVAL_TRIES_MAX = 40;
const ARRIVAL_RETRY_MS = 100;
/** Steps in which a probe must be answered: nobody else does anything meanwhile. */
const PROBE_STEPS_MAX = 2_000;
const PROBE_CREDIT = 500;
/** Longer than a refusal is remembered, shorter than a probe's answer takes. */
const PROBE_GAP_MS = 250;

function isBroken({ witness }: World): boolean {
  return witness.violations.length > 0;
}

/** Lets things happen until the condition holds; false when it does not within so many steps. */
async function runUntil(world: World, stepsMax: number, isDone: () => boolean): Promise<boolean> {
  for (let steps = 0; steps < stepsMax && !isBroken(world); steps += 1) {
    if (isDone()) return true;
    if (!(await world.scheduler.step())) break;
  }
  return isDone();
}

function readyInstances({ completions }: World) {
  return completions.flatMap(({ instance }) => (instance?.isReady() ? [instance] : []));
}

/** The gateway sends the request to an instance that is ready; without one it gives up in time. */
function arrive(world: World, request: ModelRequest, triesLeft: number): void {
  const { random, scheduler, witness } = world;
  const ready = readyInstances(world);
  if (ready.length > 0) {
    void sendRequest(random.pick(ready), request, scheduler, witness);
  } else if (triesLeft > 0) {
    scheduler.at(undefined, ARRIVAL_RETRY_MS, () => arrive(world, request, triesLeft - 1));
  } else witness.ends(request, { kind: 'refused', code: 'SERVICE_UNAVAILABLE' });
}

function planRequests(world: World): void {
  const { random, profile, scheduler, requests } = world;
  const { accounts, requests: count } = profile.workload;
  for (let index = 1; index <= count; index += 1) {
    const accountId = random.pick(accounts);
    const request = createRequest(random, profile.workload, `req_${index}`, accountId);
    requests.set(request.requestId, request);
    const begin = () => arrive(world, request, ARRIVAL_TRIES_MAX);
    scheduler.at(undefined, request.arrivesAtMs, begin);
  }
}

/** Starts everybody and gives the accounts their first credit; no disaster strikes yet. */
async function open(world: World): Promise<void> {
  const { billings, completions, profile } = world;
  for (const host of billings) world.startBilling(host);
  for (const host of completions) world.startCompletion(host);
  let given = 0;
  for (const accountId of profile.workload.accounts) {
    const count = () => {
      given += 1;
    };
    addCredit(world, firstCredit(world, accountId)).then(count, count);
  }
  world.changeLeader();
  const isOpen = () =>
    given === profile.workload.accounts.length &&
    readyInstances(world).length === completions.length;
  await runUntil(world, profile.stepsMax, isOpen);
}

/** Two requests of the account overlap on one instance; both must be answered. */
async function probe(world: World, instance: CompletionInstance, accountId: string): Promise<void> {
  const { scheduler, witness, requests } = world;
  const { name } = instance.process;
  let paid = false;
  const credit = { kind: 'credit', accountId, amount: PROBE_CREDIT } as const;
  const given = addCredit(world, { ...credit, name: `probe-${name}` });
  given.then(
    () => {
      paid = true;
    },
    (error: unknown) => witness.report(`credit was not given: ${String(error)}`),
  );
  await runUntil(world, PROBE_STEPS_MAX, () => paid);
  const probes = [1, 2].map((place) => {
    const request = createProbe(`probe_${place}_${accountId}_${name}`, accountId);
    requests.set(request.requestId, request);
    const send = () => void sendRequest(instance, request, scheduler, witness);
    scheduler.at(undefined, place * PROBE_GAP_MS, send);
    return request;
  });
  await runUntil(world, PROBE_STEPS_MAX, () => probes.every(({ seen }) => seen.outcome));
  for (const { requestId, seen } of probes) {
    const { outcome } = seen;
    if (outcome?.kind === 'answered') continue;
    const answer = outcome !== undefined && 'code' in outcome ? outcome.code : 'nothing';
    witness.report(`${requestId} could be paid and got ${answer}`);
  }
  const { spoolId } = instance.spool;
  const isClosed = () => {
    const leases = [...(world.replicas.accounts.get(accountId)?.leases.values() ?? [])];
    return leases.every(({ holder }) => holder !== spoolId);
  };
  const closed = await runUntil(world, PROBE_STEPS_MAX, isClosed);
  if (!closed) witness.report(`${accountId} has leases left after its probes`);
}

/** With nothing wrong any more, credit that is there can be spent, on every instance. */
async function probeAll(world: World): Promise<void> {
  for (const instance of readyInstances(world)) {
    for (const accountId of world.profile.workload.accounts) {
      if (!isBroken(world)) await probe(world, instance, accountId);
    }
  }
}

/** Runs the schedule of a seed and checks it. */
export async function runSchedule(
  seed: number,
  options: ScheduleOptions = {},
): Promise<ScheduleResult> {
  const random = createRandom(seed);
  const made = createProfile(random);
  const profile = options.direct?.(made) ?? made;
  const plant = options.plant ?? NO_PLANT;
  const createStore = options.createStore ?? createReplicaSet;
  const world = createWorld({ random, profile, plant, createStore, trace: options.trace });
  const { scheduler, witness } = world;
  await open(world);
  planRequests(world);
  const credits: readonly Credit[] = planCredits(world);
  const trouble = createTrouble(world);
  let stepsLeft = profile.stepsMax;
  let isOver = false;
  while (stepsLeft > 0 && !isBroken(world)) {
    trouble();
    await scheduler.step();
    if (stepsLeft % STEPS_PER_LOOK === 0) isOver = runningRequests(world).length === 0;
    stepsLeft = isOver ? Math.min(stepsLeft, STEPS_AFTER_LAST) - 1 : stepsLeft - 1;
  }
  if (!isBroken(world)) {
    const given = await comeToRest(world, credits);
    if (!isBroken(world)) await checkEverything(world, given);
  }
  if (!isBroken(world)) await probeAll(world);
  const encounters = encountersOf(world);
  return { seed, violations: witness.violations, steps: scheduler.stepCount, encounters };
}

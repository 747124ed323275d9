import { type Coverage, coverageOf } from './check/coverage';
import { checkEverything } from './check/final-checks';
import { NO_PLANTED_BUG, type PlantedBug } from './check/planted-bug';
import { comeToRest, runningRequests } from './come-to-rest';
import { createRandom } from './random';
import { sendRequest } from './workload/client';
import { addCredit, type Credit, firstCredit, planClaims, planCredits } from './workload/credits';
import { createProfile, type Profile } from './workload/profile';
import { planSuspensions } from './workload/suspensions';
import { createLastRequest, createRequest, type ModelRequest } from './workload/workload';
import type { CompletionInstance } from './world/completion-instance';
import { createDisasters } from './world/disasters';
import { createReplicaSet } from './world/replica-set';
import { createSimulation, type Simulation, type SimulationDependencies } from './world/simulation';

/** The result of one schedule. */
export interface ScheduleResult {
  readonly seed: number;
  /** Empty when every rule held. */
  readonly violations: readonly string[];
  readonly steps: number;
  readonly coverage: Coverage;
}

/** How a schedule may differ from what its seed says. */
export interface ScheduleOptions {
  readonly bug?: PlantedBug;
  /** Makes what is rare frequent, in place of what the planted bug asks for. */
  readonly changeProfile?: (profile: Profile) => Profile;
  readonly createStore?: SimulationDependencies['createStore'];
  readonly trace?: (line: string) => void;
}

/** Disasters go on for a while when every request has ended: records are still under way. */
const STEPS_AFTER_LAST = 200;
const STEPS_PER_LOOK = 20;
/** How long the gateway looks for an instance that is ready, and how often. */
const ARRIVAL_TRIES_MAX = 40;
const ARRIVAL_RETRY_MS = 100;
/** Steps in which a last request must be answered: nobody else does anything meanwhile. */
const LAST_STEPS_MAX = 2_000;
const LAST_CREDIT = 500;
/**
 * Longer than a refusal is remembered, shorter than the first request's answer takes, so that the two
 * overlap.
 */
const LAST_GAP_MS = 250;

function isBroken({ invariants }: Simulation): boolean {
  return invariants.violations.length > 0;
}

/** Lets things happen until the condition holds; false when it does not within so many steps. */
async function runUntil(
  simulation: Simulation,
  stepsMax: number,
  isDone: () => boolean,
): Promise<boolean> {
  for (let steps = 0; steps < stepsMax && !isBroken(simulation); steps += 1) {
    if (isDone()) return true;
    if (!(await simulation.scheduler.step())) break;
  }
  return isDone();
}

function readyInstances({ completions }: Simulation) {
  return completions.flatMap(({ instance }) => (instance?.isReady() ? [instance] : []));
}

/** The gateway sends the request to an instance that is ready; without one it gives up in time. */
function arrive(simulation: Simulation, request: ModelRequest, triesLeft: number): void {
  const { random, scheduler, invariants } = simulation;
  const ready = readyInstances(simulation);
  if (ready.length > 0) {
    void sendRequest(random.pick(ready), request, scheduler, invariants);
  } else if (triesLeft > 0) {
    scheduler.after(undefined, ARRIVAL_RETRY_MS, () => arrive(simulation, request, triesLeft - 1));
  } else invariants.ends(request, { kind: 'refused', code: 'SERVICE_UNAVAILABLE' });
}

function planRequests(simulation: Simulation): void {
  const { random, profile, scheduler, requests } = simulation;
  const { accounts, requests: count } = profile.workload;
  for (let index = 1; index <= count; index += 1) {
    const accountId = random.pick(accounts);
    const request = createRequest(random, profile.workload, `req_${index}`, accountId);
    requests.set(request.requestId, request);
    const begin = () => arrive(simulation, request, ARRIVAL_TRIES_MAX);
    scheduler.after(undefined, request.arrivesMs, begin);
  }
}

/** Starts everybody and gives the accounts their first credit; no disaster strikes yet. */
async function open(simulation: Simulation): Promise<void> {
  const { billings, completions, profile } = simulation;
  for (const machine of billings) simulation.startBilling(machine);
  for (const machine of completions) simulation.startCompletion(machine);
  let given = 0;
  for (const accountId of profile.workload.accounts) {
    const count = () => {
      given += 1;
    };
    addCredit(simulation, firstCredit(simulation, accountId)).then(count, count);
  }
  simulation.changeLeader();
  const isOpen = () =>
    given === profile.workload.accounts.length &&
    readyInstances(simulation).length === completions.length;
  await runUntil(simulation, profile.stepsMax, isOpen);
}

/** Two requests of the account overlap on one instance; both must be answered. */
async function askTwice(
  simulation: Simulation,
  instance: CompletionInstance,
  accountId: string,
): Promise<void> {
  const { scheduler, invariants, requests } = simulation;
  const { name } = instance.process;
  let paid = false;
  const credit = { kind: 'credit', accountId, amount: LAST_CREDIT } as const;
  const given = addCredit(simulation, { ...credit, name: `last-${name}`, calledUntilMs: 0 });
  given.then(
    () => {
      paid = true;
    },
    (error: unknown) => invariants.report(`credit was not given: ${String(error)}`),
  );
  await runUntil(simulation, LAST_STEPS_MAX, () => paid);
  const asked = [1, 2].map((place) => {
    const request = createLastRequest(`last_${place}_${accountId}_${name}`, accountId);
    requests.set(request.requestId, request);
    const send = () => void sendRequest(instance, request, scheduler, invariants);
    scheduler.after(undefined, place * LAST_GAP_MS, send);
    return request;
  });
  await runUntil(simulation, LAST_STEPS_MAX, () => asked.every(({ observed }) => observed.outcome));
  for (const { requestId, observed } of asked) {
    const { outcome } = observed;
    if (outcome?.kind === 'answered') continue;
    const answer = outcome !== undefined && 'code' in outcome ? outcome.code : 'nothing';
    invariants.report(`${requestId} could be paid and got ${answer}`);
  }
  const { spoolId } = instance.spool;
  const isClosed = () => {
    const leases = [...(simulation.replicas.accounts.get(accountId)?.leases.values() ?? [])];
    return leases.every(({ holder }) => holder !== spoolId);
  };
  const closed = await runUntil(simulation, LAST_STEPS_MAX, isClosed);
  if (!closed) invariants.report(`${accountId} has leases left after its last requests`);
}

/** With nothing wrong any more, credit that is there can be spent, on every instance. */
async function askEverywhere(simulation: Simulation): Promise<void> {
  for (const instance of readyInstances(simulation)) {
    for (const accountId of simulation.profile.workload.accounts) {
      if (!isBroken(simulation)) await askTwice(simulation, instance, accountId);
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
  const profile = (options.changeProfile ?? options.bug?.changeProfile)?.(made) ?? made;
  const bug = options.bug ?? NO_PLANTED_BUG;
  const createStore = options.createStore ?? createReplicaSet;
  const simulation = createSimulation({ random, profile, bug, createStore, trace: options.trace });
  const { scheduler, invariants } = simulation;
  await open(simulation);
  planRequests(simulation);
  const credits: readonly Credit[] = planCredits(simulation);
  planClaims(simulation);
  const suspendedUntilMs = planSuspensions(simulation);
  const strike = createDisasters(simulation);
  let stepsLeft = profile.stepsMax;
  let isOver = false;
  while (stepsLeft > 0 && !isBroken(simulation)) {
    strike();
    await scheduler.step();
    if (stepsLeft % STEPS_PER_LOOK === 0) isOver = runningRequests(simulation).length === 0;
    stepsLeft = isOver ? Math.min(stepsLeft, STEPS_AFTER_LAST) - 1 : stepsLeft - 1;
  }
  if (!isBroken(simulation)) {
    const given = await comeToRest(simulation, credits, suspendedUntilMs);
    if (!isBroken(simulation)) await checkEverything(simulation, given, bug.statementStore);
  }
  if (!isBroken(simulation)) await askEverywhere(simulation);
  const coverage = coverageOf(simulation);
  return { seed, violations: invariants.violations, steps: scheduler.stepCount, coverage };
}

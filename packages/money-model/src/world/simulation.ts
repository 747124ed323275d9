import type {
  Account,
  BillingEvent,
  LeaseDisposition,
  QuarantineStore,
} from '@tollgate/billing/model-api';
import {
  type BillingPort,
  encodeFrame,
  recallLease,
  type Spool,
  type VendorCall,
} from '@tollgate/completion/model-api';
import { toAppError } from '@tollgate/core';
import { createInvariants, type InvariantDependencies, type Invariants } from '../check/invariants';
import type { PlantedBug } from '../check/planted-bug';
import type { Random } from '../random';
import type { Profile } from '../workload/profile';
import type { ModelRequest } from '../workload/workload';
import { type BillingInstance, createBillingInstance } from './billing-instance';
import { type CompletionInstance, createCompletionInstance } from './completion-instance';
import { callRemote } from './network';
import { createProcess, type Process } from './process';
import type { MajorityListener, ReplicaSet } from './replica-set';
import { createScheduler, type Scheduler } from './scheduler';
import { createSimulatedBus, receivedRecordOf, type SimulatedBus } from './simulated-bus';
import { createSimulatedDisk, type SimulatedDisk } from './simulated-disk';
import { createSimulatedVendors } from './simulated-vendor';

/** A place where an instance of billing runs, or ran. */
export interface BillingMachine {
  readonly name: string;
  instance: BillingInstance | undefined;
}

/** A machine with a disk where an instance of completion runs, or ran. */
export interface CompletionMachine {
  readonly name: string;
  readonly spoolId: string;
  readonly disk: SimulatedDisk;
  instance: CompletionInstance | undefined;
  /** Its instance cannot go on: it waits for a restart. */
  broken: boolean;
  /** The machine and its disk are gone for good. */
  destroyed: boolean;
}

/** Everybody who takes part in a schedule. */
export interface Simulation {
  readonly random: Random;
  readonly profile: Profile;
  readonly scheduler: Scheduler;
  readonly replicas: ReplicaSet;
  readonly bus: SimulatedBus;
  readonly invariants: Invariants;
  readonly requests: Map<string, ModelRequest>;
  readonly billings: readonly BillingMachine[];
  readonly completions: readonly CompletionMachine[];
  /** Events that billing published, by account and journal number. */
  readonly published: ReadonlyMap<string, ReadonlyMap<number, BillingEvent>>;
  startBilling(machine: BillingMachine): void;
  stopBilling(machine: BillingMachine): void;
  startCompletion(machine: CompletionMachine): void;
  stopCompletion(machine: CompletionMachine, powerCut: boolean): void;
  /** Another process takes the jobs of billing's leader over; the former learns of it later. */
  changeLeader(): void;
  /** An instance of billing that is up, any of them. */
  anyBilling(): BillingInstance | undefined;
  askHolder(
    from: Process,
    address: string,
    request: { readonly accountId: string; readonly lease: number; readonly holder: string },
  ): Promise<LeaseDisposition>;
}

export interface SimulationDependencies {
  readonly random: Random;
  readonly profile: Profile;
  readonly bug: PlantedBug;
  readonly createStore: (scheduler: Scheduler, listener: MajorityListener) => ReplicaSet;
  /** Hears everything that happens. */
  readonly trace: ((line: string) => void) | undefined;
}

const RECALL_DEADLINE_MS = 500;

function createDisks(profile: Profile, invariants: () => Invariants): CompletionMachine[] {
  return Array.from({ length: profile.spools }, (_, index) => {
    const spoolId = `spl_${index + 1}`;
    const identity = encodeFrame(Buffer.from(JSON.stringify({ spoolId, epoch: 0 })));
    return {
      name: `completion-${index + 1}:7101`,
      spoolId,
      disk: createSimulatedDisk(new Map([['identity.spool', identity]]), (bytes) =>
        invariants().durable(bytes),
      ),
      instance: undefined,
      broken: false,
      destroyed: false,
    };
  });
}

function createPublished() {
  const published = new Map<string, Map<number, BillingEvent>>();
  const publish = (events: readonly BillingEvent[]) => {
    for (const event of events) {
      const ofAccount = published.get(event.accountId) ?? new Map<number, BillingEvent>();
      published.set(event.accountId, ofAccount.set(event.item.no, event));
    }
  };
  return { published, publish };
}

function isInOutbox({ outbox }: ReplicaSet, accountId: string, no: number): boolean {
  for (const batch of outbox.values()) {
    if (batch.accountId === accountId && batch.items.some((item) => item.no === no)) return true;
  }
  return false;
}

/** A quarantine hides an error from the other checks. */
function createNoQuarantine({ report }: Invariants): QuarantineStore {
  return {
    async keep({ id, reason }) {
      report(`${id} was quarantined: ${reason}`);
    },
    async remove() {},
    async list() {
      return [];
    },
  };
}

/** The state that all participants share. */
type Shared = SimulationDependencies &
  Pick<
    Simulation,
    'scheduler' | 'replicas' | 'bus' | 'invariants' | 'requests' | 'billings' | 'completions'
  >;

function newProcess({ random, profile, scheduler }: Shared, name: string): Process {
  const { skewMsMax, zombieChance, epochMs } = profile;
  const skewMs = random.int(0, skewMsMax);
  return createProcess(scheduler, name, { epochMs, skewMs }, zombieChance);
}

function anyBilling({ billings, random, scheduler }: Shared): BillingInstance | undefined {
  const up = billings.flatMap(({ instance }) => instance ?? []);
  if (up.length === 0) return undefined;
  return scheduler.isCalm ? up[0] : random.pick(up);
}

/** Billing as completion calls it. */
function createBillingPort(shared: Shared, process: Process, machine: CompletionMachine) {
  const { scheduler, profile, invariants } = shared;
  const { suspensions } = invariants;
  const ask = <Answer>(handle: (billing: BillingInstance) => Promise<Answer>) =>
    callRemote(scheduler, {
      from: process,
      target: () => anyBilling(shared),
      handle,
      timeoutMs: profile.completion.billingDeadlineMs,
      faults: profile.rpcFaults,
    });
  return (spool: Spool): BillingPort => ({
    async acquireLease({ accountId, nonce, amount, minimum, budget }) {
      const command = {
        nonce,
        amount,
        minimum,
        holder: spool.spoolId,
        holderAddress: machine.name,
        budget: budget ?? undefined,
      };
      const { leaseTtlMs: ttlMs, leaseMarginMs: marginMs } = profile.billing.bounds;
      const deadlineMs = profile.completion.billingDeadlineMs;
      const usableUntilMs = scheduler.elapsedMs + ttlMs - marginMs;
      const acquired = await ask((billing) =>
        billing.acquire(accountId, command, deadlineMs),
      ).catch((error: unknown) => {
        if (toAppError(error).spendingSuspended) suspensions.told(accountId, spool.spoolId);
        throw error;
      });
      suspensions.granted(accountId, spool.spoolId, acquired.leaseNumber);
      if (acquired.suspended) suspensions.told(accountId, spool.spoolId);
      if (!acquired.swept) invariants.granted(accountId, acquired.leaseNumber, usableUntilMs);
      return { ...acquired, lease: acquired.leaseNumber, ttlMs, marginMs };
    },
    readWatermarks: (leases) => ask(({ operations }) => operations.readWatermarks(leases)),
    settleUsage: (records) => ask((billing) => billing.settle(records.map(receivedRecordOf))),
  });
}

function startCompletion(
  shared: Shared,
  machine: CompletionMachine,
  nonces: { next: number },
): void {
  const { bug, profile, bus, invariants, requests, random } = shared;
  const process = newProcess(shared, machine.name);
  invariants.tell(`${machine.name} starts`);
  machine.broken = false;
  const isCurrent = () => machine.instance?.process === process;
  const byMessages = (call: VendorCall): ModelRequest => {
    for (const request of requests.values()) {
      if (request.messages !== call.messages) continue;
      invariants.calls(request, call);
      return request;
    }
    throw new Error('a vendor was called for a request that nobody sent');
  };
  machine.instance = createCompletionInstance({
    process,
    bug,
    disk: machine.disk,
    settings: profile.completion,
    createNonce: () => {
      nonces.next += 1;
      return `nonce-${nonces.next}`;
    },
    billing: createBillingPort(shared, process, machine),
    publisher: bus.publisherFor(process, profile.busFaults),
    vendors: createSimulatedVendors(process, byMessages),
    random: random.next,
    watchRules: invariants.watchRules,
    onDamage: (places) =>
      invariants.report(`${machine.name}: ${places} damaged places in the spool`),
    onBroken: () => {
      if (isCurrent() || machine.instance === undefined) machine.broken = true;
    },
  });
}

function askHolder(shared: Shared): Simulation['askHolder'] {
  const { scheduler, profile, completions } = shared;
  return async (from, address, { accountId, lease, holder }) => {
    return await callRemote(scheduler, {
      from,
      target: () => {
        const reached = completions.find(({ name }) => name === address)?.instance;
        return reached?.isReady() ? reached : undefined;
      },
      handle: ({ recall }: CompletionInstance) => recallLease(recall, { accountId, lease }, holder),
      timeoutMs: RECALL_DEADLINE_MS,
      faults: profile.rpcFaults,
    });
  };
}

/** Leads with one instance at a time, except for the moment in which the former does not know. */
function createLeadership({ billings, random, scheduler }: Shared) {
  let leader: BillingInstance | undefined;
  let resign = () => {};
  return () => {
    const up = billings.flatMap(({ instance }) => instance ?? []);
    if (up.length === 0) return;
    const former = resign;
    if (leader?.process.alive && !scheduler.isCalm) {
      scheduler.after(leader.process, random.int(0, 1_500), former);
    } else former();
    leader = random.pick(up);
    resign = leader.lead();
  };
}

/** Makes everybody and everything of a schedule; nobody runs yet. */
export function createSimulation(deps: SimulationDependencies): Simulation {
  const { random, profile, bug } = deps;
  const scheduler = createScheduler(random, profile.hurry);
  const requests = new Map<string, ModelRequest>();
  const limits = new Map<string, bigint>();
  for (const accountId of profile.workload.accounts) {
    limits.set(`key_${accountId}_budget`, BigInt(profile.workload.budgetLimit));
  }
  const accounts = (): ReadonlyMap<string, Account> => replicas.accounts;
  const tell = (event: string) => deps.trace?.(`${Math.round(scheduler.elapsedMs)} ms: ${event}`);
  const isStored: InvariantDependencies['isStored'] = (accountId, item) => {
    const told = published.get(accountId)?.has(item.no) === true;
    if (!told && !isInOutbox(replicas, accountId, item.no)) return false;
    return item.kind === 'notice' || replicas.ledger.get(accountId)?.has(item.entry.seq) === true;
  };
  const { published, publish } = createPublished();
  const elapsedMs = () => scheduler.elapsedMs;
  const invariants = createInvariants({ requests, accounts, isStored, limits, tell, elapsedMs });
  const replicas = deps.createStore(scheduler, invariants);
  const billings = Array.from({ length: profile.billings }, (_, index): BillingMachine => {
    return { name: `billing-${index + 1}`, instance: undefined };
  });
  const completions = createDisks(profile, () => invariants);
  const bus = createSimulatedBus(scheduler, profile.busFaults);
  const shared: Shared = {
    ...deps,
    scheduler,
    replicas,
    bus,
    invariants,
    requests,
    billings,
    completions,
  };
  const ask = askHolder(shared);
  const nonces = { next: 0 };
  return {
    random,
    profile,
    scheduler,
    replicas,
    bus,
    invariants,
    requests,
    billings,
    completions,
    published,
    startBilling(machine) {
      const process = newProcess(shared, machine.name);
      const instance = createBillingInstance({
        process,
        bug,
        publish,
        callHolder: ask,
        random: random.next,
        ports: replicas.portsFor(process, profile.storeFaults),
        quarantine: createNoQuarantine(invariants),
        settings: profile.billing,
        faults: profile.storeFaults,
      });
      machine.instance = instance;
      bus.join(process, instance.settle);
    },
    stopBilling(machine) {
      invariants.tell(`${machine.name} is killed`);
      machine.instance?.process.kill();
      machine.instance = undefined;
    },
    startCompletion: (machine) => startCompletion(shared, machine, nonces),
    stopCompletion(machine, powerCut) {
      invariants.tell(`${machine.name} is killed${powerCut ? ' by a power cut' : ''}`);
      machine.instance?.process.kill();
      machine.instance = undefined;
      machine.disk.releaseLock();
      if (powerCut) machine.disk.cutPower(random);
    },
    changeLeader: createLeadership(shared),
    anyBilling: () => anyBilling(shared),
    askHolder: ask,
  };
}

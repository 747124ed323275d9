import type { LeaseRef, SpoolRules, UsageSpool } from '@tollgate/completion/model-api';
import {
  AppError,
  type NumberedRecord,
  nano,
  TurnoverMap,
  toAppError,
  type UsageRecord,
} from '@tollgate/core';
import type { Profile } from '../workload/profile';
import type { PlantedBug } from './planted-bug';

/** The object with some of its members replaced; the others keep their `this`. */
function overriding<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name): unknown {
      if (name in members) return Reflect.get(members, name) as unknown;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

// The receiver of the entry looks at its amount alone.
function recordOf(amount: bigint): UsageRecord {
  return { amount } as UsageRecord;
}

const ignore = () => {};
const keyOf = ({ accountId, lease }: LeaseRef) => `${accountId}/${lease}`;

/** Reserves the number when the request begins, and uses it when it ends. */
function createNumbersAtBegin(): PlantedBug {
  const given = new Map<string, number>();
  const reserved = new Map<string, number>();
  let forced: number | undefined;
  const next = (ref: LeaseRef) => {
    const number = (given.get(keyOf(ref)) ?? 0) + 1;
    given.set(keyOf(ref), number);
    return number;
  };
  const withNumber = <Result>(number: number | undefined, write: () => Result): Result => {
    forced = number;
    const result = write();
    forced = undefined;
    return result;
  };
  return {
    spoolRules: (rules) => ({
      ...rules,
      nextNumber: (highest) => forced ?? rules.nextNumber(highest),
    }),
    usageSpool: (spool) =>
      overriding<UsageSpool>(spool, {
        begin(start) {
          if (!reserved.has(start.requestId)) reserved.set(start.requestId, next(start));
          return spool.begin(start);
        },
        end: (requestId, outcome) =>
          withNumber(reserved.get(requestId), () => spool.end(requestId, outcome)),
        closeLease: (ref) =>
          spool.isClosed(ref)
            ? Promise.resolve()
            : withNumber(next(ref), () => spool.closeLease(ref)),
      }),
  };
}

/** Credit comes back when a request ends, though its END is written only some time later. */
function createEarlyReturn(): PlantedBug {
  const ends = new Map<string, Promise<UsageRecord>>();
  const LATE_MS = 30;
  return {
    usageSpool: (spool, process) =>
      overriding<UsageSpool>(spool, {
        end(requestId, outcome) {
          const end = new Promise<UsageRecord>((resolve, reject) => {
            process.clock.schedule(LATE_MS, () => {
              spool.end(requestId, outcome).then(resolve, reject);
            });
          });
          end.catch(ignore);
          ends.set(requestId, end);
          return Promise.resolve(recordOf(outcome.amount));
        },
      }),
    runLeases: (leases) =>
      overriding(leases, {
        async endRequest(reservation, requestId, outcome) {
          const entry = await leases.endRequest(reservation, requestId, outcome);
          await ends.get(requestId);
          return entry;
        },
      }),
  };
}

type PlanRecovery = SpoolRules['planRecovery'];

function recovering(change: (plan: PlanRecovery) => PlanRecovery): PlantedBug {
  return {
    spoolRules: (rules) => ({ ...rules, planRecovery: change(rules.planRecovery) }),
  };
}

/** Every request asks for more than text. */
const askingForMore = ({ workload, ...profile }: Profile): Profile => ({
  ...profile,
  workload: { ...workload, beyondTextShare: 1 },
});

/** Requests come for as long as leases are renewed, and the account suspends its spending meanwhile. */
const suspendingOften = ({ workload, ...profile }: Profile): Profile => ({
  ...profile,
  credit: 300,
  spools: 1,
  suspensions: 8,
  stepsMax: 1_600,
  workload: { ...workload, accounts: ['acc_1'], budgetShare: 0, overMs: 9_000, requests: 40 },
});

/** Every planted bug of completion, by what it does. */
export const COMPLETION_BUGS: Readonly<Record<string, () => PlantedBug>> = {
  'a nonce that is used for more than one lease': () => ({
    createNonce: (createNonce) => {
      const only = createNonce();
      return () => only;
    },
  }),
  'an END after the last byte': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        endRequest(reservation, requestId, outcome) {
          leases.endRequest(reservation, requestId, outcome).catch(ignore);
          return Promise.resolve(recordOf(outcome.amount));
        },
      }),
  }),
  'a record that forgets what went into a cache': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        endRequest: (reservation, requestId, outcome) =>
          leases.endRequest(reservation, requestId, { ...outcome, cacheWriteTokens: undefined }),
      }),
  }),
  'a count that leaves out what was thought': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        endRequest: (reservation, requestId, outcome) =>
          leases.endRequest(reservation, requestId, {
            ...outcome,
            completionTokens: outcome.completionTokens - (outcome.reasoningTokens ?? 0),
          }),
      }),
  }),
  'a record that forgets what was thought': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        endRequest: (reservation, requestId, outcome) =>
          leases.endRequest(reservation, requestId, { ...outcome, reasoningTokens: undefined }),
      }),
  }),
  'a record that forgets what was audio': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        endRequest: (reservation, requestId, outcome) =>
          leases.endRequest(reservation, requestId, { ...outcome, promptAudioTokens: undefined }),
      }),
  }),
  'a prompt that is counted without its tools': () => ({
    changeProfile: askingForMore,
    request: ({ parameters, ...request }) => ({
      ...request,
      parameters: { ...parameters, capabilityMembers: Buffer.alloc(0) },
    }),
  }),
  'an image that is reserved and counted as nothing': () => ({
    changeProfile: askingForMore,
    request: (request) => ({ ...request, media: { bytes: 0, images: 0, files: 0 } }),
  }),
  'vectors that are charged like an answer': () => ({
    changeProfile: askingForMore,
    runLeases: (leases) =>
      overriding(leases, {
        endRequest: (reservation, requestId, outcome) =>
          leases.endRequest(reservation, requestId, {
            ...outcome,
            // An answer of nothing is what vectors are to their record.
            completionTokens: outcome.completionTokens || outcome.promptTokens,
          }),
      }),
  }),
  'a record that is deleted when the bus acknowledges it': () => ({
    publisher: (publisher, spool) => ({
      async publish(records, timeoutMs) {
        await publisher.publish(records, timeoutMs);
        spool.forget(
          records.map(({ accountId, lease, number }) => {
            return { accountId, lease, nextNumber: number + 1, complete: false };
          }),
        );
      },
    }),
  }),
  'a CLOSE before the last reservation has ended': () => ({
    leaseRules: (rules) => ({ ...rules, mayClose: ({ phase }) => phase !== 'closed' }),
  }),
  'a lease that gives on though spending is suspended': () => ({
    changeProfile: suspendingOften,
    heardBilling: (billing) =>
      overriding(billing, {
        async acquireLease(request) {
          try {
            return { ...(await billing.acquireLease(request)), suspended: false };
          } catch (error) {
            throw new AppError(toAppError(error).code);
          }
        },
      }),
  }),
  'a reservation beyond the lease': () => ({
    leaseRules: (rules) => ({
      ...rules,
      reserve(lease, amount, monotonicNowMs) {
        const widened = { ...lease, free: nano(lease.free + amount) };
        const next = rules.reserve(widened, amount, monotonicNowMs);
        return next === undefined ? undefined : { ...next, free: nano(lease.free - amount) };
      },
    }),
  }),
  'a limit of cost that holds for each answer by itself': () => ({
    request: ({ costMax, ...request }) => ({
      ...request,
      costMax: costMax === undefined ? undefined : nano(costMax * BigInt(request.choices)),
    }),
  }),
  'a reservation above what the client lets the request cost': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        reserve: (request) => leases.reserve({ ...request, worst: nano(2n * request.worst) }),
      }),
  }),
  // The minimum of a request that begins on an own channel is 0.
  'a budget that is left out when an own channel comes first': () => ({
    runLeases: (leases) =>
      overriding(leases, {
        reserve: (request) =>
          leases.reserve({
            ...request,
            budget: request.minimum === 0n ? undefined : request.budget,
          }),
      }),
    changeProfile: ({ workload, ...profile }) => ({
      ...profile,
      workload: { ...workload, ownShare: 0.5, budgetShare: 0.8, hostileShare: 0.6 },
    }),
  }),
  'a number that is given at BEGIN': createNumbersAtBegin,
  'a restart that does not end what had begun': () =>
    recovering((plan) => (state, writer, watermarks) => {
      return plan(overriding(state, { requests: new TurnoverMap() }), writer, watermarks);
    }),
  'credit that comes back before its END is durable': createEarlyReturn,
  'a restart that numbers from 1': () =>
    recovering((plan) => (state, writer, watermarks) => {
      const numbers = new Map<string, number>();
      return plan(state, writer, watermarks).map((record): NumberedRecord => {
        const number = (numbers.get(keyOf(record)) ?? 0) + 1;
        numbers.set(keyOf(record), number);
        return { ...record, number };
      });
    }),
};

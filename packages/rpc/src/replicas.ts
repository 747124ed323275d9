import { type ChannelOptions, experimental, Metadata, status } from '@grpc/grpc-js';
import { type Clock, createBoundedMap } from '@tollgate/core';
import { peerStateOf } from './error-mapping';

/** The policy by which a client takes turns among the replicas of a service. */
export const REPLICAS_POLICY = 'tollgate_replicas';

/** Channel option that hands a client's `Replicas` to its policy. */
export const REPLICAS_OPTION = 'tollgate.replicas';

/** What a repetition is told when every replica that is connected has been asked already. */
export const NO_OTHER_REPLICA = 'no other replica is connected';

/** A replica that did not answer is left alone for so long; then one call finds out. */
const SILENT_MS = 1000;

/** Addresses that are remembered; those that are gone answer no more. */
const SILENT_MAX = 100;

/** Names one sending of a call; the policy takes it out before anything leaves. */
const SENDING = 'tollgate-sending';

/** What one client knows of the replicas of the service that it calls. */
export interface Replicas {
  /** A call that goes to another replica each time it is sent. */
  beginCall(): Sendings;
  /** Where the next call goes; `pick` takes turns. Undefined when there is nowhere to go. */
  choose(
    pick: () => experimental.PickResult,
    metadata: Metadata,
  ): experimental.PickResult | undefined;
}

/** The sendings of one call, and where they went. */
export interface Sendings {
  /** Marks the metadata of one sending: it avoids where those before it went. */
  mark(metadata: Metadata): void;
  /** The replicas that it was sent to so far have been silent for too long. */
  noteSilence(): void;
  end(): void;
}

/** One sending of a call. */
interface Sending {
  readonly avoided: ReadonlySet<string>;
  /** Where the call went, all of its sendings together. */
  readonly tried: Set<string>;
}

/**
 * Silence counts against a replica and not against its service: one that is frozen keeps its
 * connections, and would get its part of all calls and hold each until its deadline. Any answer
 * ends it, a refusal too. While all are silent they take turns as if none were.
 */
export function createReplicas(clock: Clock): Replicas {
  const silentUntilMs = createBoundedMap<string, number>(SILENT_MAX);
  const sendings = new Map<string, Sending>();
  let lastSending = 0;

  const noteSilence = (address: string) => {
    silentUntilMs.set(address, clock.monotonicMs() + SILENT_MS);
  };
  const isSilent = (address: string) => (silentUntilMs.get(address) ?? 0) > clock.monotonicMs();
  return {
    beginCall() {
      const tried = new Set<string>();
      const ids: string[] = [];
      return {
        mark(metadata) {
          lastSending += 1;
          const id = String(lastSending);
          ids.push(id);
          sendings.set(id, { avoided: new Set(tried), tried });
          metadata.set(SENDING, id);
        },
        noteSilence: () => tried.forEach(noteSilence),
        end() {
          for (const id of ids) sendings.delete(id);
        },
      };
    },
    choose(pick, metadata) {
      const sending = sendings.get(String(metadata.get(SENDING)[0]));
      metadata.remove(SENDING);
      const isNew = (address: string) => sending?.avoided.has(address) !== true;
      const picked =
        pickOnce(pick, (address) => isNew(address) && !isSilent(address)) ?? pickOnce(pick, isNew);
      const address = picked?.subchannel?.getAddress();
      if (picked === undefined || address === undefined) return picked;
      // Whether it answers again, one call finds out and not all at once.
      if (silentUntilMs.get(address) !== undefined) noteSilence(address);
      return {
        ...picked,
        onCallStarted() {
          sending?.tried.add(address);
          picked.onCallStarted?.();
        },
        onCallEnded(code, details, trailers) {
          const state = peerStateOf(code, trailers);
          if (state === 'answered') silentUntilMs.delete(address);
          else if (state === 'silent') noteSilence(address);
          picked.onCallEnded?.(code, details, trailers);
        },
      };
    },
  };
}

/** Goes round the replicas once; undefined when none of them will do. */
function pickOnce(
  pick: () => experimental.PickResult,
  isGood: (address: string) => boolean,
): experimental.PickResult | undefined {
  let first: string | undefined;
  for (;;) {
    const picked = pick();
    const address = picked.subchannel?.getAddress();
    // Without an address nobody is connected, and the library knows what to do.
    if (address === undefined || isGood(address)) return picked;
    if (address === first) return undefined;
    first ??= address;
  }
}

/** The library's round robin, which is asked again where a replica is to be left alone. */
class ReplicasLoadBalancer implements experimental.LoadBalancer {
  readonly #turns: experimental.ChildLoadBalancerHandler;
  #replicas: Replicas | undefined;

  constructor(helper: experimental.ChannelControlHelper) {
    const choosing = experimental.createChildChannelControlHelper(helper, {
      updateState: (state, picker, message) =>
        helper.updateState(state, this.#choosing(picker), message),
    });
    this.#turns = new experimental.ChildLoadBalancerHandler(choosing);
  }

  updateAddressList(
    endpoints: Parameters<experimental.LoadBalancer['updateAddressList']>[0],
    _config: experimental.TypedLoadBalancingConfig,
    options: ChannelOptions,
    note: string,
  ): boolean {
    this.#replicas = options[REPLICAS_OPTION] as Replicas;
    const turns = experimental.parseLoadBalancingConfig({ round_robin: {} });
    return this.#turns.updateAddressList(endpoints, turns, options, note);
  }

  exitIdle(): void {
    this.#turns.exitIdle();
  }

  resetBackoff(): void {
    this.#turns.resetBackoff();
  }

  destroy(): void {
    this.#turns.destroy();
  }

  getTypeName(): string {
    return REPLICAS_POLICY;
  }

  #choosing(picker: experimental.Picker): experimental.Picker {
    const replicas = this.#replicas;
    if (replicas === undefined) return picker;
    return { pick: (args) => replicas.choose(() => picker.pick(args), args.metadata) ?? dropped() };
  }
}

function dropped(): experimental.PickResult {
  const reason = { code: status.UNAVAILABLE, details: NO_OTHER_REPLICA, metadata: new Metadata() };
  return {
    pickResultType: experimental.PickResultType.DROP,
    subchannel: null,
    status: reason,
    onCallStarted: null,
    onCallEnded: null,
  };
}

class ReplicasConfig implements experimental.TypedLoadBalancingConfig {
  static createFromJson(): ReplicasConfig {
    return new ReplicasConfig();
  }

  getLoadBalancerName(): string {
    return REPLICAS_POLICY;
  }

  toJsonObject(): object {
    return { [REPLICAS_POLICY]: {} };
  }
}

experimental.registerLoadBalancerType(REPLICAS_POLICY, ReplicasLoadBalancer, ReplicasConfig);

import type { BillingHost, CompletionHost, World } from './world';

const PAUSE_MS_MAX = 6_000;

function restartLater(world: World, restart: () => void): void {
  const { random, scheduler, profile } = world;
  scheduler.at(undefined, random.int(1, profile.disasters.downMsMax), restart);
}

function killBilling(world: World, host: BillingHost): void {
  world.stopBilling(host);
  restartLater(world, () => {
    if (host.instance === undefined) world.startBilling(host);
  });
}

function killCompletion(world: World, host: CompletionHost, powerCut: boolean): void {
  world.stopCompletion(host, powerCut);
  restartLater(world, () => {
    if (host.instance === undefined && !host.destroyed) world.startCompletion(host);
  });
}

/** A machine burns with its disk, and the operator says so: nobody will hear of its leases again. */
function destroyCompletion(world: World, host: CompletionHost): void {
  host.destroyed = true;
  world.stopCompletion(host, true);
  const declare = () => {
    const retired = world.anyBilling()?.operations.retireLeases(host.spoolId);
    retired?.then((leases) => world.witness.note(`${leases} leases retired`)).catch(declareLater);
    if (retired === undefined) declareLater();
  };
  const declareLater = () => restartLater(world, declare);
  declareLater();
}

/** Somebody asks a holder about any lease that ever was, as billing's sweeper may do. */
function recallAny(world: World): void {
  const { random, replicas, profile } = world;
  const account = replicas.accounts.get(random.pick(profile.workload.accounts));
  const from = world.anyBilling()?.process;
  if (from === undefined || account === undefined || account.leases.size === 0) return;
  const [lease, { holder, holderAddress }] = random.pick([...account.leases]);
  world
    .askHolder(from, holderAddress, { accountId: account.id, lease, holder })
    .catch(() => undefined);
}

/** The machine comes back with what the operator did about its broken spool. */
function restartBroken(world: World): void {
  const { random, profile, completions } = world;
  for (const host of completions) {
    if (!host.broken) continue;
    host.broken = false;
    killCompletion(world, host, random.chance(profile.disasters.powerCut));
  }
}

type Disaster = readonly [chance: number, strike: () => void];

/** Everything that may strike, with its chance in a step. */
function disastersOf(world: World): readonly Disaster[] {
  const { random, profile, billings, completions, bus, replicas } = world;
  const { disasters } = profile;
  const destroyOne = () => {
    const left = completions.filter(({ destroyed }) => !destroyed);
    if (left.length > 1) destroyCompletion(world, random.pick(left));
  };
  const killOne = () =>
    killCompletion(world, random.pick(completions), random.chance(disasters.powerCut));
  const pauseOne = () => {
    const { instance } = random.pick([...billings, ...completions]);
    instance?.process.pause(random.int(1, PAUSE_MS_MAX));
  };
  const breakDisk = () =>
    random.pick(completions).disk.failNext(random.pick(['append', 'fdatasync']));
  return [
    [disasters.killBilling, () => killBilling(world, random.pick(billings))],
    [disasters.killCompletion, killOne],
    [disasters.destroy, destroyOne],
    [disasters.pause, pauseOne],
    [disasters.failOver, () => replicas.failOver()],
    [disasters.changeLeader, () => world.changeLeader()],
    [disasters.rebalance, () => bus.rebalance()],
    [disasters.resetOffsets, () => bus.resetOffsets()],
    [disasters.diskFault, breakDisk],
    [disasters.recall, () => recallAny(world)],
  ];
}

/** Lets happen, before a step, at most one of the things that the profile's chances bring. */
export function createTrouble(world: World): () => void {
  const disasters = disastersOf(world);
  const any = disasters.reduce((sum, [chance]) => sum + chance, 0);
  return () => {
    restartBroken(world);
    let lot = world.random.next();
    if (lot >= any) return;
    for (const [chance, strike] of disasters) {
      lot -= chance;
      if (lot < 0) return strike();
    }
  };
}

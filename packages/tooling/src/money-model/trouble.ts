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

/** Lets happen, before a step, whatever the profile's chances bring. */
export function strike(world: World): void {
  const { random, profile, billings, completions, bus, replicas } = world;
  const { disasters } = profile;
  for (const host of completions) {
    if (!host.broken) continue;
    host.broken = false;
    killCompletion(world, host, random.chance(disasters.powerCut));
  }
  if (random.chance(disasters.killBilling)) killBilling(world, random.pick(billings));
  if (random.chance(disasters.killCompletion)) {
    killCompletion(world, random.pick(completions), random.chance(disasters.powerCut));
  }
  if (random.chance(disasters.destroy)) {
    const others = completions.filter(({ destroyed }) => !destroyed);
    if (others.length > 1) destroyCompletion(world, random.pick(others));
  }
  if (random.chance(disasters.pause)) {
    const { instance } = random.pick([...billings, ...completions]);
    instance?.process.pause(random.int(1, PAUSE_MS_MAX));
  }
  if (random.chance(disasters.failOver)) replicas.failOver();
  if (random.chance(disasters.changeLeader)) world.changeLeader();
  if (random.chance(disasters.rebalance)) bus.rebalance();
  if (random.chance(disasters.resetOffsets)) bus.resetOffsets();
  if (random.chance(disasters.diskFault)) {
    random.pick(completions).disk.failNext(random.pick(['append', 'fdatasync']));
  }
  if (random.chance(disasters.recall)) recallAny(world);
}

import type { BillingMachine, CompletionMachine, Simulation } from './simulation';

const PAUSE_MS_MAX = 6_000;

function restartLater(simulation: Simulation, restart: () => void): void {
  const { random, scheduler, profile } = simulation;
  scheduler.after(undefined, random.int(1, profile.disasters.downMsMax), restart);
}

function killBilling(simulation: Simulation, machine: BillingMachine): void {
  simulation.stopBilling(machine);
  restartLater(simulation, () => {
    if (machine.instance === undefined) simulation.startBilling(machine);
  });
}

function killCompletion(
  simulation: Simulation,
  machine: CompletionMachine,
  powerCut: boolean,
): void {
  simulation.stopCompletion(machine, powerCut);
  restartLater(simulation, () => {
    if (machine.instance === undefined && !machine.destroyed) simulation.startCompletion(machine);
  });
}

/** A machine burns with its disk, and the operator says so: nobody will hear of its leases again. */
function destroyCompletion(simulation: Simulation, machine: CompletionMachine): void {
  machine.destroyed = true;
  simulation.stopCompletion(machine, true);
  const declare = () => {
    const retired = simulation.anyBilling()?.operations.retireLeases(machine.spoolId);
    retired
      ?.then((leases) => simulation.invariants.tell(`${leases} leases retired`))
      .catch(declareLater);
    if (retired === undefined) declareLater();
  };
  const declareLater = () => restartLater(simulation, declare);
  declareLater();
}

/** Somebody asks a holder about any lease that ever was, as billing's sweeper may do. */
function recallAny(simulation: Simulation): void {
  const { random, replicas, profile } = simulation;
  const account = replicas.accounts.get(random.pick(profile.workload.accounts));
  const from = simulation.anyBilling()?.process;
  if (from === undefined || account === undefined || account.leases.size === 0) return;
  const [lease, { holder, holderAddress }] = random.pick([...account.leases]);
  simulation
    .askHolder(from, holderAddress, { accountId: account.id, lease, holder })
    .catch(() => undefined);
}

/** Broken machines are restarted, as an orchestrator would, some of them after a power cut. */
function restartBroken(simulation: Simulation): void {
  const { random, profile, completions } = simulation;
  for (const machine of completions) {
    if (!machine.broken) continue;
    machine.broken = false;
    killCompletion(simulation, machine, random.chance(profile.disasters.powerCut));
  }
}

type Disaster = readonly [chance: number, strike: () => void];

/** Everything that may strike, with its chance in a step. */
function disastersOf(simulation: Simulation): readonly Disaster[] {
  const { random, profile, billings, completions, bus, replicas } = simulation;
  const { disasters } = profile;
  const destroyOne = () => {
    const left = completions.filter(({ destroyed }) => !destroyed);
    if (left.length > 1) destroyCompletion(simulation, random.pick(left));
  };
  const killOne = () =>
    killCompletion(simulation, random.pick(completions), random.chance(disasters.powerCut));
  const pauseOne = () => {
    const { instance } = random.pick([...billings, ...completions]);
    instance?.process.pause(random.int(1, PAUSE_MS_MAX));
  };
  const breakDisk = () =>
    random.pick(completions).disk.failNext(random.pick(['append', 'fdatasync']));
  return [
    [disasters.killBilling, () => killBilling(simulation, random.pick(billings))],
    [disasters.killCompletion, killOne],
    [disasters.destroy, destroyOne],
    [disasters.pause, pauseOne],
    [disasters.failOver, () => replicas.failOver()],
    [disasters.changeLeader, () => simulation.changeLeader()],
    [disasters.rebalance, () => bus.rebalance()],
    [disasters.resetOffsets, () => bus.resetOffsets()],
    [disasters.diskFault, breakDisk],
    [disasters.recall, () => recallAny(simulation)],
  ];
}

/** To be called before each step: at most one disaster strikes, drawn by the profile's chances. */
export function createDisasters(simulation: Simulation): () => void {
  const disasters = disastersOf(simulation);
  const anyChance = disasters.reduce((sum, [chance]) => sum + chance, 0);
  return () => {
    restartBroken(simulation);
    let drawn = simulation.random.next();
    if (drawn >= anyChance) return;
    for (const [chance, strike] of disasters) {
      drawn -= chance;
      if (drawn < 0) return strike();
    }
  };
}

interface Walk {
  next: (this: unknown) => unknown;
}

/** How many elements of arrays and maps a function walks over. */
export function countSteps(run: () => void): number {
  const ofArrays = Object.getPrototypeOf([].values()) as Walk;
  const ofMaps = Object.getPrototypeOf(new Map().keys()) as Walk;
  const originals = { array: ofArrays.next, map: ofMaps.next };
  let steps = 0;
  const counted = (next: Walk['next']): Walk['next'] =>
    function () {
      steps += 1;
      return next.call(this);
    };
  ofArrays.next = counted(originals.array);
  ofMaps.next = counted(originals.map);
  try {
    run();
  } finally {
    ofArrays.next = originals.array;
    ofMaps.next = originals.map;
  }
  return steps;
}

/** Whether a write is possible at this moment, reactive: `connection` of `lib/sync`, which knows why not, sets it. */
class Writable {
  isPossible = $state(false);
}

export const writable = new Writable();

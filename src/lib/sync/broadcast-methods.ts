/*
 * What `broadcast-channel` loads in the build in place of its ways around a missing `BroadcastChannel` (vite.config.ts), which
 * every supported browser has: where settings take it away each tab hears only itself. In place of its election, too: the
 * lead is a lock of the browser's (`lead.ts`).
 */

const silent = {
  type: 'silent',
  canBeUsed: () => true,
  create: () => ({}),
  close: () => undefined,
  onMessage: () => undefined,
  postMessage: () => Promise.resolve(),
  averageResponseTime: () => 0,
  microSeconds: () => Date.now() * 1000,
};

export { silent as IndexedDBMethod, silent as LocalstorageMethod, silent as SimulateMethod };

/** RxDB asks, as a page is hidden, whether it leads; nobody ever stands for that election. */
export const createLeaderElection = () => ({ isLeader: false, die: () => Promise.resolve() });

import { unsafeCast } from '../../api/unsafe-cast.ts';
import type { TabsPort } from '../ports.ts';
import { report } from '../report.ts';
import type { TabMessage } from '../tab-messages.ts';

/** The question of a tab that opens, and the answer of the others. */
const ASKS = 'anyone?';
const ANSWERS = 'someone';

/** The other tabs of one installation, by locks and a channel of the browser. */
export function openTabs(installation: string): TabsPort {
  const channel = openChannel(`rayonnage|${installation}`);
  const listeners: ((message: TabMessage) => void)[] = [];
  // Without another tab nothing is sent: cloning a page costs as much as showing it.
  let isAlone = true;
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === ASKS) channel.postMessage(ANSWERS);
    isAlone = false;
    if (data === ASKS || data === ANSWERS) return;
    for (const listener of listeners) listener(unsafeCast<TabMessage>(data));
  });
  channel?.postMessage(ASKS);
  return {
    requestLeadership(name, onLeader) {
      const given = new AbortController();
      // On plain http there are no locks: every tab is a leader.
      if (!('locks' in navigator)) {
        queueMicrotask(onLeader);
        return () => given.abort();
      }
      const held = new Promise<void>((release) => {
        given.signal.addEventListener('abort', () => release());
      });
      let isLeading = false;
      const take = () => {
        isLeading = true;
        onLeader();
        return held;
      };
      navigator.locks
        .request(`rayonnage|${name}`, { signal: given.signal }, take)
        .catch((error: unknown) => {
          // Aborted by us: no failure.
          if (given.signal.aborted) return;
          report(error, 'requesting the leadership');
          // Firefox refuses locks where it blocks site data.
          if (!isLeading) void take();
        });
      return () => given.abort();
    },

    broadcast(message) {
      if (!isAlone) channel?.postMessage(message);
    },

    hear(listener) {
      listeners.push(listener);
    },
  };
}

/** `null` where the browser blocks it, as Firefox does with all site data. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch (error) {
    report(error, 'opening the channel between tabs');
    return null;
  }
}

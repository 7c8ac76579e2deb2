import { unsafeCast } from '../../api/unsafe-cast.ts';
import type { ChannelPort } from '../ports.ts';
import { report } from '../report.ts';
import type { TabMessage } from '../tab-message.ts';

/** The channel between the tabs of one installation; none where the browser blocks it, as Firefox with all site data. */
export function openChannel(installation: string): ChannelPort {
  try {
    const channel = new BroadcastChannel(`rayonnage|tabs|${installation}`);
    return {
      post: (message) => channel.postMessage(message),
      hear: (listener) =>
        channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          listener(unsafeCast<TabMessage>(data));
        }),
    };
  } catch (error) {
    report(error, 'opening the channel between tabs');
    return { post: () => undefined, hear: () => undefined };
  }
}

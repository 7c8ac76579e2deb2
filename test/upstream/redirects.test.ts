import { expect, onTestFinished, test } from 'vitest';
import { Relay } from '#server/subjects/couvertures/sources';
import { openSource } from '../couvertures/support/source.ts';

test('a redirect to nowhere gives its connection back', async () => {
  const source = await openSource();
  const closed = Promise.withResolvers<null>();
  source.behave('/image', (response) => {
    response.on('close', () => closed.resolve(null));
    response.writeHead(302).write(Buffer.alloc(100_000));
  });
  const relay = new Relay(600_000);
  onTestFinished(() => relay.close());
  const { signal } = new AbortController();
  const asked = relay.download(`${source.url}/image`, { signal, site: source.url });
  await expect(asked).rejects.toThrow('A redirect without a location');
  await closed.promise;
});

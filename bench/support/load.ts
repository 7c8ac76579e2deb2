import { Client } from 'undici';

export const CALLER = 'alice';

const ROUNDS = 5;

/**
 * Milliseconds per request, by round. The servers alternate, so that noise affects all of them. A connection sends
 * its next request after the response.
 *
 * @param requests per round, over all connections
 */
export async function timeRequests(
  urls: readonly string[],
  paths: readonly string[],
  connections: number,
  requests: number,
): Promise<number[][]> {
  const rounds = urls.map((): number[] => []);
  for (let round = -1; round < ROUNDS; round++)
    for (const [i, url] of urls.entries()) {
      const time = await timeRound(url, paths, connections, requests);
      if (round >= 0) rounds[i]?.push(time); // the first one warms up
    }
  return rounds;
}

async function timeRound(
  url: string,
  paths: readonly string[],
  connections: number,
  requests: number,
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new Client(url));
  let next = 0;
  const begin = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (next < requests) await get(client, paths[next++ % paths.length] ?? '/');
    }),
  );
  const time = (performance.now() - begin) / requests;
  await Promise.all(clients.map((client) => client.close()));
  return time;
}

function get(client: Client, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.dispatch(
      { path, method: 'GET', headers: { sso_user: CALLER } },
      {
        onRequestStart: () => undefined,
        onResponseData: () => undefined,
        onResponseStart: (_controller, status) => {
          if (status !== 200) reject(new Error(`${path}: ${status}`));
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/**
 * Fetches a file of the application itself. A sign-on layer may answer in its place, with a
 * redirect or with a page of its own: that must never reach a cache, so it throws.
 *
 * @param proof what a page of ours holds, where a page is what is asked for
 */
export async function fetchOurs(path: string, proof?: string): Promise<Response> {
  // What the browser's HTTP cache has may be another version's.
  const response = await fetch(new Request(path, { cache: 'no-cache', redirect: 'error' }));
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
  const isOurs =
    proof === undefined ? !isPage : isPage && (await response.clone().text()).includes(proof);
  if (!response.ok || !isOurs) throw new Error(`${path} is not answered by the application`);
  return response;
}

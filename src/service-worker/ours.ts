/**
 * Fetches a file of the application itself. A sign-on layer may answer in its place, with a
 * redirect or with a page of its own: that must never reach a cache, so it throws.
 *
 * @param proof a text that our own page contains, where a page is expected
 */
export async function fetchOurs(path: string, proof?: string): Promise<Response> {
  // The browser's HTTP cache may hold another version.
  const response = await fetch(new Request(path, { cache: 'no-cache', redirect: 'error' }));
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
  const isOurs =
    proof === undefined ? !isPage : isPage && (await response.clone().text()).includes(proof);
  if (!response.ok || !isOurs) throw new Error(`${path} is not answered by the application`);
  return response;
}

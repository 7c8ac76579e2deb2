/** A sign-on layer may answer with a page of its own, which must reach no cache; `proof` is a text that only ours has. */
export async function fetchOurs(path: string, proof?: string): Promise<Response> {
  // The browser's HTTP cache may hold another version.
  const response = await fetch(new Request(path, { cache: 'no-cache', redirect: 'error' }));
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
  const isOurs =
    proof === undefined ? !isPage : isPage && (await response.clone().text()).includes(proof);
  if (!response.ok || !isOurs) throw new Error(`${path} is not answered by the application`);
  return response;
}

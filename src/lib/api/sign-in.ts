/** A sign-in page has at least one of these elements. */
const WAY_IN = /<(?:form|input|button|script|iframe|a|meta\s+http-equiv)\b/i;

/**
 * Whether this address, asked as a navigation would, leads to a sign-on. A bare 401 or 403 is a dead end: whoever
 * goes there has lost the application, and gained nothing.
 */
export async function leadsToSignOn(): Promise<boolean> {
  const response = await fetch(location.href, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
    cache: 'no-store',
  });
  if (response.type === 'opaqueredirect' || response.ok) return true;
  return response.headers.has('www-authenticate') || WAY_IN.test(await response.text());
}

/** Whether a host is the machine itself, which no other device reaches under this name. */
export const isThisMachine = (hostname: string): boolean =>
  /(?:^|\.)localhost$|^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname);

/**
 * Whether a browser offers passkeys on a page: its context is secure, and its host a name, since a passkey is bound to
 * one.
 */
export function takesPasskeys({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (/^\[|^[\d.]+$/.test(hostname)) return false;
  return protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname);
}

/** Whether a host is this machine itself, unreachable for other devices under this name. */
export const isThisMachine = (hostname: string): boolean =>
  /(?:^|\.)localhost$|^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname);

/** Whether a browser offers passkeys on a page: the context is secure, and the host has a name. */
export function takesPasskeys({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (/^\[|^[\d.]+$/.test(hostname)) return false;
  return protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname);
}

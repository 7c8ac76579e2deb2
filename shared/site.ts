/** Whether a host is the machine itself, which no other device reaches under this name. */
export const isThisMachine = (hostname: string): boolean =>
  /(?:^|\.)localhost$|^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname);

/** Whether a browser offers passkeys on a page: the context is secure, and the host has a name. */
export function takesPasskeys({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (/^\[|^[\d.]+$/.test(hostname)) return false;
  return protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname);
}

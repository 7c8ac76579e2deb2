/** What every answer says to the browser. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** For an answer that is no page: nothing in it may load or run anything. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What every answer says that is no file of the client. */
export const DATA_HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': DATA_POLICY,
  'Cache-Control': 'private, no-store',
  // On every answer, the plain one and « not modified » included.
  Vary: 'accept-encoding',
} as const;

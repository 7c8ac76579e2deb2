/**
 * The header of the sign-on layer, without any for `null`: UTF-8 bytes in a latin1 string, as Node reads and writes
 * headers.
 */
export const signedIn = (user: string | null): Record<string, string> =>
  user === null ? {} : { SSO_USER: Buffer.from(user).toString('latin1') };

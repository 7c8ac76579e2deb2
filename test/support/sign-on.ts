/** The header of the sign-on: UTF-8 as bytes, which Node takes and gives as latin1; none for `null`. */
export const signedIn = (user: string | null): Record<string, string> =>
  user === null ? {} : { SSO_USER: Buffer.from(user).toString('latin1') };

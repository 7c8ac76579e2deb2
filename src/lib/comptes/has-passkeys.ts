import { takesPasskeys } from '#shared/site';

/** Whether passkeys are made and taken on this page; looked at before anything of them is loaded. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && takesPasskeys(location);

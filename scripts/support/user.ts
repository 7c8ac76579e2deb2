import { userInfo } from 'node:os';

/** `SIMULATED_USER`, otherwise the login name. */
export function simulatedUser(): string {
  const said = process.env['SIMULATED_USER'] ?? '';
  if (said !== '') return said;
  try {
    return userInfo().username;
  } catch {
    return 'moi'; // a container may run under a number without a name
  }
}

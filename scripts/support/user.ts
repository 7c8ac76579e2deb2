import { userInfo } from 'node:os';

/** `SIMULATED_USER`, else the login name. */
export function simulatedUser(): string {
  const said = process.env['SIMULATED_USER'] ?? '';
  if (said !== '') return said;
  try {
    return userInfo().username;
  } catch {
    return 'moi'; // a container can run under a number that has no name
  }
}

import type { Habitant } from './maison.ts';

export type Send = ReturnType<typeof sender>;

/** Writes to the service at an address as one of the house would: returns the answer's body. */
export function sender(address: string) {
  return async function <T>(
    habitant: Habitant,
    method: 'POST' | 'PUT',
    path: string,
    payload?: object,
  ): Promise<T> {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { SSO_USER: habitant, ...(payload && { 'Content-Type': 'application/json' }) },
      ...(payload && { body: JSON.stringify(payload) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the service answers in the shapes of its endpoints, and the caller names the one that it asked
    return (await response.json()) as T;
  };
}

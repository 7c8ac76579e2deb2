import type { Resident } from './household.ts';

export type Send = ReturnType<typeof sender>;

/** Writes to a service as a resident. */
export function sender(address: string) {
  return async function (
    resident: Resident,
    method: 'POST' | 'PUT',
    path: string,
    payload?: object,
  ): Promise<unknown> {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { SSO_USER: resident, ...(payload && { 'Content-Type': 'application/json' }) },
      ...(payload && { body: JSON.stringify(payload) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
}

/** Uploads a picture as a record's cover. */
export function pictureSender(address: string) {
  return async function (resident: Resident, path: string, picture: Buffer): Promise<void> {
    const response = await fetch(new URL(path, address), {
      method: 'PUT',
      headers: { SSO_USER: resident, 'Content-Type': 'image/jpeg' },
      body: new Uint8Array(picture),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
}

export type SendPicture = ReturnType<typeof pictureSender>;

import { resolve } from '$app/paths';

/**
 * Where the application lives on its host, without a slash at its end: empty at the root. The server says it
 * in the page (docs/rules.md § 31). It tells apart what two installations of one host keep on a device.
 */
export const base = resolve('/').slice(0, -1);

/** The address of a path below the base. Every link is made by this function. */
export const href = (path: `/${string}`): string => base + path;

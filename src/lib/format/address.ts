import { resolve } from '$app/paths';

/** The application's path on its host, without a slash at its end: empty at the root (docs/rules.md § 31). */
export const base = resolve('/').slice(0, -1);

/** The address of a path below the base. Every link is made by this function. */
export const href = (path: `/${string}`): string => base + path;

import { resolve } from '$app/paths';

/** The application's path on its host, without a slash at its end: empty at the root (docs/rules.md § 31). */
export const base = resolve('/').slice(0, -1);

/** The address of a path with the base; used for every link. */
export const href = (path: `/${string}`): string => base + path;

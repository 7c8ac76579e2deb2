import { base } from '$service-worker';

/** How the names of our caches begin; another installation of the same host has others. */
export const CACHES = base === '' ? 'rayonnage-' : `rayonnage|${base}|`;

export const SCANNER_CACHE = `${CACHES}scanner`;

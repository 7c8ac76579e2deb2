import { base } from '$service-worker';

/** The prefix of our caches' names; another installation on the same host has another prefix. */
export const CACHES = base === '' ? 'rayonnage-' : `rayonnage|${base}|`;

export const SCANNER_CACHE = `${CACHES}scanner`;

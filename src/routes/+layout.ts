/** Rendered on the device only: the data is the replica there. */
export const ssr = false;
export const prerender = false;

/** Rendered on the device only: its data is the replica there. */
export const ssr = false;
export const prerender = false;

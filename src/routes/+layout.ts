/** Rendered on the device only: the data is the copy there. */
export const ssr = false;
export const prerender = false;

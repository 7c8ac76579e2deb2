/** With this status a proof ends that could not look: it has neither held nor failed. */
export const NOT_EXAMINED = 75;

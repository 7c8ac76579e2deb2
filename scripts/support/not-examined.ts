/** With this a proof ends that could not look: it has neither held nor failed. `EX_TEMPFAIL` of sysexits. */
export const NOT_EXAMINED = 75;

/** The exit status of a proof that could not run: neither held nor failed. */
export const NOT_EXAMINED = 75;

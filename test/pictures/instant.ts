/** The time of all pictures, in milliseconds since 1970; the demonstration shows days before it. */
export const INSTANT = Date.UTC(2026, 10, 20, 11);

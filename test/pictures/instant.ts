/** When every picture is taken, in milliseconds since 1970: the demonstration tells days before that. */
export const INSTANT = Date.UTC(2026, 10, 20, 11);

/**
 * Takes a value for what a shared shape says of it, without a check. For what the server has written by
 * that shape, and for what this application has stored itself: a check would bring a validator into the
 * first load.
 */
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unsafe-type-assertion --
   the one place where a type is asserted */
export const unsafeCast = <T>(value: unknown): T => value as T;

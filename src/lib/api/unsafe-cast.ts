/** Unchecked: the server or this application wrote the value by that shape, and a validator would weigh on the first load. */
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unsafe-type-assertion --
   the one place where a type is asserted */
export const unsafeCast = <T>(value: unknown): T => value as T;

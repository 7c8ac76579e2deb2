/**
 * Takes a value for what a shared shape says of it. For what the server has written by that shape,
 * and for what this application has stored itself: checking it once more would bring a validator
 * into the first load.
 */
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unsafe-type-assertion --
   the one place where a shape is believed */
export const trusted = <T>(value: unknown): T => value as T;

/** Kit's `$app/paths` for a page without Kit, at the root of its host. */
export const resolve = (path: string): string => path;

export const resolve = (path: string): string => path;

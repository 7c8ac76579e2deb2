export function patiently<T>(
  sentence: string,
  work: Promise<T>,
  options?: { readonly everyMs?: number; readonly say?: (line: string) => void },
): Promise<T>;
